//! Moves, events and decisions in words for people.
//!
//! Invariant: the text of a move or an event is made from that move or event alone, so it tells a listener no more than the
//! JSON tells a reader.

use super::SacrificeRoulette;
use super::events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, DeckDepleted, DeckReshuffled, Event, FallCardDrawn, Hand,
    HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed, TurnBegun,
};
use super::moves::{Ending, Move, Place, Reverse, Roll};
use super::options::Options;
use super::state::{Stage, State};
use crate::stonehenge::Stone;
use crate::stonehenge::words::{card_name, card_names, day_or_night};
use sarsen_rules::phrases::{capital, counted, listed};
use sarsen_rules::{Prompt, PromptSource, Seat, Words};

impl Words for SacrificeRoulette {
    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        let Some(boulder) = state.boulder.filter(|_| !matches!(state.stage, Stage::Placing { .. })) else {
            return Prompt::of("place", "Place one of your sacrifices in an empty pit.");
        };
        let way = state.direction();
        let numbers = state.players[seat.index()].hand.iter().any(|card| card.number().is_some());
        let order = match numbers {
            true => "Roll the boulder with cards of one colour",
            false => "Play a trilithon card alone, for you hold no number card",
        };
        Prompt::of("roll", format!("{order}. It stands on {boulder} and rolls {way}."))
            .by(PromptSource::entry("piece", "boulder"))
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Place(Place { pit: stone }) => format!("Place a sacrifice in {}.", pit(*stone)),
            Move::Reverse(Reverse { trilithon }) => format!("Reverse the boulder with {}.", card_name(*trilithon)),
            Move::Roll(Roll { trilithons, cards, ending }) => {
                let turned = match trilithons.len() {
                    0 => String::new(),
                    1 => format!("Reverse the boulder with {}. ", card_names(trilithons.iter())),
                    _ => format!("Play {}, which cancel each other out. ", card_names(trilithons.iter())),
                };
                let names = card_names(cards.iter());
                let rolled = match (ending, cards.len()) {
                    (Ending::Stop, _) => format!("Roll the boulder with {names} and let it stop."),
                    (Ending::Match, _) => format!("Roll the boulder with {names} to a match, which makes it fall."),
                    (Ending::Fall, 0..=2) => {
                        format!("Play {names}: one rolls the boulder, then the other makes it fall.")
                    }
                    (Ending::Fall, _) => {
                        format!("Play {names}: all but one roll the boulder, then that one makes it fall.")
                    }
                };
                format!("{turned}{rolled}")
            }
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::SacrificesSetUp(SacrificesSetUp { seats, .. }) => {
                let share = |share: &SeatSacrifices| {
                    let SeatSacrifices { seat, colour, pits: lying, to_place } = share;
                    let one = format!("{colour} sacrifice");
                    let lying = counted(lying.len() as u64, &one, &format!("{one}s"));
                    format!("seat {seat} has {lying} in pits{}", more_to_place(" and ", *to_place))
                };
                format!("The sacrifices are set up: {}.", joined(seats.iter().map(share)))
            }
            Event::SacrificePlaced(SacrificePlaced { seat, pit: stone, to_place }) => {
                format!("Seat {seat} places a sacrifice in {}{}.", pit(*stone), more_to_place("; ", *to_place))
            }
            Event::BoulderSetUp(BoulderSetUp { card, boulder }) => {
                format!("{} is drawn: the boulder starts on {boulder}.", capital(&card_name(*card)))
            }
            Event::HandsDealt(HandsDealt { hands, .. }) => {
                format!("The hands are dealt: {}.", joined(hands.iter().map(hand)))
            }
            Event::TurnBegun(TurnBegun { seat, turn }) => format!("Turn {turn}: it is seat {seat}'s turn."),
            Event::TrilithonsPlayed(TrilithonsPlayed { seat, cards, direction, .. }) => {
                let (names, way) = (card_names(cards.iter()), direction);
                match cards.len() {
                    0 | 1 => format!("Seat {seat} plays {names}: the boulder now rolls {way}."),
                    _ => format!(
                        "Seat {seat} plays {names}: they cancel each other out, and the boulder still rolls {way}."
                    ),
                }
            }
            Event::BoulderRolled(BoulderRolled { seat, card, from, to, .. }) => {
                format!("Seat {seat} plays {}: the boulder rolls from {from} to {to}.", card_name(*card))
            }
            Event::BoulderFell(BoulderFell { boulder, card, .. }) => match card {
                Some(card) => format!("{} makes the boulder fall on {boulder}.", capital(&card_name(*card))),
                None => format!("The card matches, so the boulder falls on {boulder}."),
            },
            Event::FallCardDrawn(FallCardDrawn { card, pits: hit, .. }) => {
                format!("{} is drawn: the boulder hits {}.", capital(&card_name(*card)), pits(hit))
            }
            Event::PitEmptied(PitEmptied { pit: stone, colour, owner, taken_by, .. }) => {
                let whose = match owner {
                    Some(owner) if owner == taken_by => format!("its own {colour} sacrifice"),
                    Some(owner) => format!("seat {owner}'s {colour} sacrifice"),
                    None => format!("a neutral {colour} sacrifice"),
                };
                format!("Seat {taken_by} takes {whose} from {}.", pit(*stone))
            }
            Event::CardsDrawn(CardsDrawn { seat, count, cards, .. }) => match cards {
                Some(cards) => format!("Seat {seat} draws {}.", card_names(cards.iter().copied())),
                None => format!("Seat {seat} draws {}.", counted(*count, "card", "cards")),
            },
            Event::DeckDepleted(DeckDepleted { last, .. }) => match last {
                true => "The deck runs out for the last time, which ends the match.".to_owned(),
                false => "The deck runs out.".to_owned(),
            },
            Event::DeckReshuffled(DeckReshuffled { cards }) => {
                format!(
                    "The discards are shuffled into a new deck of {}.",
                    counted(cards.len() as u64, "card", "cards")
                )
            }
            Event::CardsRevealed(revealed) => {
                format!("The hands are revealed: {}.", joined(revealed.hands.iter().map(hand)))
            }
        }
    }
}

fn pit(stone: Stone) -> String {
    format!("the {} pit of {}", day_or_night(stone.day), stone.number)
}

/// The sacrifices that a seat still has to place, behind these words; nothing where it has none.
fn more_to_place(before: &str, count: u8) -> String {
    match count {
        0 => String::new(),
        1 => format!("{before}one more to place"),
        count => format!("{before}{count} more to place"),
    }
}

fn pits(stones: &[Stone]) -> String {
    if let [one, other] = stones
        && one.number == other.number
    {
        return format!("both pits of {}", one.number);
    }
    listed(&stones.iter().map(|stone| pit(*stone)).collect::<Vec<_>>())
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}

fn hand(Hand { seat, count, cards }: &Hand) -> String {
    match cards {
        Some(cards) => format!("seat {seat} has {}", card_names(cards.iter())),
        None => format!("seat {seat} has {}", counted(*count, "card", "cards")),
    }
}
