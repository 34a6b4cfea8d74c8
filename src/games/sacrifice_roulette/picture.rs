//! The picture of a match: sacrifices in their pits, the boulder and its way, the deck and the hands.

use super::SacrificeRoulette;
use super::moves::Move;
use super::track::Direction;
use super::view::{Phase, PlayerView, SacrificeRouletteView};
use crate::pictures::{Ask, Canvas, Hue, Picture, Point, Svg, Touched, cut, ending, glyphs};
use crate::stonehenge::picture::{Corner, Corners, PRINTED, Page, Ring, SeatRow, pile, tally};
use crate::stonehenge::{CardSet, Number, Stone};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Board, Catalogue, Place};

/// The sizes of a sacrifice and the boulder.
const SACRIFICE: f64 = 11.0;
const BOULDER: f64 = 22.0;

impl Picture for SacrificeRoulette {
    fn draw(&self, view: &SacrificeRouletteView, board: &Board, ask: &Ask) -> Svg {
        let (standing, headline) = words(view, ask);
        let page = Page {
            ask,
            game: Self::INFO.title,
            standing,
            description: description(view),
            headline,
            aside: format!("turn {}", view.turn),
            table: None,
            seats: view.players.iter().map(|player| row(view, player)).collect(),
        };
        let drawn = |canvas: &mut Canvas, ring: Ring| {
            ring.draw(canvas, board, ask, |canvas, place, at| pieces(canvas, view, place, at, ask));
            way(canvas, view, ring);
        };
        page.finish(drawn, |canvas, at| corners(canvas, view, ask, at))
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        Page::empty(Self::INFO.title, PRINTED, ask)
            .finish(|canvas, ring| ring.draw(canvas, board, ask, |_, _, _| {}), |_, _| {})
    }

    fn touched(&self, _view: &SacrificeRouletteView, mv: &Move) -> Vec<Touched> {
        match mv {
            Move::Place(place) => vec![Touched::space(place.pit)],
            Move::Roll(roll) => roll.trilithons.iter().chain(roll.cards.iter()).map(Touched::card).collect(),
            Move::Reverse(reverse) => vec![Touched::card(reverse.trilithon)],
        }
    }
}

fn pieces(canvas: &mut Canvas, view: &SacrificeRouletteView, place: &Place, at: Point, ask: &Ask) {
    if let Ok(stone) = place.id.parse::<Stone>() {
        let Some(pit) = view.pits.iter().find(|pit| pit.pit == stone) else { return };
        let whose = pit.owner.map_or_else(|| "neutral".to_owned(), |owner| cut(&ask.name(owner), 20));
        canvas.piece(&format!("{} sacrifice in {stone}, {whose}", pit.colour), |canvas| {
            glyphs::disk(canvas, at, if ask.is_narrow() { 13.0 } else { SACRIFICE }, pit.colour.into());
        });
    } else if place.zone == "row_b" && view.boulder == place.number.and_then(Number::new) {
        let number = place.number.unwrap_or_default();
        canvas.piece(&format!("the boulder on {number}"), |canvas| glyphs::boulder(canvas, at, BOULDER));
    }
}

/// The direction in which the boulder rolls, around the altar.
fn way(canvas: &mut Canvas, view: &SacrificeRouletteView, ring: Ring) {
    let (side, sweep) = match view.direction {
        Direction::Clockwise => (1.0, 1),
        Direction::CounterClockwise => (-1.0, 0),
    };
    let at = |degrees: f64, radius: f64| ring.centre().towards(side * degrees, radius);
    let (begin, end) = (at(-60.0, 82.0), at(60.0, 82.0));
    canvas.path(
        format_args!("M{begin}A82,82 0 0 {sweep} {end}M{}L{end}L{}", at(51.0, 97.0), at(47.0, 71.0)),
        "pen still",
    );
}

fn corners(canvas: &mut Canvas, view: &SacrificeRouletteView, ask: &Ask, places: Corners) {
    if view.marker.is_some() {
        pile(canvas, ask, places.at(Corner::UpperLeft), view.marker, 1, "marker");
    }
    let at = places.at(Corner::UpperRight);
    tally(canvas, at, &format!("{}/{}", view.depletions, view.last_depletion), "depletions");
    pile(canvas, ask, places.at(Corner::LowerLeft), None, usize::from(view.deck_size), "deck");
    let discards = places.at(Corner::LowerRight);
    pile(canvas, ask, discards, view.discards.last().copied(), view.discards.len(), "discards");
}

fn words(view: &SacrificeRouletteView, ask: &Ask) -> (String, String) {
    let name = view.seat.map(|seat| ask.name(seat)).unwrap_or_default();
    let doing = match (&ask.outcome, view.phase) {
        (Some(outcome), _) => return (ending(ask, outcome), ending(ask, outcome)),
        (None, Phase::Placing) => "to place a sacrifice",
        (None, Phase::Rolling) => "to roll the boulder",
        (None, Phase::Falling) => "lets the boulder fall",
        (None, Phase::Drawing) => "draws",
        (None, Phase::Dealing) => return ("cards are dealt".to_owned(), "Cards are dealt".to_owned()),
        (None, Phase::Over) => return ("over".to_owned(), "Over".to_owned()),
    };
    (format!("turn {}, {name} {doing}", view.turn), format!("{name} {doing}"))
}

fn row(view: &SacrificeRouletteView, player: &PlayerView) -> SeatRow {
    let open: CardSet = player.hand.unwrap_or(player.known);
    let pile = player.scoring_pile;
    let taken = pile.white + pile.blue + pile.green + pile.yellow + pile.red;
    let points = if player.points == 1 { "point" } else { "points" };
    let mut notes = vec![
        format!("{} {points}: {} on board, {taken} taken", player.points, player.on_board),
        format!("holds {} of {}", player.hand_size, player.hand_limit),
    ];
    if player.to_place > 0 {
        notes = vec![format!("{} to place", player.to_place)];
    }
    SeatRow {
        seat: Some(player.seat),
        hue: Some(Hue::from(player.colour)),
        acts: view.seat == Some(player.seat),
        notes,
        open: open.iter().collect(),
        hidden: usize::from(player.hand_size).saturating_sub(open.len()),
        ..SeatRow::default()
    }
}

fn description(view: &SacrificeRouletteView) -> String {
    let mut text = match view.boulder {
        Some(number) => format!("The boulder stands on {number} and rolls "),
        None => "The boulder is not there yet; it will roll ".to_owned(),
    };
    text += &view.direction.to_string();
    text.push('.');
    for player in &view.players {
        let own = view.pits.iter().filter(|pit| pit.owner == Some(player.seat));
        let pits: Vec<String> = own.map(|pit| pit.pit.to_string()).collect();
        let points = counted(player.points, "point", "points");
        text += &format!(" Seat {}, {}, {points}: {}.", player.seat, player.colour, pits.join(" "));
    }
    text + &format!(" Cards in the deck: {}.", view.deck_size)
}
