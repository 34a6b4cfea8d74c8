//! Refusals of illegal moves, each with its ruling and the fault. They say nothing that the seat cannot see.

use super::feasibility::{Hindrance, Means, Obstacle};
use crate::henge::components::{Action, Effect, Id};
use crate::henge::moves::{Move, Number};
use crate::henge::state::{Act, Equipment, Frame, Stage, State};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Refusal, Seat};

impl State {
    /// Returns whether a seat that is to act may make the move.
    ///
    /// # Errors
    /// The ruling that it breaks.
    pub(crate) fn check(&self, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        if self.is_listed(seat, mv) {
            return Ok(());
        }
        Err(self.refusal(seat, mv))
    }

    fn refusal(&self, seat: Seat, mv: &Move) -> Refusal {
        match (self.stage, mv) {
            (Stage::Spring, _) if !self.undecided().contains(seat) => not_your_turn(),
            (Stage::Spring, Move::Spring(_)) => {
                Refusal::of("not_offered", "2.2", "card", "this Spring card was not offered to you")
            }
            (Stage::Spring, _) => Refusal::of("spring_due", "H-08", "type", "a Spring card has to be chosen first"),
            (Stage::Upgrade { seat: next }, _) if next != seat => not_your_turn(),
            (Stage::Upgrade { .. }, Move::Upgrade(_)) => {
                Refusal::of("upgrade_gone", "H-11", "privilege", "this First Upgrade has been taken")
            }
            (Stage::Upgrade { .. }, _) => {
                Refusal::of("upgrade_due", "2.2", "type", "a First Upgrade has to be taken first")
            }
            (Stage::Play, _) if self.mover() == Some(seat) => match self.decision() {
                Some(top) => self.refusal_at(seat, top, mv),
                None => not_your_turn(),
            },
            _ => not_your_turn(),
        }
    }

    fn refusal_at(&self, seat: Seat, top: &Frame, mv: &Move) -> Refusal {
        match (top, mv) {
            (Frame::Move { free_steps, double_transport }, Move::Rondel(walk)) => {
                let steps = walk.steps;
                let price = self.walk_price(self.person(seat), steps.get(), *free_steps);
                match price.filter(|_| steps.get() <= self.equipment.set().rondel.len()) {
                    Some(price) => {
                        let coins = self.person(seat).coins - price;
                        let advance = self.walk_transport(steps.get(), *double_transport);
                        self.stop_refusal(seat, steps, walk.action, coins, advance)
                    }
                    None if steps.get() > self.equipment.set().rondel.len() => too_far("H-14"),
                    None => Refusal::of(
                        "cannot_afford",
                        "H-14",
                        "steps",
                        "a walk of so many steps costs more coins than you have",
                    ),
                }
            }
            (Frame::Move { .. }, Move::Travel(travel)) => {
                let person = self.person(seat);
                if person.travel_tokens == 0 {
                    Refusal::of("no_token", "4.1", "type", "you have no travel token")
                } else if travel.steps.get() > self.equipment.set().rondel.len() {
                    too_far("H-15")
                } else {
                    self.stop_refusal(seat, travel.steps, travel.action, person.coins, 0)
                }
            }
            (Frame::Move { .. } | Frame::Action(_), Move::Luck(play)) => self.luck_refusal(seat, top, &play.card),
            (Frame::Action(act), _) => self.unit_refusal(seat, act, mv),
            (Frame::Discard { .. }, Move::Discard(discard)) => {
                if self.has_in_hand(seat, &discard.card) {
                    needed()
                } else {
                    not_in_hand()
                }
            }
            (Frame::Drop { .. }, Move::Drop(_)) => {
                Refusal::of("not_held", "H-38", "card", "you do not hold this Bonus card")
            }
            (Frame::Reward { .. }, Move::Reward(_)) => {
                Refusal::of("not_face_up", "1.2", "tile", "this chit does not lie face up in the pool")
            }
            (Frame::Choose { list, at }, Move::Choose(_)) => {
                let most = match self.equipment.effects(*list).get(usize::from(*at)) {
                    Some(Effect::Choose { of }) => of.len(),
                    _ => 0,
                };
                Refusal::of("no_such_option", "1.2", "option", format!("the options are 1 to {most}"))
            }
            // Every card of the hand may be given up: with a full track there is no such decision (H-36).
            (Frame::Track, Move::Track(_)) => not_in_hand(),
            (Frame::Track, Move::Luck(_)) => {
                Refusal::of("window_closed", "H-35", "type", "the action has ended: no Luck card can be played")
            }
            (_, Move::Luck(_)) => {
                Refusal::of("window_closed", "H-34", "type", "no Luck card can be played during this decision")
            }
            (Frame::Reward { .. } | Frame::Level | Frame::Choose { .. }, Move::Done(_)) => {
                Refusal::of("not_optional", "H-61", "type", "a gain cannot be refused")
            }
            (_, Move::Done(_)) => Refusal::of("not_optional", "3.3", "type", "this decision cannot be passed over"),
            _ => Refusal::of("other_decision_due", "3.1", "type", format!("{} is due", due(top))),
        }
    }

