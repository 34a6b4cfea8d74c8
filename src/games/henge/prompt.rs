//! Prompts: the decision on top of the stack, and the card, chit, step or track space that asks for it.

use super::components::place_ids::{luck_track, place_id, step};
use super::components::words::{action, key};
use super::components::{Action, List};
use super::state::{Act, Frame, Stage, State};
use sarsen_rules::{Prompt, PromptSource, Seat};

impl State {
    /// The prompt for `seat`, which is to act.
    pub(crate) fn prompt(&self, seat: Seat) -> Prompt {
        match (self.stage, self.decision()) {
            (Stage::Spring, _) => {
                Prompt::of("spring", format!("Keep one of your {} Spring cards.", self.person(seat).offer.len()))
            }
            (Stage::Upgrade { .. }, _) => Prompt::of("upgrade", "Take one of the remaining First Upgrades."),
            (_, Some(top)) => self.asked_by(seat, top),
            _ => Prompt::of("action", "Act."),
        }
    }

    fn asked_by(&self, seat: Seat, top: &Frame) -> Prompt {
        match top {
            Frame::Move { free_steps, .. } => {
                let free = self.free_steps(self.person(seat), *free_steps);
                let text = match free {
                    0 => "Move the pawn and name an action; no step is free.".to_owned(),
                    1 => "Move the pawn and name an action; the first step is free.".to_owned(),
                    free => format!("Move the pawn and name an action; the first {free} steps are free."),
                };
                Prompt::of("move", text).by(self.pawn_step())
            }
            Frame::Action(act) => {
                let source = if act.is_sub_action { self.effect_below() } else { None };
                Prompt::of("action", unit(act)).by(source.unwrap_or_else(|| self.pawn_step()))
            }
            Frame::Discard { left } => self.of_effect("discard", cards_due("Discard", "Luck", *left)),
            Frame::Drop { left } => self.of_effect("drop", cards_due("Drop", "Bonus", *left)),
            Frame::Reward { pool } => self.of_effect("reward", format!("Take a face-up reward of pool {pool:?}.")),
            Frame::Level => self.of_effect("level", "Name the privilege to raise.".to_owned()),
            Frame::Choose { list, .. } => {
                let options = self.option_words();
                let numbered = (1..).zip(&options).map(|(number, words): (u32, _)| format!("({number}) {words}"));
                let text = format!("Choose one: {}", numbered.collect::<Vec<_>>().join(" "));
                Prompt { source: self.printed_on(*list), ..Prompt::of("choose", text) }
            }
            Frame::Track => {
                let next = self.person(seat).luck_steps.saturating_add(1);
                let text = "Give up a Luck card for the next benefit of your Luck track, or end the turn.";
                Prompt::of("track", text).by(PromptSource::entry(luck_track::KIND, place_id(luck_track::KIND, next)))
            }
            _ => Prompt::of("action", "Act."),
        }
    }

    fn pawn_step(&self) -> PromptSource {
        PromptSource::place(place_id(step::KIND, self.pawn.number()))
    }

    fn of_effect(&self, kind: &'static str, text: String) -> Prompt {
        Prompt { source: self.effect_below(), ..Prompt::of(kind, text) }
    }

    /// The source of the effects to which the decision on top belongs.
    fn effect_below(&self) -> Option<PromptSource> {
        // A draw may lie between an effect and the discard that it asks for. No effect asks for a main action.
        let below = self.stack.iter().rev().skip(1).take_while(|frame| !matches!(frame, Frame::Action(_)));
        let mut lists = below.filter_map(|frame| match frame {
            Frame::Effects { list, .. } => Some(*list),
            _ => None,
        });
        lists.next().and_then(|list| self.printed_on(list))
    }

    fn printed_on(&self, list: List) -> Option<PromptSource> {
        let set = self.equipment.set();
        let (kind, id) = key(set, set.lists.source(list)?);
        Some(PromptSource::entry(kind, id))
    }
}

/// The order to give up a card of a kind, and the number of cards where there are more.
fn cards_due(order: &str, kind: &str, left: u8) -> String {
    match left {
        0 | 1 => format!("{order} a {kind} card."),
        left => format!("{order} {left} {kind} cards, one at a time."),
    }
}

/// The next unit of an action, as an order.
fn unit(act: &Act) -> String {
    let what = match act.action {
        Action::Income => "take your income",
        Action::Luck => "draw Luck cards",
        Action::Quarry => "buy a stone",
        Action::Carve => "carve a stone",
        Action::Druid => "place a druid",
        Action::Install => "install a stone",
        Action::Arrive => "deliver your stones",
    };
    let may_end = act.units > 0 || act.is_sub_action;
    format!("{} action: {what}{}.", action(act.action), if may_end { ", or finish" } else { "" })
}
