//! Moves, events and decisions in words for people.
//!
//! Invariant: the text of a move or an event is made from that move or event alone, so it tells a listener no more than the
//! JSON tells a reader.

use super::ThiefOfTheSacredFire;
use super::detection::Reason;
use super::events::*;
use super::figures::{Druid, Figure};
use super::moves::{ChooseStart, GoTo, Move, TakeFire};
use super::options::Options;
use super::space::{Space, Spot};
use super::state::{Stage, State};
use crate::stonehenge::words::{card_name, day_or_night};
use sarsen_rules::phrases::{capital, counted, how_many, listed};
use sarsen_rules::{Prompt, PromptSource, Seat, Words};

impl Words for ThiefOfTheSacredFire {
    fn prompt(&self, state: &State, _seat: Seat) -> Prompt {
        let Some(thief) = state.thief.filter(|_| state.stage != Stage::ChoosingStart) else {
            return Prompt::of("start", "Choose where to set out: 30a or 1a.");
        };
        let here = space(thief.at);
        let text = match state.points() {
            0 => format!("You are on {here} without points, so you can only stay."),
            own if state.at_fire() => {
                format!("You are beside the fire on {here} with {}: stay for the capture, or move.", points(own))
            }
            own => format!("You are on {here} with {}: move or stay.", points(own)),
        };
        Prompt::of("walk", text).by(PromptSource::place(thief.at.to_string()))
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Start(ChooseStart { space: at }) => format!("Set out from {}.", space(*at)),
            Move::Go(GoTo { to }) => format!("Go to {}.", space(*to)),
            Move::Stay(_) => "Stay.".to_owned(),
            Move::Take(TakeFire { to }) => format!("Take the fire and go on to {}.", space(*to)),
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::DruidsSetUp(ThiefDruidsSetUp { druids, .. }) => {
                let one = |place: &ThiefDruidPlace| format!("{} on {}", place.druid, space(place.at));
                format!("The druids are set up: {}.", listed(&druids.iter().map(one).collect::<Vec<_>>()))
            }
            Event::DruidCardsDrawn(ThiefDruidCardsDrawn { cards }) => format!("Cards are drawn: {}.", dealt(cards)),
            Event::InnerDruidMoved(ThiefInnerDruidMoved { druid: of, from, steps, to, .. }) => {
                format!("The {} druid {}.", of, walked(*from, *to, steps))
            }
            Event::DeckShuffled(ThiefDeckShuffled { deck_size }) => {
                format!("The {deck_size} number cards are shuffled.")
            }
            Event::StartChosen(ThiefStartChosen { space: at }) => format!("The thief sets out from {}.", space(*at)),
            Event::FireRevealed(ThiefFireRevealed { card, trilithon, high_druid, to, .. }) => {
                let (card, fire, stone) = (capital(&card_name(*card)), space(*trilithon), space(*to));
                format!(
                    "{card} is drawn: the fire is on {fire}, and the {} druid becomes the High Druid on {stone}.",
                    high_druid
                )
            }
            Event::TurnDealt(ThiefTurnDealt { turn, cards, points: own }) => {
                format!("Turn {turn}: {}. The thief has {}.", dealt(cards), points(*own))
            }
            Event::HighDruidMoved(ThiefHighDruidMoved { from, steps, to, .. }) => {
                format!("The High Druid {}.", walked(*from, *to, steps))
            }
            Event::AlertnessLost(ThiefAlertnessLost { druid: of, reason, lost, left, .. }) => {
                let why = match reason {
                    Reason::Near => "the thief is near",
                    Reason::OnPath => "the thief is on the trilithon of its path",
                    Reason::InView => "the thief is on the trilithon in its view",
                    Reason::Watching => "it sees the thief",
                };
                let (of, lost, left) = (of, disks(*lost), how_many(*left));
                format!("The {of} druid loses {lost} because {why}, and has {left} left.")
            }
            Event::Moved(ThiefMoved { from, to, cost, points_left, progress_lost, .. }) => {
                let lost = match progress_lost {
                    0 => String::new(),
                    _ => " The capture will have to begin again.".to_owned(),
                };
                let (spent, left) = (points(*cost), how_many(*points_left));
                format!("The thief goes from {} to {} for {spent} and has {left} left.{lost}", space(*from), space(*to))
            }
            Event::Stayed(ThiefStayed { at }) => format!("The thief stays on {}.", space(*at)),
            Event::CaptureAdvanced(ThiefCaptureAdvanced { spent, progress, .. }) => {
                format!("The thief spends {} on the capture: {progress} of 4.", points(*spent))
            }
            Event::FireTaken(ThiefFireTaken { trilithon, .. }) => {
                format!("The thief takes the fire from {}.", space(*trilithon))
            }
            Event::FireBroughtHome(ThiefFireBroughtHome { space: home, turn }) => {
                format!("In turn {turn} the fire is brought home to {}: the match is won.", space(*home))
            }
            Event::Caught(ThiefCaught { met, alarmed, turn, .. }) => {
                let by = if met.is_empty() { druids(alarmed) } else { druids(met) };
                format!("In turn {turn} the thief is caught by {by}: the match is lost.")
            }
            Event::DawnCame(ThiefDawnCame { turn }) => format!("Dawn comes after turn {turn}: the match is lost."),
            Event::CardsDiscarded(_) => "The cards of this turn are discarded.".to_owned(),
            Event::DeckRevealed(ThiefDeckRevealed { cards }) => {
                format!("The rest of the deck is shown: {}.", counted(cards.len() as u64, "card", "cards"))
            }
        }
    }
}

fn druids(druids: &[Druid]) -> String {
    listed(&druids.iter().map(|of| format!("the {} druid", of)).collect::<Vec<_>>())
}

fn figure(figure: Figure) -> String {
    match figure {
        Figure::Thief => "the thief".to_owned(),
        druid => format!("the {druid} druid"),
    }
}

/// The name of a space within a sentence: its id, or a description in words for a stone.
fn space(at: Space) -> String {
    match at.spot() {
        Spot::Ring(_) => at.to_string(),
        Spot::Stone(stone) => format!("the {} stone of {}", day_or_night(stone.day), stone.number),
        Spot::Trilithon(_) => format!("trilithon {at}"),
        Spot::Bluestone(_) => format!("bluestone {at}"),
    }
}

fn dealt(cards: &[ThiefDealtCard]) -> String {
    let one = |ThiefDealtCard { card, figure: moved }: &ThiefDealtCard| {
        format!("{} for {}", card_name(*card), figure(*moved))
    };
    listed(&cards.iter().map(one).collect::<Vec<_>>())
}

fn disks(number: u8) -> String {
    counted(number, "disk", "disks")
}

fn points(number: u8) -> String {
    counted(number, "point", "points")
}

fn walked(from: Space, to: Space, steps: &[Space]) -> String {
    match steps {
        [] => format!("stays on {}", space(from)),
        steps => {
            format!("walks {} from {} to {}", counted(steps.len() as u64, "step", "steps"), space(from), space(to))
        }
    }
}
