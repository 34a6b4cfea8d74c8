//! The picture of a match: the thief, the druids and their alertness, the fire, and the cards of the turn.

use std::collections::BTreeMap;

use super::ThiefOfTheSacredFire;
use super::figures::Figure;
use super::moves::Move;
use super::space::Space;
use super::view::{Phase, ThiefDruidView, ThiefView};
use crate::pictures::{Ask, Canvas, Hue, Picture, Point, Svg, Touched, ending, glyphs};
use crate::stonehenge::picture::{Corner, Corners, Page, SeatRow, heap, pile, tally};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Board, Catalogue, Place, Seat};

/// The points that the capture needs in all.
const CAPTURE: u8 = 4;

impl From<Figure> for Hue {
    fn from(figure: Figure) -> Hue {
        match figure {
            Figure::White => Hue::White,
            Figure::Blue => Hue::Blue,
            Figure::Green => Hue::Green,
            Figure::Yellow => Hue::Yellow,
            Figure::Red => Hue::Red,
            Figure::Thief => Hue::Black,
        }
    }
}

/// The rings by how dark they are.
fn surface(row: &str) -> &'static str {
    match row {
        "row_a" => "night",
        "row_b" => "stone",
        _ => "day",
    }
}

impl Picture for ThiefOfTheSacredFire {
    fn draw(&self, view: &ThiefView, board: &Board, ask: &Ask) -> Svg {
        let (standing, headline) = words(view, ask);
        let dealt = SeatRow {
            title: "Cards of this turn",
            notes: vec!["each moves the figure on it".to_owned()],
            open: view.cards.iter().map(|dealt| dealt.card).collect(),
            owners: view.cards.iter().map(|dealt| dealt.figure.into()).collect(),
            ..SeatRow::default()
        };
        let page = Page {
            ask,
            game: Self::INFO.title,
            standing,
            description: description(view),
            headline,
            aside: format!("turn {} of {}", view.turn, view.turn_limit),
            table: Some(dealt).filter(|dealt| !dealt.open.is_empty()),
            seats: vec![row(view)],
        };
        page.finish(
            |canvas, ring| {
                ring.surfaced(surface).draw(canvas, board, ask, |canvas, place, at| pieces(canvas, view, place, at));
                for (space, words) in covered(view) {
                    let Some(at) = ring.find(board, &space.to_string()) else { continue };
                    let below = if ask.is_narrow() { 33.0 } else { 26.0 };
                    glyphs::tag(canvas, at.by(0.0, below), &words, ask.is_narrow());
                }
            },
            |canvas, at| corners(canvas, view, ask, at),
        )
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        let description = "The board: the rings Darkness, Shadow and Light of 30 spaces each, 60 small stones, five \
                           trilithons and 19 bluestones.";
        Page::empty(Self::INFO.title, description, ask)
            .finish(|canvas, ring| ring.surfaced(surface).draw(canvas, board, ask, |_, _, _| {}), |_, _| {})
    }

    fn touched(&self, _view: &ThiefView, mv: &Move) -> Vec<Touched> {
        match mv {
            Move::Start(start) => vec![Touched::space(start.space)],
            Move::Go(go) => vec![Touched::space(go.to)],
            Move::Take(take) => vec![Touched::space(take.to)],
            Move::Stay(_) => Vec::new(),
        }
    }
}

/// The names of the spaces that a figure covers, with the fire that lies there, and of the start: they are written below it,
/// above everything else.
fn covered(view: &ThiefView) -> BTreeMap<Space, String> {
    let thief = view.thief.as_ref();
    let figures = view.druids.iter().map(|druid| druid.at).chain(thief.map(|thief| thief.at));
    let mut covered: BTreeMap<Space, String> = figures.map(|space| (space, space.to_string())).collect();
    if let Some(words) = burning(view).and_then(|space| covered.get_mut(&space)) {
        words.push_str(", fire");
    }
    if let Some(thief) = thief {
        covered.insert(thief.start, format!("start {}", thief.start));
    }
    covered
}

/// The space where the fire burns, if nobody has taken it.
fn burning(view: &ThiefView) -> Option<Space> {
    let taken = view.thief.as_ref().is_some_and(|thief| thief.has_fire);
    view.fire.as_ref().filter(|_| !taken).map(|fire| fire.trilithon)
}