    /// The reason why the pawn may not stop that far ahead for this action.
    fn stop_refusal(&self, seat: Seat, steps: Number, action: Action, coins: u16, advance: u8) -> Refusal {
        let stop = self.equipment.set().rondel.ahead(self.pawn, steps.get());
        if !self.equipment.actions_of(stop).contains(&action) {
            let detail = format!("step {} does not show {}", stop.number(), action.into_str());
            return Refusal::of("action_not_there", "H-17", "action", detail);
        }
        if action == Action::Arrive {
            return Refusal::of("nothing_in_transit", "H-18", "action", "no stone of yours would be in transit there");
        }
        let means = self.means_at(seat, action, self.equipment.area_of(stop), coins, advance);
        means.hindrance().unwrap_or(Hindrance::CannotPay).refusal(&self.equipment)
    }

    fn has_in_hand(&self, seat: Seat, id: &Id) -> bool {
        let card = self.equipment.set().find_luck(id);
        card.is_some_and(|card| self.person(seat).hand.contains(card.index()))
    }

    fn luck_refusal(&self, seat: Seat, top: &Frame, id: &Id) -> Refusal {
        if !self.has_in_hand(seat, id) {
            return not_in_hand();
        }
        match top {
            Frame::Move { .. } => {
                Refusal::of("window_closed", "H-34", "card", "this card cannot be played before the pawn moves")
            }
            Frame::Action(act) => {
                let card = self.equipment.set().find_luck(id);
                if card.is_some_and(|card| self.luck_window(seat, act).any(|open| open == card)) {
                    return needed();
                }
                if self.in_main_action() {
                    Refusal::of("window_closed", "H-34", "card", "this card cannot be played in this action")
                } else {
                    Refusal::of(
                        "window_closed",
                        "H-36",
                        "card",
                        "the main action has ended: no Luck card can be played",
                    )
                }
            }
            _ => Refusal::of("window_closed", "H-34", "type", "no Luck card can be played now"),
        }
    }

