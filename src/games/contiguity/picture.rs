//! The picture of a match: the ring with twelve pieces.

use super::Contiguity;
use super::moves::Move;
use super::view::{ContiguityView, Phase};
use crate::pictures::{Ask, Canvas, Hue, Picture, Point, Svg, Touched, ending, glyphs};
use crate::stonehenge::Space;
use crate::stonehenge::picture::{Corner, Page, Ring, SeatRow, tally};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Board, Catalogue, Seat};

/// The size of a piece, and its distance outwards from the middle of its space: a wide picture has ids farther in.
fn piece_of(ask: &Ask) -> (f64, f64) {
    if ask.is_narrow() { (22.0, 0.0) } else { (17.5, 8.0) }
}

impl Picture for Contiguity {
    fn draw(&self, view: &ContiguityView, board: &Board, ask: &Ask) -> Svg {
        let page = Page {
            ask,
            game: Self::INFO.title,
            standing: standing(view, ask),
            description: description(view),
            headline: headline(view, ask),
            aside: format!("turn {} of {}", (view.turns + 1).min(view.turn_limit), view.turn_limit),
            table: None,
            seats: [0, 1].into_iter().filter_map(Seat::new).map(|seat| row(view, seat)).collect(),
        };
        let (size, outwards) = piece_of(ask);
        let rows = |canvas: &mut Canvas, ring: Ring| {
            ring.rows_alone(outwards).draw(canvas, board, ask, |canvas, place, at| {
                let Ok(space) = place.id.parse::<Space>() else { return };
                for (spaces, hue) in [(&view.white, Hue::White), (&view.red, Hue::Red)] {
                    if spaces.contains(&space) {
                        piece(canvas, at, size, hue, space);
                    }
                }
            });
            let shown = ask.last_move.as_ref().map(|shown| &shown.touched[..]);
            if let Some([Touched::Space(from), Touched::Space(to)]) = shown
                && let (Some(from), Some(to)) = (ring.find(board, from), ring.find(board, to))
            {
                glyphs::arrow(canvas, from, to, size + 3.0);
            }
        };
        page.finish(rows, |canvas, corners| {
            for (corner, count, colour) in
                [(Corner::UpperLeft, view.white_groups, "white"), (Corner::UpperRight, view.red_groups, "red")]
            {
                let unit = if count == 1 { "group" } else { "groups" };
                tally(canvas, corners.at(corner), &count.to_string(), &format!("{colour} {unit}"));
            }
        })
    }

    fn draw_plain(&self, view: &ContiguityView) -> Option<String> {
        let mut text = "The ring, cut between 30 and 1; row a lies outermost. W is white, R is red.\n  ".to_owned();
        (1..=30).for_each(|number| text += &format!("{number:>3}"));
        for row in ["a", "b", "c", "d"] {
            text += &format!("\n{row} ");
            for number in 1..=30 {
                let space = format!("{number}{row}").parse::<Space>().ok();
                let holds = |pieces: &[Space]| space.is_some_and(|space| pieces.contains(&space));
                text += match (holds(&view.white), holds(&view.red)) {
                    (true, _) => "  W",
                    (_, true) => "  R",
                    _ => "  .",
                };
            }
        }
        Some(text)
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        let description = "The board: 30 numbers in a ring, each with the rows a to d.";
        let rows = |canvas: &mut Canvas, ring: Ring| ring.rows_alone(0.0).draw(canvas, board, ask, |_, _, _| {});
        Page::empty(Self::INFO.title, description, ask).finish(rows, |_, _| {})
    }

    fn touched(&self, _view: &ContiguityView, mv: &Move) -> Vec<Touched> {
        match mv {
            Move::Move(mv) => vec![Touched::space(mv.from), Touched::space(mv.to)],
            Move::Bid(_) | Move::Pass(_) | Move::Choose(_) => Vec::new(),
        }
    }

    /// The pieces that can be moved; where one can go is marked when it is chosen.
    fn touched_first(&self, view: &ContiguityView, mv: &Move) -> Vec<Touched> {
        self.touched(view, mv).into_iter().take(1).collect()
    }
}

