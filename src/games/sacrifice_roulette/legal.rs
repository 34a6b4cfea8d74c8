//! Legal moves, and refusals of the others.
//!
//! A roll is listed as a set of cards with an ending. Bounds of the work: a colour has ten cards, so there are at most
//! 1,023 sets of one colour, and the counting criterion decides each ending of each in a fixed number of steps. A list
//! is put together only when its length is known: of more than [`LONGEST`] moves, those with trilithon cards are left
//! out.

use std::sync::LazyLock;

use super::moves::{Ending, Move, Place, Reverse, Roll};
use super::state::{Stage, State};
use super::track::{Direction, Way};
use crate::stonehenge::{Card, CardSet, Colour, Number, Stone};
use sarsen_rules::{Refusal, Seat};

/// A longer list goes without the moves that play trilithon cards.
pub(crate) const LONGEST: usize = 2000;

/// A set of number cards and how they end.
type Play = (CardSet, Ending);

static TRILITHONS: LazyLock<CardSet> = LazyLock::new(|| Card::trilithons().collect());

/// The number cards of each colour.
static OF_COLOUR: LazyLock<[CardSet; Colour::ALL.len()]> =
    LazyLock::new(|| Colour::ALL.map(|colour| Card::numbers().filter(|card| card.colour() == colour).collect()));

/// The moves of `seat`'s open decision.
/// Returns whether they are all.
pub(crate) fn moves_into(state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
    moves.clear();
    match (state.stage, state.boulder) {
        _ if state.actor() != Some(seat) => true,
        (Stage::Placing { .. }, _) => {
            let free = Stone::all().filter(|pit| state.pits.at(*pit).is_none());
            moves.extend(free.map(|pit| Move::Place(Place { pit })));
            true
        }
        (Stage::Turn(_), Some(boulder)) => turns(state.players[seat.index()].hand, boulder, state.direction(), moves),
        _ => true,
    }
}

/// Returns whether `seat` may make the move, and if not, which rule decides.
pub(crate) fn check(state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
    let refuse = |code, rule, field, detail: &'static str| Err(Refusal::new(code, rule, Some(field), detail));
    if state.actor() != Some(seat) {
        return Err(not_your_turn(state.stage));
    }
    let hand = state.players[seat.index()].hand;
    match (mv, state.stage, state.boulder) {
        (Move::Place(Place { pit }), Stage::Placing { .. }, _) => match state.pits.at(*pit) {
            None => Ok(()),
            Some(_) => refuse("occupied", "SR-04", "pit", "a sacrifice lies in this pit"),
        },
        (Move::Roll(roll), Stage::Turn(_), Some(boulder)) => check_roll(hand, boulder, state.direction(), roll),
        (Move::Reverse(reverse), Stage::Turn(_), _) => check_reverse(hand, *reverse),
        (Move::Place(_), ..) => refuse("no_placing", "2.3", "type", "all sacrifices have been placed"),
        _ => refuse("placing_due", "SR-04", "type", "a sacrifice has to be placed first"),
    }
}

/// The rule that decides whose turn it is, by the stage.
fn not_your_turn(stage: Stage) -> Refusal {
    let rule = match stage {
        Stage::Placing { .. } => "SR-03",
        Stage::Dealing | Stage::Turn(_) | Stage::Falling(_) | Stage::Drawing(_) => "3.1",
        Stage::Over => "6.1",
    };
    Refusal::new("not_your_turn", rule, None, "this seat has nothing to decide now")
}

/// Puts the legal moves of a turn with this hand into `moves`, which is empty; whether they are all.
fn turns(hand: CardSet, boulder: Number, direction: Direction, moves: &mut Vec<Move>) -> bool {
    let none = CardSet::EMPTY;
    plays(hand, boulder, direction, |_, cards, ending| {
        moves.push(Move::Roll(Roll { trilithons: none, cards, ending }));
    });
    let (trilithons, ahead) = (hand.common(*TRILITHONS), moves.len());
    if ahead == 0 {
        moves.extend(trilithons.iter().map(|trilithon| Move::Reverse(Reverse { trilithon })));
        return true;
    }
    if trilithons.is_empty() {
        return true;
    }
    let mut back: Vec<Play> = Vec::new();
    plays(hand, boulder, direction.turned(), |_, cards, ending| back.push((cards, ending)));
    let pairs = trilithons.len() * (trilithons.len() - 1) / 2;
    let more = ahead * pairs + back.len() * trilithons.len();
    if ahead + more > LONGEST {
        return false;
    }
    moves.reserve(more);
    for (index, first) in trilithons.iter().enumerate() {
        let one = CardSet::one(first);
        let turned = |(cards, ending): &Play| Move::Roll(Roll { trilithons: one, cards: *cards, ending: *ending });
        moves.extend(back.iter().map(turned));
        for second in trilithons.iter().skip(index + 1) {
            for place in 0..ahead {
                if let Move::Roll(roll) = moves[place] {
                    moves.push(Move::Roll(Roll { trilithons: one.with(second), ..roll }));
                }
            }
        }
    }
    true
}