    fn unit_refusal(&self, seat: Seat, act: &Act, mv: &Move) -> Refusal {
        let means = Means::actual(self, seat, act);
        let set = self.equipment.set();
        let obstacle = |found: Result<(), Obstacle>, field| match found {
            Err(obstacle) => obstacle.refusal(&self.equipment, act, field),
            Ok(()) => needed(),
        };
        match (act.action, mv) {
            (Action::Quarry, Move::Quarry(buy)) => {
                obstacle(means.purchase(usize::from(buy.position.get()) - 1).map(drop), "position")
            }
            (Action::Carve, Move::Carve(carve)) => {
                let stone = set.find_stone(&carve.stone).ok_or(Obstacle::NotYours);
                obstacle(stone.and_then(|stone| means.carving(stone)).map(drop), "stone")
            }
            (Action::Druid, Move::Druid(druid)) => obstacle(means.druid(druid.area).map(drop), "area"),
            (Action::Install, Move::Install(install)) => {
                let stone = set.find_stone(&install.stone).ok_or(Obstacle::NotYours);
                let Some(slot) = self.equipment.side().find(&install.slot) else {
                    return Refusal::of("unknown_slot", "4.7", "slot", "this board side has no such slot");
                };
                let found = stone.and_then(|stone| means.install(stone, slot));
                let field = match found {
                    Err(Obstacle::NotYours | Obstacle::InTransit) => "stone",
                    _ => "slot",
                };
                obstacle(found.map(drop), field)
            }
            (Action::Income, Move::Income(_)) | (Action::Luck, Move::Draw(_)) | (Action::Arrive, Move::Arrive(_)) => {
                Refusal::of("limit_reached", "4.4", "type", "this action can be done only once")
            }
            (_, Move::Done(_)) => {
                Refusal::of("unit_due", "3.3", "type", "the action was chosen, so its first unit must be done")
            }
            _ => Refusal::of(
                "other_decision_due",
                "3.1",
                "type",
                format!("the {} action is under way", act.action.into_str()),
            ),
        }
    }
}

impl Obstacle {
    /// The obstacle to a unit of an action as a refusal of a field.
    fn refusal(self, equipment: &Equipment, act: &Act, field: &'static str) -> Refusal {
        match self {
            Obstacle::CannotAfford { price } => {
                let rule = match act.action {
                    Action::Carve if act.is_sub_action => "H-57",
                    Action::Carve => "4.5",
                    Action::Druid => "H-26",
                    _ => "H-24",
                };
                let price = counted(price, "coin", "coins");
                Refusal::of("cannot_afford", rule, field, format!("it costs {price}, more than you have"))
            }
            Obstacle::LimitReached { .. } if act.is_sub_action => {
                Refusal::of("limit_reached", "H-57", "type", "the limit of this sub-action is used up")
            }
            Obstacle::LimitReached { level_raised } => {
                let rule = match act.action {
                    _ if level_raised => "H-42",
                    Action::Druid => "H-27",
                    _ => "4.5",
                };
                Refusal::of("limit_reached", rule, "type", "the limit of this action is used up")
            }
            Obstacle::NoSuchPosition => {
                Refusal::of("no_such_position", "4.5", field, "the quarry has no such position")
            }
            Obstacle::EmptyPosition => Refusal::of("empty_position", "H-12", field, "no stone lies at this position"),
            Obstacle::StorageFull => Refusal::of("storage_full", "H-23", field, "you cannot store another stone"),
            Obstacle::NotYours => {
                let rule = if act.action == Action::Carve { "4.5" } else { "4.7" };
                Refusal::of("not_your_stone", rule, field, "this is not an uninstalled stone of yours")
            }
            Obstacle::AlreadyCarved => Refusal::of("already_carved", "4.5", field, "this stone is already carved"),
            Obstacle::NoDruids => Refusal::of("no_druids_left", "H-28", field, "all your druids have been placed"),
            Obstacle::PathFull => Refusal::of("path_full", "H-28", field, "the path of this area is full"),
            Obstacle::OutOfReach => {
                let rule = match act.action {
                    _ if act.is_sub_action => "H-57",
                    Action::Druid => "H-27",
                    _ => "4.7",
                };
                Refusal::of(
                    "out_of_reach",
                    rule,
                    field,
                    "it is too far from the pawn's area for the reach that is left",
                )
            }
            Obstacle::InTransit => Refusal::of("in_transit", "4.7", field, "this stone is still in transit"),
            Obstacle::SlotTaken => Refusal::of("slot_taken", "4.7", field, "a stone stands in this slot"),
            Obstacle::WrongSize => {
                Refusal::of("wrong_size", size_rule(equipment), field, "the slot takes stones of the other size")
            }
            Obstacle::NotCarved { size_ignored } => {
                Refusal::of("not_carved", need_rule(size_ignored), field, "the slot needs a carved stone")
            }
            Obstacle::UprightsMissing { size_ignored } => Refusal::of(
                "uprights_missing",
                need_rule(size_ignored),
                field,
                "a lintel needs both its uprights to stand",
            ),
        }
    }
}