fn piece(canvas: &mut Canvas, at: Point, size: f64, hue: Hue, space: Space) {
    canvas.piece(&format!("{hue} piece on {space}"), |canvas| glyphs::disk(canvas, at, size, hue));
}

fn to_play(view: &ContiguityView) -> (&'static str, Option<Seat>) {
    if view.turns.is_multiple_of(2) { ("white", view.white_seat) } else { ("red", view.red_seat) }
}

/// The seat that is to bid or to choose: who bids alternates, and the other's pass leaves the choice to the last bidder.
fn bidder(view: &ContiguityView) -> Option<Seat> {
    match (view.phase, view.bids.last()) {
        (Phase::Choosing, Some(last)) => Some(last.seat),
        (_, Some(last)) => Seat::new(1 - last.seat.number().min(1)),
        (_, None) => view.opening_bidder,
    }
}

fn actor(view: &ContiguityView) -> Option<Seat> {
    match view.phase {
        Phase::Bidding | Phase::Choosing => bidder(view),
        Phase::Playing => to_play(view).1,
        Phase::Over => None,
    }
}

fn standing(view: &ContiguityView, ask: &Ask) -> String {
    let turns = counted(view.turns, "turn", "turns");
    match (&ask.outcome, view.phase) {
        (Some(outcome), _) => format!("after {turns}: {}", ending(ask, outcome)),
        (None, Phase::Playing) => format!("turn {}, {} to play", view.turns + 1, to_play(view).0),
        (None, Phase::Bidding) => "bidding".to_owned(),
        (None, Phase::Choosing) => "the order is to be chosen".to_owned(),
        (None, Phase::Over) => format!("over after {turns}"),
    }
}

fn headline(view: &ContiguityView, ask: &Ask) -> String {
    let name = |seat: Option<Seat>| seat.map_or_else(String::new, |seat| ask.name(seat));
    match (&ask.outcome, view.phase) {
        (Some(outcome), _) => ending(ask, outcome),
        (None, Phase::Playing) => format!("{} to play, {}", name(to_play(view).1), to_play(view).0),
        (None, Phase::Bidding) => format!("{} to bid", name(bidder(view))),
        (None, Phase::Choosing) => format!("{} to choose the order", name(bidder(view))),
        (None, Phase::Over) => "Over".to_owned(),
    }
}

fn row(view: &ContiguityView, seat: Seat) -> SeatRow {
    let (hue, groups) = match () {
        () if view.white_seat == Some(seat) => (Some(Hue::White), view.white_groups),
        () if view.red_seat == Some(seat) => (Some(Hue::Red), view.red_groups),
        () => (None, 0),
    };
    let pieces = hue.map(|hue| {
        let fall = if groups == 1 { "connected".to_owned() } else { format!("in {groups} groups") };
        format!("{hue}, {fall}")
    });
    let bid = view.bids.iter().rfind(|bid| bid.seat == seat).map(|bid| format!("bid {}", bid.turns.get()));
    let counts = view.bids.last().is_some_and(|last| last.seat == seat);
    let left = view.bid_turns_left.filter(|_| counts && hue.is_some());
    let left = left.map(|left| format!("{} left", counted(left, "turn", "turns")));
    let note: Vec<String> = [pieces, bid, left].into_iter().flatten().collect();
    SeatRow {
        seat: Some(seat),
        hue,
        acts: actor(view) == Some(seat),
        notes: vec![note.join(" · ")],
        ..SeatRow::default()
    }
}

fn description(view: &ContiguityView) -> String {
    let list = |spaces: &[Space]| spaces.iter().map(Space::to_string).collect::<Vec<_>>().join(" ");
    let mut text = format!(
        "White in {} groups: {}. Red in {} groups: {}.",
        view.white_groups,
        list(&view.white),
        view.red_groups,
        list(&view.red)
    );
    if let Some(step) = view.moves.last() {
        text += &format!(" Last turn: {}-{}.", step.from, step.to);
    }
    text
}
