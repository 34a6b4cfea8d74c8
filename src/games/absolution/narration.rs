//! Moves, events and decisions in words for people.
//!
//! Invariant: the text of a move or an event is made from that move or event alone, so it tells a listener no more than the
//! JSON tells a reader.

use super::Absolution;
use super::events::{
    AbsolutionEnded, DoomedDruidMoved, Event, ExchangeFieldLaid, FieldCardExchanged, NumberDiskMoved, NumberMatched,
    NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt, ReadinessTold, ReplacementsDrawn,
    StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
use super::moves::{Exchange, Move, Nominate, Play};
use super::numbers::NumberSet;
use super::options::{FirstPlayer, Options};
use super::state::{Ending, State, Step};
use super::talk::{Ready, Wish, WishColour};
use super::track::{Druid, Phase};
use crate::stonehenge::words::{card_name, card_names, day_or_night};
use crate::stonehenge::{CardSet, Number};
use sarsen_rules::phrases::{counted, how_many, listed};
use sarsen_rules::{Prompt, Seat, Words};

impl Words for Absolution {
    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        if state.step == Step::Voting {
            return Prompt::of("nominate", "Nominate a seat to play Day 1.");
        }
        let (name, number) = (state.turn.phase().title(), state.number());
        let text = match (state.players[seat.index()].hand.is_empty(), state.rescue_pending()) {
            (true, _) => format!("{name} {number}: your hand is empty, so you can only pass."),
            (false, true) => format!("{name} {number}: only a match brings the Druid back from the altar."),
            (false, false) => format!("{name} {number}: match {number} with one or two cards, or pass."),
        };
        let may_exchange = !state.exchanged && !state.players[seat.index()].hand.is_empty();
        let text = if may_exchange { format!("{text} You may exchange a card with the Field first.") } else { text };
        // The stone of the turn is named by the words alone: as a source it would have the name of a card that may be hidden.
        Prompt::of("turn", text)
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Nominate(Nominate { seat }) => format!("Nominate seat {seat} to play Day 1."),
            Move::Exchange(Exchange { give, take }) => {
                format!("Give {} to the Exchange Field and take {}.", card_name(*give), card_name(*take))
            }
            Move::Play(Play { cards }) => format!("Play {}.", card_names(cards.iter())),
            Move::Pass(_) => "Pass.".to_owned(),
            Move::Wish(Wish { numbers, colours }) => format!("Wish for {}.", wishes(*numbers, colours)),
            Move::Ready(Ready { phase, number, word: said }) => {
                format!("Call your hand {said} for {}.", turn(*phase, *number))
            }
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::FieldLaid(ExchangeFieldLaid { cards, pile_size }) => {
                format!("The Exchange Field is laid out: {}. {}", card_names(cards.iter()), pile(*pile_size))
            }
            Event::HandDealt(OpeningHandDealt { seat, count, cards }) => {
                format!("Seat {seat} is dealt {}.", drawn(*count, *cards))
            }
            Event::Nominated(StarterNominated { seat, nominee, .. }) => {
                format!("Seat {seat} nominates seat {nominee} to play Day 1.")
            }
            Event::Differed(_) => "The nominations differ. A second and last round of the vote begins.".to_owned(),
            Event::StarterFound(StarterFound { seat, by }) => {
                let by = match by {
                    FirstPlayer::Vote => "wins the vote",
                    FirstPlayer::Random => "is drawn by lot",
                    FirstPlayer::Seat => "was chosen beforehand",
                };
                format!("Seat {seat} {by} and plays Day 1.")
            }
            Event::TurnBegun(TrackTurnBegun { seat, phase, number, rescue_pending }) => {
                let rescue = if *rescue_pending { " Only a match brings the Druid back from the altar." } else { "" };
                format!("{}: it is seat {seat}'s turn.{rescue}", turn(*phase, *number))
            }
            Event::Exchanged(FieldCardExchanged { seat, gave, took }) => {
                format!("Seat {seat} gives {} to the Exchange Field and takes {}.", card_name(*gave), card_name(*took))
            }
            Event::Matched(NumberMatched { seat, phase, number, cards }) => {
                format!("Seat {seat} matches {} with {}.", turn(*phase, *number), card_names(cards.iter()))
            }
            Event::Missed(NumberMissed { seat, phase, number }) => {
                format!("Seat {seat} passes on {}.", turn(*phase, *number))
            }
            Event::Drawn(ReplacementsDrawn { seat, count, cards, pile_size }) => {
                format!("Seat {seat} draws {}. {}", drawn(*count, *cards), pile(*pile_size))
            }
            Event::DruidMoved(DoomedDruidMoved { from, to }) => {
                format!("The Druid moves from {} to {}.", place(*from), place(*to))
            }
            Event::DiskMoved(NumberDiskMoved { number, disk, to, inner_pairs, outer_pairs }) => {
                let disk = day_or_night(*disk == Phase::Day);
                let (inner, outer) = (counted(*inner_pairs, "pair", "pairs"), how_many(*outer_pairs));
                format!(
                    "The {disk} disk of {number} moves to the {to} ring: {inner} on the inner ring, {outer} on the outer."
                )
            }
            Event::TrilithonPlaced(NumberTrilithonPlaced { number }) => format!("A trilithon is raised on {number}."),
            Event::TrilithonRemoved(NumberTrilithonRemoved { number }) => {
                format!("The trilithon on {number} is taken down.")
            }
            Event::WishTold(WishTold { seat, numbers, colours, .. }) => {
                format!("Seat {seat} wishes for {}.", wishes(*numbers, colours))
            }
            Event::ReadinessTold(ReadinessTold { seat, phase, number, word: said, .. }) => {
                format!("Seat {seat} calls its hand {said} for {}.", turn(*phase, *number))
            }
            Event::Ended(AbsolutionEnded { ending, inner_pairs, .. }) => match (ending, *inner_pairs) {
                (Ending::Sacrificed, _) => "The Druid is sacrificed on the altar.".to_owned(),
                (Ending::Saved, pairs) => {
                    format!("The Druid is saved, with {} on the inner ring.", counted(pairs, "pair", "pairs"))
                }
                (Ending::TooFewPairs, 0) => "The Druid lives, but the inner ring has no pairs.".to_owned(),
                (Ending::TooFewPairs, pairs) => {
                    format!("The Druid lives, but the inner ring has only {}.", counted(pairs, "pair", "pairs"))
                }
            },
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

fn pile(size: u8) -> String {
    match size {
        0 => "The pile is empty.".to_owned(),
        size => format!("The pile has {} left.", counted(size, "card", "cards")),
    }
}

fn drawn(count: u8, cards: Option<CardSet>) -> String {
    match cards {
        Some(cards) if count > 0 => format!("{}: {}", counted(count, "card", "cards"), card_names(cards.iter())),
        _ => counted(count, "card", "cards"),
    }
}
