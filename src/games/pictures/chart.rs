//! The chart of a review: the expected result of each seat over the match, with the moves that cost much.
//!
//! Invariant: lines differ in their strokes and marks in their shapes, and the description says everything in words.

use super::ask::Ask;
use super::canvas::Canvas;
use super::caption::cut;
use super::geometry::{Point, Tenths};
use super::sheet::{Sheet, Svg};
use sarsen_rules::{Seat, WON};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 560.0;
/// The left, upper and lower end of the plot.
const PLOT: [f64; 3] = [80.0, 130.0, 490.0];
/// Its right end, where larger type needs more room for names beside it.
const RIGHT: [f64; 2] = [840.0, 790.0];
/// The least distance between the names at the ends of lines.
const APART: f64 = 30.0;
/// The strokes of the seats.
const STROKES: [&str; 5] = ["pen", "legal", "lit", "way", "line"];
/// The longest name at the end of a line, in characters.
const NAME: usize = 9;

/// One judged move.
pub struct ChartPoint<'a> {
    /// The version that it made.
    pub version: u64,
    /// The seat.
    pub seat: Seat,
    /// The expected result of the seat after it, 0 to [`WON`].
    pub value: i32,
    /// The move in notation, with the mark that it gets.
    pub marked: Option<(&'a str, ChartMark)>,
}

/// The mark of a move that cost much.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum ChartMark {
    /// A ring.
    Mistake,
    /// A disc.
    Blunder,
}

/// A chart to draw.
pub struct Chart<'a> {
    /// The title of the game.
    pub game: &'a str,
    /// True where the seats win or lose together: they have one line.
    pub together: bool,
    /// A sentence for each seat, for readers who see no picture.
    pub sums: Vec<String>,
    /// The last version of the match.
    pub last: u64,
    /// The judged moves, in the order of the match.
    pub points: Vec<ChartPoint<'a>>,
    /// The results of the seats, 0 to [`WON`], at the end of their lines; none of a match that was called off.
    pub results: Vec<(Seat, i32)>,
}

fn right(ask: &Ask) -> f64 {
    RIGHT[usize::from(ask.is_narrow())]
}