impl Hindrance {
    /// The hindrance as a refusal of the action named with a move of the pawn.
    fn refusal(self, equipment: &Equipment) -> Refusal {
        let (code, rule, detail) = match self {
            Hindrance::StorageFull => ("storage_full", "H-23", "you could not store another stone there"),
            Hindrance::QuarryEmpty => ("quarry_empty", "H-12", "no stone lies in the quarry"),
            Hindrance::NothingToCarve => ("nothing_to_carve", "H-25", "you have no uninstalled stone"),
            Hindrance::AllCarved => ("nothing_to_carve", "4.5", "all your uninstalled stones are already carved"),
            Hindrance::NoDruids => ("no_druids_left", "H-28", "all your druids have been placed"),
            Hindrance::PathsFull => ("path_full", "H-28", "no path in reach of that step has a free space"),
            Hindrance::NothingDelivered => ("nothing_delivered", "4.7", "no stone of yours would be delivered there"),
            Hindrance::NoSlotInReach => ("out_of_reach", "4.7", "no slot is in reach of that step"),
            Hindrance::NoEmptySlot => ("no_empty_slot", "4.7", "all slots in reach of that step are taken"),
            Hindrance::NoSizeFits => (
                "wrong_size",
                size_rule(equipment),
                "no empty slot in reach of that step takes the size of a delivered stone of yours",
            ),
            Hindrance::NoneCarved { size_ignored } => (
                "not_carved",
                need_rule(size_ignored),
                "the empty slots that your delivered stones fit, in reach of that step, need carved stones",
            ),
            Hindrance::CannotPay => {
                ("cannot_afford", "H-09", "this action would cost more coins than you would have there")
            }
        };
        Refusal::of(code, rule, "action", detail)
    }
}

/// Returns what asks for sizes to agree: on a board side with the size exception the ruling that says when they need not.
fn size_rule(equipment: &Equipment) -> &'static str {
    if equipment.side().size_exception { "H-32" } else { "4.7" }
}

/// Returns what asks for carved stones and for uprights: where size is ignored, the ruling that says that they are needed
/// still.
fn need_rule(size_ignored: bool) -> &'static str {
    if size_ignored { "H-32" } else { "4.7" }
}

fn not_in_hand() -> Refusal {
    Refusal::of("not_in_hand", "4.8", "card", "this Luck card is not in your hand")
}

fn not_your_turn() -> Refusal {
    Refusal::new("not_your_turn", "3.1", None, "this seat has nothing to decide now")
}

fn too_far(rule: &'static str) -> Refusal {
    Refusal::of("too_far", rule, "steps", "the pawn can go one full lap at most")
}

fn needed() -> Refusal {
    Refusal::of("needed_for_action", "H-10", "type", "after this the main action could no longer be begun for certain")
}

fn due(top: &Frame) -> &'static str {
    match top {
        Frame::Move { .. } => "a move of the pawn",
        Frame::Action(_) => "a unit of an action",
        Frame::Discard { .. } => "the discard of a Luck card",
        Frame::Drop { .. } => "the drop of a Bonus card",
        Frame::Reward { .. } => "the choice of a chit",
        Frame::Level => "the choice of a privilege",
        Frame::Choose { .. } => "the choice of an option",
        Frame::Track => "a card for the Luck track, or `done`,",
        _ => "something else",
    }
}
