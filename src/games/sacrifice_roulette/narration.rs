//! Moves and events in words that can be read aloud.
//!
//! Invariant: made from the move or the event alone, so a listener is told what a reader is.

use super::SacrificeRoulette;
use super::events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, DeckDepleted, DeckReshuffled, Event, FallCardDrawn, Hand,
    HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed, TurnBegun,
};
use super::moves::{Ending, Move, Place, Reverse, Roll};
use super::options::Options;
use super::state::{Stage, State};
use crate::stonehenge::Stone;
use crate::stonehenge::words::{capital, counted, day_or_night, listed, spoken_card, spoken_cards};
use sarsen_rules::{Prompt, PromptSource, Seat, Words};

impl Words for SacrificeRoulette {
    fn prompt(&self, state: &State, _seat: Seat) -> Prompt {
        let Some(boulder) = state.boulder.filter(|_| !matches!(state.stage, Stage::Placing { .. })) else {
            return Prompt::of("place", "Place one of your sacrifices in an unoccupied pit.");
        };
        let way = state.direction().word();
        let text = format!("Roll the boulder, which stands on {boulder} and rolls {way}, with cards of one colour.");
        Prompt::of("roll", text).by(PromptSource::entry("piece", "boulder"))
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Place(Place { pit: stone }) => format!("Place a sacrifice in {}.", pit(*stone)),
            Move::Reverse(Reverse { trilithon }) => format!("Turn the boulder round with {}.", spoken_card(*trilithon)),
            Move::Roll(Roll { trilithons, cards, ending }) => {
                let turned = match trilithons.is_empty() {
                    true => String::new(),
                    false => format!("Play {}. ", spoken_cards(trilithons.iter())),
                };
                let ending = match ending {
                    Ending::Stop => "and stop",
                    Ending::Match => "so that the last card matches and the boulder falls",
                    Ending::Fall => "and let the last card make it fall",
                };
                format!("{turned}Roll the boulder with {}, {ending}.", spoken_cards(cards.iter()))
            }
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::SacrificesSetUp(SacrificesSetUp { seats, .. }) => {
                let share = |share: &SeatSacrifices| {
                    let SeatSacrifices { seat, colour, pits: lying, to_place } = share;
                    let lying = counted(lying.len() as u64, "sacrifice lies", "sacrifices lie");
                    format!("of seat {seat}, {colour}, {lying} in pits and {to_place} are still to be placed")
                };
                format!("The sacrifices are set up: {}.", joined(seats.iter().map(share)))
            }
            Event::SacrificePlaced(SacrificePlaced { seat, pit: stone, to_place }) => {
                format!("Seat {seat} places a sacrifice in {}; {to_place} are left to place.", pit(*stone))
            }
            Event::BoulderSetUp(BoulderSetUp { card, boulder }) => {
                format!("{} is drawn: the boulder stands on {boulder}.", capital(&spoken_card(*card)))
            }
            Event::HandsDealt(HandsDealt { hands, .. }) => {
                format!("The hands are dealt: {}.", joined(hands.iter().map(hand)))
            }
            Event::TurnBegun(TurnBegun { seat, turn }) => format!("Turn {turn}, of seat {seat}."),
            Event::TrilithonsPlayed(TrilithonsPlayed { seat, cards, direction, .. }) => {
                let cards = spoken_cards(cards.iter());
                format!("Seat {seat} plays {cards}: the boulder rolls {}.", direction.word())
            }
            Event::BoulderRolled(BoulderRolled { seat, card, from, to, .. }) => {
                format!("Seat {seat} lays {}: the boulder rolls from {from} to {to}.", spoken_card(*card))
            }
            Event::BoulderFell(BoulderFell { boulder, card, .. }) => match card {
                Some(card) => format!("The boulder falls on {boulder}, by {}.", spoken_card(*card)),
                None => format!("The boulder falls on {boulder}."),
            },
            Event::FallCardDrawn(FallCardDrawn { card, pits: hit, .. }) => {
                format!("{} is drawn: it hits {}.", capital(&spoken_card(*card)), pits(hit))
            }
            Event::PitEmptied(PitEmptied { pit: stone, colour, owner, taken_by, .. }) => {
                let whose = match owner {
                    Some(owner) => format!("the {colour} sacrifice of seat {owner}"),
                    None => format!("a neutral {colour} sacrifice"),
                };
                format!("Seat {taken_by} takes {whose} out of {}.", pit(*stone))
            }
            Event::CardsDrawn(CardsDrawn { seat, count, cards, .. }) => match cards {
                Some(cards) => format!("Seat {seat} draws {}.", spoken_cards(cards.iter().copied())),
                None => format!("Seat {seat} draws {}.", counted(*count, "card", "cards")),
            },
            Event::DeckDepleted(DeckDepleted { last, .. }) => match last {
                true => "The deck is depleted for the last time: the match ends.".to_owned(),
                false => "The deck is depleted.".to_owned(),
            },
            Event::DeckReshuffled(DeckReshuffled { cards }) => {
                format!("The discards are shuffled: the new deck has {}.", counted(cards.len() as u64, "card", "cards"))
            }
            Event::CardsRevealed(revealed) => {
                format!("All cards are revealed: {}.", joined(revealed.hands.iter().map(hand)))
            }
        }
    }
}

fn pit(stone: Stone) -> String {
    format!("the {} pit of {}", day_or_night(stone.day), stone.number)
}

fn pits(stones: &[Stone]) -> String {
    listed(&stones.iter().map(|stone| pit(*stone)).collect::<Vec<_>>())
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}

fn hand(Hand { seat, count, cards }: &Hand) -> String {
    match cards {
        Some(cards) => format!("seat {seat} has {}", spoken_cards(cards.iter())),
        None => format!("seat {seat} has {}", counted(*count, "card", "cards")),
    }
}