/// Calls `each` with every set of number cards of one colour, its way, and every ending that some order of it brings
/// about: by colour, then by set.
pub(crate) fn plays(hand: CardSet, boulder: Number, direction: Direction, mut each: impl FnMut(Way, CardSet, Ending)) {
    for (colour, cards) in Colour::ALL.into_iter().zip(&*OF_COLOUR) {
        let held = hand.common(*cards);
        if !held.is_empty() {
            let way = Way::new(boulder, colour, direction);
            way.plays(held, |cards, ending| each(way, cards, ending));
        }
    }
}

/// The way of a roll's cards, if they are of one colour.
pub(crate) fn way(roll: &Roll, boulder: Number, direction: Direction) -> Option<Way> {
    let colour = roll.cards.iter().next()?.colour();
    let direction = if roll.trilithons.len() == 1 { direction.turned() } else { direction };
    roll.cards.iter().all(|card| card.colour() == colour).then(|| Way::new(boulder, colour, direction))
}

/// Returns whether this hand may make this roll.
fn check_roll(hand: CardSet, boulder: Number, direction: Direction, roll: &Roll) -> Result<(), Refusal> {
    let Roll { trilithons, cards, ending } = *roll;
    for (set, field) in [(trilithons, "trilithons"), (cards, "cards")] {
        if let Some(card) = set.minus(hand).iter().next() {
            return Err(Refusal::of("not_in_hand", "SR-11", field, format!("{card} is not in your hand")));
        }
    }
    if trilithons.len() > 2 {
        let detail = "at most two trilithon cards can be played in a turn";
        return Err(Refusal::new("too_many_trilithons", "SR-22", Some("trilithons"), detail));
    }
    if cards.is_empty() && !trilithons.is_empty() {
        let detail = "trilithon cards can be played only with number cards";
        return Err(Refusal::new("trilithon_alone", "SR-21", Some("cards"), detail));
    }
    if cards.is_empty() {
        return Err(Refusal::new("no_cards", "SR-11", Some("cards"), "a turn must play at least one number card"));
    }
    let Some(way) = way(roll, boulder, direction) else {
        return Err(Refusal::new(
            "mixed_colours",
            "SR-11",
            Some("cards"),
            "all number cards of a turn must have one colour",
        ));
    };
    if way.allows(cards, ending) { Ok(()) } else { Err(unordered(way, cards, ending)) }
}

const EARLY: &str = "in every order of these cards, one reaches its own number too early";

/// The reason why no order of the cards brings the ending about.
fn unordered(way: Way, cards: CardSet, ending: Ending) -> Refusal {
    let reached = u8::try_from(cards.len()).unwrap_or(u8::MAX).saturating_sub(1);
    let last = way.number(reached);
    let refuse = |code, rule, detail: String| Refusal::new(code, rule, Some("ending"), detail);
    match ending {
        Ending::Fall if cards.len() == 1 => {
            refuse("fall_needs_a_roll", "SR-14", "a card must roll the boulder before another makes it fall".to_owned())
        }
        Ending::Match if cards.iter().all(|card| card.number() != Some(last)) => {
            refuse("no_match", "SR-15", format!("the last roll would reach {last}, and no card has that number"))
        }
        Ending::Stop if way.allows(cards, Ending::Match) => {
            let detail = format!("a card reaches its own number, {last} at the latest, and there the boulder falls");
            refuse("match_forced", "SR-16", detail)
        }
        Ending::Stop | Ending::Match => refuse("early_match", "SR-17", EARLY.to_owned()),
        Ending::Fall => refuse("early_match", "SR-19", EARLY.to_owned()),
    }
}

/// Returns whether this hand may play `reverse` (SR-32).
fn check_reverse(hand: CardSet, reverse: Reverse) -> Result<(), Refusal> {
    if !hand.contains(reverse.trilithon) {
        let detail = format!("{} is not in your hand", reverse.trilithon);
        return Err(Refusal::of("not_in_hand", "SR-11", "trilithon", detail));
    }
    if hand.iter().any(|card| !card.is_trilithon()) {
        let detail = "a trilithon card can be played alone only from a hand without number cards";
        return Err(Refusal::new("trilithon_alone", "SR-32", Some("type"), detail));
    }
    Ok(())
}
