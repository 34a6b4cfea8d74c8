//! Moves and events in words that can be read aloud.
//!
//! Invariant: made from the move or the event alone, so a listener is told what a reader is.

use super::Absolution;
use super::events::{
    AbsolutionEnded, DoomedDruidMoved, Event, ExchangeFieldLaid, FieldCardExchanged, NumberDiskMoved, NumberMatched,
    NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt, ReadinessTold, ReplacementsDrawn,
    Ring, StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
use super::moves::{Exchange, Move, Nominate, Play};
use super::numbers::NumberSet;
use super::options::{FirstPlayer, Options};
use super::state::{Ending, State, Step};
use super::talk::{Ready, Wish, WishColour, Word};
use super::track::{Druid, Phase};
use crate::stonehenge::words::{counted, day_or_night, listed, spoken_card, spoken_cards};
use crate::stonehenge::{CardSet, Number};
use sarsen_rules::{Prompt, Seat, Words};

impl Words for Absolution {
    fn prompt(&self, state: &State, _seat: Seat) -> Prompt {
        if state.step == Step::Voting {
            return Prompt::of("nominate", "Nominate the seat that is to play Day 1.");
        }
        let (name, number) = (state.turn.phase().title(), state.number());
        let field = if state.exchanged { "" } else { ", or use the Exchange Field first" };
        let text = match state.rescue_pending() {
            true => format!("{name} {number}: only a match brings the Druid back from the altar{field}."),
            false => format!("{name} {number}: play cards that match {number}, or pass{field}."),
        };
        // The stone of the turn is named by the words alone: as a source it would have the name of a card that may be hidden.
        Prompt::of("turn", text)
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Nominate(Nominate { seat }) => format!("Nominate seat {seat} to play Day 1."),
            Move::Exchange(Exchange { give, take }) => {
                format!("Give {} to the Exchange Field and take {}.", spoken_card(*give), spoken_card(*take))
            }
            Move::Play(Play { cards }) => format!("Play {}.", spoken_cards(cards.iter())),
            Move::Pass(_) => "Pass.".to_owned(),
            Move::Wish(Wish { numbers, colours }) => format!("Wish for {}.", wishes(*numbers, colours)),
            Move::Ready(Ready { phase, number, word: said }) => {
                format!("Say that you stand {} for {}.", word(*said), turn(*phase, *number))
            }
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::FieldLaid(ExchangeFieldLaid { cards, pile_size }) => {
                let pile = counted(*pile_size, "card", "cards");
                format!("The Exchange Field is laid: {}. The pile has {pile}.", spoken_cards(cards.iter()))
            }
            Event::HandDealt(OpeningHandDealt { seat, count, cards }) => {
                format!("Seat {seat} is dealt {}.", drawn(*count, *cards))
            }
            Event::Nominated(StarterNominated { seat, nominee, .. }) => {
                format!("Seat {seat} nominates seat {nominee} to play Day 1.")
            }
            Event::Differed(_) => "The nominations differ: the second and last round of the vote begins.".to_owned(),
            Event::StarterFound(StarterFound { seat, by }) => {
                let by = match by {
                    FirstPlayer::Vote => "by the vote",
                    FirstPlayer::Random => "by lot",
                    FirstPlayer::Seat => "as was settled",
                };
                format!("Seat {seat} plays Day 1, {by}.")
            }
            Event::TurnBegun(TrackTurnBegun { seat, phase, number, rescue_pending }) => {
                let rescue = if *rescue_pending { " Only a match brings the Druid back." } else { "" };
                format!("{}: it is the turn of seat {seat}.{rescue}", turn(*phase, *number))
            }
            Event::Exchanged(FieldCardExchanged { seat, gave, took }) => {
                format!(
                    "Seat {seat} gives {} to the Exchange Field and takes {}.",
                    spoken_card(*gave),
                    spoken_card(*took)
                )
            }
            Event::Matched(NumberMatched { seat, phase, number, cards }) => {
                format!("Seat {seat} matches {} with {}.", turn(*phase, *number), spoken_cards(cards.iter()))
            }
            Event::Missed(NumberMissed { seat, phase, number }) => {
                format!("Seat {seat} passes: {} is missed.", turn(*phase, *number))
            }
            Event::Drawn(ReplacementsDrawn { seat, count, cards, pile_size }) => {
                format!("Seat {seat} draws {}. The pile has {pile_size} left.", drawn(*count, *cards))
            }
            Event::DruidMoved(DoomedDruidMoved { from, to }) => {
                format!("The Druid moves from {} to {}.", place(*from), place(*to))
            }
            Event::DiskMoved(NumberDiskMoved { number, disk, to, inner_pairs, outer_pairs }) => {
                let disk = day_or_night(*disk == Phase::Day);
                let ring = match to {
                    Ring::Inner => "inner",
                    Ring::Outer => "outer",
                };
                let pairs = format!("{} inside, {outer_pairs} outside", counted(*inner_pairs, "pair", "pairs"));
                format!("The {disk} disk of {number} moves to the {ring} ring: {pairs}.")
            }
            Event::TrilithonPlaced(NumberTrilithonPlaced { number }) => format!("A trilithon is put on {number}."),
            Event::TrilithonRemoved(NumberTrilithonRemoved { number }) => {
                format!("The trilithon is taken off {number}.")
            }
            Event::WishTold(WishTold { seat, numbers, colours, .. }) => {
                format!("Seat {seat} wishes for {}.", wishes(*numbers, colours))
            }
            Event::ReadinessTold(ReadinessTold { seat, phase, number, word: said, .. }) => {
                format!("Seat {seat} says that it stands {} for {}.", word(*said), turn(*phase, *number))
            }
            Event::Ended(AbsolutionEnded { ending, inner_pairs, .. }) => {
                let pairs = counted(*inner_pairs, "pair", "pairs");
                match ending {
                    Ending::Saved => format!("The Druid is saved: {pairs} on the inner ring."),
                    Ending::Sacrificed => "The Druid is sacrificed on the altar.".to_owned(),
                    Ending::TooFewPairs => format!("The Druid lives, but only {pairs} lie on the inner ring."),
                }
            }
        }
    }
}

fn turn(phase: Phase, number: Number) -> String {
    format!("{} {number}", phase.title())
}

fn wishes(numbers: NumberSet, colours: &[WishColour]) -> String {
    let numbers = numbers.iter().map(|number| number.to_string());
    listed(&numbers.chain(colours.iter().map(WishColour::to_string)).collect::<Vec<_>>())
}

fn place(druid: Druid) -> String {
    if druid.on_altar() { "the altar".to_owned() } else { druid.to_string() }
}

fn word(word: Word) -> &'static str {
    match word {
        Word::Great => "well",
        Word::Fair => "fairly",
        Word::Poor => "badly",
    }
}

fn drawn(count: u8, cards: Option<CardSet>) -> String {
    match cards {
        Some(cards) => format!("{}: {}", counted(count, "card", "cards"), spoken_cards(cards.iter())),
        None => counted(count, "card", "cards"),
    }
}