impl Chart<'_> {
    fn place(&self, ask: &Ask, version: u64, value: i32) -> Point {
        let ([left, top, bottom], right) = (PLOT, right(ask));
        let along = version.saturating_sub(1) as f64 / self.last.saturating_sub(1).max(1) as f64;
        let up = f64::from(value) / f64::from(WON);
        Point::new(left + (right - left) * along, bottom - (bottom - top) * up)
    }

    /// Draws it in the colours of `ask`, under its names.
    pub fn draw(&self, ask: &Ask) -> Svg {
        let mut canvas = Canvas::new();
        let ([left, top, bottom], right) = (PLOT, right(ask));
        canvas.label(Point::new(left, 44.0), "l s", &format!("{}: expected result", self.game));
        for (text, share) in [("0", 0.0), ("½", 0.5), ("1", 1.0)] {
            let y = bottom - (bottom - top) * share;
            canvas.line(Point::new(left, y), Point::new(right, y), "line dim");
            canvas.label(Point::new(left - 16.0, y), "m e", text);
        }
        canvas.label(Point::new(left, bottom + 36.0), "m", "1");
        canvas.label(Point::new(f64::midpoint(left, right), bottom + 36.0), "m soft", "version");
        canvas.label(Point::new(right, bottom + 36.0), "m", &self.last.to_string());
        for seat in (0..).map_while(Seat::new) {
            self.draw_line(&mut canvas, ask, seat);
        }
        self.draw_marks(&mut canvas, ask);
        self.draw_names(&mut canvas, ask);
        let sheet = Sheet {
            title: format!("{}, review of the match", self.game),
            description: self.description(),
            width: WIDTH,
            height: HEIGHT,
        };
        sheet.finish(ask, canvas)
    }

    /// The points of a seat's line, which the first seat has for a group; none of a seat without a judged move.
    fn line(&self, ask: &Ask, seat: Seat) -> Vec<Point> {
        let is_own = |of: Seat| if self.together { seat.index() == 0 } else { of == seat };
        let judged = self.points.iter().filter(|point| is_own(point.seat));
        let mut line: Vec<Point> = judged.map(|point| self.place(ask, point.version, point.value)).collect();
        let result = self.results.iter().find(|(of, _)| is_own(*of) && !line.is_empty());
        line.extend(result.map(|(_, value)| self.place(ask, self.last, *value)));
        line
    }

    fn draw_line(&self, canvas: &mut Canvas, ask: &Ask, seat: Seat) {
        let mut d = String::new();
        for Point { x, y } in self.line(ask, seat) {
            let command = if d.is_empty() { 'M' } else { 'L' };
            d += &format!("{command}{} {}", Tenths(x), Tenths(y));
        }
        if !d.is_empty() {
            canvas.path(format_args!("{d}"), STROKES[seat.index() % STROKES.len()]);
        }
    }

    fn draw_marks(&self, canvas: &mut Canvas, ask: &Ask) {
        for point in &self.points {
            let Some((notation, mark)) = point.marked else { continue };
            let title = format!("version {}, seat {}: {} {notation}", point.version, point.seat, mark);
            canvas.piece(&title, |canvas| match mark {
                ChartMark::Mistake => canvas.circle(self.place(ask, point.version, point.value), 7.0, "turn"),
                ChartMark::Blunder => canvas.circle(self.place(ask, point.version, point.value), 8.0, "solid"),
            });
        }
        let legend = [(ChartMark::Mistake, "turn", 90.0), (ChartMark::Blunder, "solid", 300.0)];
        for (mark, class, x) in legend {
            canvas.circle(Point::new(x, 90.0), 7.0, class);
            canvas.label(Point::new(x + 20.0, 90.0), "m s", &mark.to_string());
        }
    }

    /// Writes the name of each seat at the end of its line, none upon another and none below the plot.
    fn draw_names(&self, canvas: &mut Canvas, ask: &Ask) {
        let ends = (0..).map_while(Seat::new).filter_map(|seat| Some((self.line(ask, seat).pop()?.y, seat)));
        let mut ends: Vec<(f64, Seat)> = ends.collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut least = f64::MIN;
        for (y, _) in &mut ends {
            *y = y.max(least);
            least = *y + APART;
        }
        let mut most = PLOT[2];
        for (y, seat) in ends.into_iter().rev() {
            let y = y.min(most);
            most = y - APART;
            let name = if self.together { "group".to_owned() } else { cut(&ask.name(seat), NAME) };
            canvas.label(Point::new(right(ask) + 14.0, y), "m s", &name);
        }
    }

    fn description(&self) -> String {
        let of = if self.together { "the group after each move" } else { "each seat after each of its moves" };
        let mut words = vec![format!("The expected result of {of}, from 0 (lost) to 1 (won).")];
        words.extend(self.sums.iter().cloned());
        words.extend(self.points.iter().filter_map(|point| {
            let (notation, mark) = point.marked?;
            Some(format!("Version {}, seat {}: {} {notation}.", point.version, point.seat, mark))
        }));
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_says_in_words_what_it_shows() {
        let seat = |number| Seat::new(number).unwrap();
        let point = |version, number, value| ChartPoint { version, seat: seat(number), value, marked: None };
        let blunder = ChartPoint { marked: Some(("29b-5b", ChartMark::Blunder)), ..point(5, 0, 0) };
        let points = vec![point(3, 0, 6_000), point(4, 1, 4_000), blunder, point(6, 1, WON)];
        let sums = vec!["Seat 0 made 1 blunder.".to_owned()];
        let svg = Chart {
            game: "Contiguity",
            together: false,
            sums,
            last: 7,
            points,
            results: vec![(seat(0), WON), (seat(1), 0)],
        }
        .draw(&Ask::default());
        for words in
            ["Seat 0 made 1 blunder.", "Version 5, seat 0: blunder 29b-5b.", "<title>version 5, seat 0: blunder"]
        {
            assert!(svg.as_str().contains(words), "{words}");
        }
        assert_eq!(svg.as_str().matches("class=\"pen\"").count(), 1);
        assert!(svg.as_str().contains("M333.3 274L586.7 490L840 130"), "{}", svg.as_str());
    }

    /// Five seats that have lost.
    fn lost(together: bool) -> Svg {
        let seats = (0..5).filter_map(Seat::new);
        let point = |(version, seat)| ChartPoint { version, seat, value: 0, marked: None };
        let points = (3..).zip(seats.clone()).map(point).collect();
        let results = seats.map(|seat| (seat, 0)).collect();
        Chart { game: "Absolution", together, sums: Vec::new(), last: 9, points, results }.draw(&Ask::default())
    }

    #[test]
    fn a_group_has_one_line() {
        let svg = lost(true);
        assert_eq!((svg.as_str().matches(">group<").count(), svg.as_str().matches("Seat ").count()), (1, 0));
        assert!(svg.as_str().contains("M270 490L365 490L460 490L555 490L650 490L840 490"), "{}", svg.as_str());
        assert!(svg.as_str().contains("The expected result of the group after each move, from 0"));
    }

    #[test]
    fn names_at_the_bottom_stay_in_the_picture() {
        let svg = lost(false);
        for (seat, y) in [370, 400, 430, 460, 490].into_iter().enumerate() {
            assert!(svg.as_str().contains(&format!("y=\"{y}\">Seat {seat}<")), "{}", svg.as_str());
        }
    }
}