fn pieces(canvas: &mut Canvas, view: &ThiefView, place: &Place, at: Point) {
    let Ok(space) = place.id.parse::<Space>() else { return };
    let thief = view.thief.as_ref();
    if thief.is_some_and(|thief| thief.start == space) {
        canvas.piece(&format!("the thief's start, {space}"), |canvas| canvas.circle(at, 21.0, "pen"));
    }
    for capstone in view.capstones.iter().filter(|capstone| capstone.trilithon == space) {
        if let Some(disk) = capstone.disk {
            canvas.piece(&format!("{} disk on {space}", disk), |canvas| {
                glyphs::disk(canvas, at.by(0.0, -14.0), 9.0, Hue::from(Figure::from(disk)));
            });
        }
    }
    if burning(view) == Some(space) {
        canvas.piece(&format!("the Sacred Fire on {space}"), |canvas| glyphs::flame(canvas, at.by(0.0, 2.0), 15.0));
    }
    for druid in view.druids.iter().filter(|druid| druid.at == space) {
        draw_druid(canvas, view, druid, at);
    }
    if let Some(thief) = thief.filter(|thief| thief.at == space) {
        let title = if thief.has_fire { "the thief with the fire" } else { "the thief" };
        canvas.piece(&format!("{title} on {space}"), |canvas| {
            glyphs::pawn(canvas, at, 17.0, Hue::Black);
            if thief.has_fire {
                glyphs::flame(canvas, at.by(13.0, -10.0), 9.0);
            }
        });
    }
}

fn draw_druid(canvas: &mut Canvas, view: &ThiefView, druid: &ThiefDruidView, at: Point) {
    let figure = Figure::from(druid.druid);
    let high = view.fire.is_some_and(|fire| fire.high_druid == druid.druid);
    let title = match (high, druid.heading) {
        (true, Some(end)) => format!("{} druid, the High Druid, on {}, heading for {end}", figure, druid.at),
        _ => format!("{} druid on {}", figure, druid.at),
    };
    canvas.piece(&title, |canvas| {
        glyphs::druid(canvas, at, if high { 21.0 } else { 16.0 }, figure.into());
        if high {
            glyphs::crown(canvas, at.by(0.0, -26.0), 9.0);
        }
    });
}

fn corners(canvas: &mut Canvas, view: &ThiefView, ask: &Ask, places: Corners) {
    if view.phase == Phase::Moving {
        tally(canvas, places.at(Corner::UpperLeft), &view.points.to_string(), "points");
    }
    let top = places.at(Corner::UpperRight).by(-8.0, -18.0);
    let step = if places.is_narrow { 34.0 } else { 30.0 };
    if view.fire.is_some() {
        canvas.label(top.by(8.0, -step), "t soft", "alertness");
    }
    for (index, druid) in view.druids.iter().enumerate() {
        let Some(alertness) = druid.alertness else { continue };
        let at = top.by(0.0, step * index as f64);
        canvas.piece(&format!("alertness of the {} druid: {alertness}", druid.druid), |canvas| {
            glyphs::disk(canvas, at, 11.0, Figure::from(druid.druid).into());
            canvas.label(at.by(20.0, 0.0), "m b s", &alertness.to_string());
        });
    }
    pile(canvas, ask, places.at(Corner::LowerLeft), None, usize::from(view.deck_size), "deck");
    heap(canvas, ask, places.at(Corner::LowerRight), view.discarded.len(), "discards");
}

fn words(view: &ThiefView, ask: &Ask) -> (String, String) {
    let doing = match (&ask.outcome, view.phase) {
        (Some(outcome), _) => return (ending(ask, outcome), ending(ask, outcome)),
        (None, Phase::ChoosingStart) => "The thief chooses a start",
        (None, Phase::Moving) => "The thief to move",
        (None, Phase::RevealingFire | Phase::Dealing) => "The druids move",
        (None, Phase::Ending | Phase::Over) => "Over",
    };
    (format!("turn {}: {doing}", view.turn), doing.to_owned())
}

fn row(view: &ThiefView) -> SeatRow {
    let note = match &view.thief {
        None => "looks for a way in".to_owned(),
        Some(thief) if thief.has_fire => format!("on {}, brings the fire to {}", thief.at, thief.start),
        Some(thief) => {
            format!("on {}, started from {}, capture {} of {CAPTURE}", thief.at, thief.start, thief.progress)
        }
    };
    let acts = matches!(view.phase, Phase::ChoosingStart | Phase::Moving);
    SeatRow { seat: Seat::new(0), hue: Some(Hue::Black), acts, notes: vec![note], ..SeatRow::default() }
}

fn description(view: &ThiefView) -> String {
    let mut text = match &view.thief {
        None => "The thief has not come in yet.".to_owned(),
        Some(thief) => format!("The thief is on {}, started from {}.", thief.at, thief.start),
    };
    if let Some(fire) = view.fire {
        let taken = view.thief.as_ref().is_some_and(|thief| thief.has_fire);
        text += &match taken {
            true => " The thief has the fire.".to_owned(),
            false => format!(" The fire burns on {}.", fire.trilithon),
        };
    }
    for druid in &view.druids {
        text += &format!(" The {} druid is on {}", druid.druid, druid.at);
        if let Some(alertness) = druid.alertness {
            text += &format!(", alertness {alertness}");
        }
        text += ".";
    }
    if view.phase == Phase::Moving {
        text += &format!(" The thief has {}.", counted(view.points, "point", "points"));
    }
    text
}
