//! The picture of a match: disks on both rings, trilithons, the Druid, the Exchange Field and the hands.

use super::moves::Move;
use super::state::{PAIRS_TO_WIN, Step};
use super::track::{Phase, is_black};
use super::view::{AbsolutionView, SeatView};
use super::{Absolution, Ready, Wish};
use crate::pictures::{Ask, Canvas, Hue, Picture, Point, Svg, Touched, ending, glyphs};
use crate::stonehenge::picture::{Corner, Corners, PRINTED, Page, SeatRow, pile, tally};
use crate::stonehenge::{CardSet, Number, Stone};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Board, Catalogue, Place, Seat};

/// The size of a disk, which leaves room for ids on a wide picture.
fn size(ask: &Ask) -> f64 {
    if ask.is_narrow() { 13.0 } else { 10.5 }
}

impl Picture for Absolution {
    fn draw(&self, view: &AbsolutionView, board: &Board, ask: &Ask) -> Svg {
        let (standing, headline, aside) = words(view, ask);
        let field = SeatRow {
            title: "Exchange Field",
            notes: vec!["open to whoever plays".to_owned()],
            open: view.field.iter().collect(),
            ..SeatRow::default()
        };
        let page = Page {
            ask,
            game: Self::INFO.title,
            standing,
            description: description(view),
            headline,
            aside,
            table: Some(field),
            seats: view
                .seats
                .iter()
                .zip((0..).filter_map(Seat::new))
                .map(|(seen, seat)| row(view, seat, seen))
                .collect(),
        };
        page.finish(
            |canvas, ring| {
                ring.draw(canvas, board, ask, |canvas, place, at| pieces(canvas, view, place, at, size(ask)))
            },
            |canvas, at| corners(canvas, view, ask, at),
        )
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        Page::empty(Self::INFO.title, PRINTED, ask)
            .finish(|canvas, ring| ring.draw(canvas, board, ask, |_, _, _| {}), |_, _| {})
    }

    fn touched(&self, _view: &AbsolutionView, mv: &Move) -> Vec<Touched> {
        match mv {
            Move::Play(play) => play.cards.iter().map(Touched::card).collect(),
            Move::Exchange(exchange) => vec![Touched::card(exchange.give), Touched::card(exchange.take)],
            Move::Nominate(_) | Move::Pass(_) | Move::Wish(_) | Move::Ready(_) => Vec::new(),
        }
    }
}

/// The piece on a place.
fn pieces(canvas: &mut Canvas, view: &AbsolutionView, place: &Place, at: Point, size: f64) {
    match (&*place.zone, place.number.and_then(Number::new)) {
        ("inner_ring", Some(number)) if !is_black(number) => {
            let Ok(stone) = place.id.parse::<Stone>() else { return };
            let outer = if stone.day { view.outer_day_disks } else { view.outer_night_disks };
            if !outer.contains(number) {
                disk(canvas, number, stone.day, &place.id, at, size);
            }
        }
        ("row_b", Some(number)) => {
            // Both disks of a number stand side by side on its strip.
            let aside = |offset: f64| Point::new(at.x + offset, at.y);
            if view.outer_day_disks.contains(number) {
                disk(canvas, number, true, &place.id, aside(size + 1.0), size);
            }
            if view.outer_night_disks.contains(number) {
                disk(canvas, number, false, &place.id, aside(-size - 1.0), size);
            }
            if view.trilithons.contains(number) {
                canvas.piece(&format!("trilithon on {number}"), |canvas| glyphs::trilithon(canvas, at, 17.0, "back"));
            }
        }
        ("row_c", Some(number)) if view.turn.is_some_and(|turn| turn.number == number) => {
            canvas.circle(at, 20.0, "turn");
        }
        _ if view.druid.to_string() == place.id => {
            let high = if view.druid.on_altar() { 24.0 } else { 20.0 };
            canvas.piece(&format!("the Druid on {}", place.id), |canvas| glyphs::druid(canvas, at, high, Hue::Black));
        }
        _ => {}
    }
}

fn disk(canvas: &mut Canvas, number: Number, day: bool, on: &str, at: Point, size: f64) {
    let half = if day { "day" } else { "night" };
    canvas.piece(&format!("{half} disk of {number} on {on}"), |canvas| {
        glyphs::disk(canvas, at, size, number.colour().into());
    });
}

fn corners(canvas: &mut Canvas, view: &AbsolutionView, ask: &Ask, places: Corners) {
    if let Some(turn) = view.turn {
        let at = places.at(Corner::UpperLeft);
        match turn.phase {
            Phase::Day => glyphs::sun(canvas, at.by(0.0, -8.0), 30.0),
            Phase::Night => glyphs::moon(canvas, at.by(0.0, -8.0), 26.0),
        }
        canvas.label(at.by(0.0, 42.0), "m b", &format!("{} {}", turn.phase.title(), turn.number));
    }
    let pairs = places.at(Corner::UpperRight);
    tally(canvas, pairs.by(0.0, -14.0), &view.inner_pairs.to_string(), "inner pairs");
    canvas.label(
        pairs.by(0.0, if places.is_narrow { 52.0 } else { 40.0 }),
        "t soft",
        &format!("{PAIRS_TO_WIN} to win"),
    );
    pile(canvas, ask, places.at(Corner::LowerLeft), None, usize::from(view.pile_size), "pile");
    let discards = places.at(Corner::LowerRight);
    pile(canvas, ask, discards, view.discards.last().copied(), view.discards.len(), "discards");
}

/// Returns how far it has come, for the title, the first line and its right end.
fn words(view: &AbsolutionView, ask: &Ask) -> (String, String, String) {
    let turn = view.turn.map(|turn| format!("{} {}", turn.phase.title(), turn.number));
    let aside = turn.clone().unwrap_or_else(|| "before Day 1".to_owned());
    match (&ask.outcome, view.turn) {
        (Some(outcome), _) => (ending(ask, outcome), ending(ask, outcome), aside),
        (None, Some(on)) if view.step != Step::Over => {
            let name = ask.name(on.seat);
            let rescue = if view.rescue_pending { ", the Druid lies on the altar" } else { "" };
            (format!("{aside}, {name} to play"), format!("{name} to match {}{rescue}", on.number), aside)
        }
        _ if view.step == Step::Voting => {
            ("the vote for the first player".to_owned(), "Vote for the first player".to_owned(), aside)
        }
        _ => ("over".to_owned(), "Over".to_owned(), aside),
    }
}

fn row(view: &AbsolutionView, seat: Seat, seen: &SeatView) -> SeatRow {
    let round = view.votes.last().filter(|_| view.step == Step::Voting);
    let nominee = round.and_then(|round| round.nominations.iter().find(|vote| vote.seat == seat));
    let acts = match view.step {
        Step::Voting => nominee.is_none(),
        Step::Playing => view.turn.is_some_and(|turn| turn.seat == seat),
        Step::Drawing | Step::Revealing | Step::Over => false,
    };
    let open: CardSet = seen.hand.unwrap_or(seen.taken);
    let mut notes = vec![match nominee {
        Some(vote) => format!("nominates seat {}", vote.nominee),
        None => counted(seen.hand_size, "card", "cards"),
    }];
    let said: Vec<String> = seen.wish.iter().map(wish).chain(seen.ready.iter().take(2).map(ready)).collect();
    if !said.is_empty() {
        notes.push(said.join(" · "));
    }
    SeatRow {
        seat: Some(seat),
        acts,
        notes,
        open: open.iter().collect(),
        hidden: usize::from(seen.hand_size).saturating_sub(open.len()),
        ..SeatRow::default()
    }
}

fn wish(wish: &Wish) -> String {
    let numbers = wish.numbers.iter().map(|number| number.to_string());
    let things: Vec<String> = numbers.chain(wish.colours.iter().map(ToString::to_string)).collect();
    format!("wishes {}", things.join(", "))
}

fn ready(ready: &Ready) -> String {
    format!("{} {}: {}", ready.phase, ready.number, ready.word)
}

fn description(view: &AbsolutionView) -> String {
    let list = |numbers: super::NumberSet| match numbers.is_empty() {
        true => "none".to_owned(),
        false => numbers.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" "),
    };
    let field: Vec<String> = view.field.iter().map(|card| card.to_string()).collect();
    format!(
        "The Druid is on {}. Day disks on the outer ring: {}. Night disks on the outer ring: {}. Trilithons on: {}. \
         Inner pairs: {}. Exchange Field: {}. Cards in the pile: {}.",
        view.druid,
        list(view.outer_day_disks),
        list(view.outer_night_disks),
        list(view.trilithons),
        view.inner_pairs,
        field.join(" "),
        view.pile_size
    )
}
