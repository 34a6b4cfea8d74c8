//! The legal moves of each decision (sections 3.2 and 9.3).

use super::feasibility::Means;
use crate::henge::components::{Action, Effect, LuckCard, Privilege};
use crate::henge::moves::{
    AdvanceTrack, ArriveStones, CarveStone, ChooseOption, ChooseSpring, DiscardLuck, DrawLuck, DropBonus, EndAction,
    FirstUpgrade, InstallStone, ListedStop, Move, Number, PlaceDruid, PlayLuck, QuarryStone, RaiseLevel, TakeIncome,
    TakeReward, TravelRondel, WalkRondel,
};
use crate::henge::state::{Act, Frame, Stage, State};
use sarsen_rules::Seat;

impl State {
    /// The legal moves of a seat: none unless it is to act.
    pub(crate) fn legal(&self, seat: Seat) -> Vec<Move> {
        match self.stage {
            Stage::Spring if self.undecided().contains(seat) => {
                let cards = self.person(seat).offer.iter();
                cards.map(|index| Move::Spring(ChooseSpring { card: self.equipment.set().bonus[index].id })).collect()
            }
            Stage::Upgrade { seat: next } if next == seat => {
                self.upgrades.iter().map(|privilege| Move::Upgrade(FirstUpgrade { privilege: *privilege })).collect()
            }
            Stage::Play if self.mover() == Some(seat) => self.decision().map_or(Vec::new(), |top| self.at(seat, top)),
            _ => Vec::new(),
        }
    }

    /// The moves of the decision on top.
    fn at(&self, seat: Seat, top: &Frame) -> Vec<Move> {
        let person = self.person(seat);
        let equipment = &self.equipment;
        match top {
            Frame::Move { free_steps, double_transport } => self.stops(seat, *free_steps, *double_transport),
            Frame::Action(act) => self.units_and_cards(seat, act),
            Frame::Discard { left } => {
                let cards = self.discardable(seat, *left).into_iter();
                cards.map(|card| Move::Discard(DiscardLuck { card: equipment.luck(card).id })).collect()
            }
            Frame::Drop { .. } => {
                let spring = person.spring.iter().map(|card| card.index());
                let cards = spring.chain(person.end_of_game_cards.iter());
                cards.map(|index| Move::Drop(DropBonus { card: equipment.set().bonus[index].id })).collect()
            }
            Frame::Reward { pool } => {
                let tiles = self.pool(*pool).face_up.iter();
                tiles.map(|tile| Move::Reward(TakeReward { tile: equipment.set().rewards[tile.index()].id })).collect()
            }
            Frame::Level => Privilege::ALL.into_iter().map(|privilege| Move::Level(RaiseLevel { privilege })).collect(),
            Frame::Choose { list, at } => {
                let options = match equipment.effects(*list).get(usize::from(*at)) {
                    Some(Effect::Choose { of }) => of.len() as u8,
                    _ => 0,
                };
                let numbers = (1..=options).filter_map(Number::new);
                numbers.map(|option| Move::Choose(ChooseOption { option })).collect()
            }
            Frame::Track => {
                let cards = person.hand.iter().map(|index| equipment.set().luck[index].id);
                let tracks = cards.map(|card| Move::Track(AdvanceTrack { card }));
                tracks.chain([Move::Done(EndAction {})]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns where the pawn may go (4.1, 4.2): on foot, by token; then the cards that may be played before.
    fn stops(&self, seat: Seat, free_steps: u16, double_transport: bool) -> Vec<Move> {
        let person = self.person(seat);
        let mut moves = Vec::new();
        for steps in self.lap() {
            let Some(walks) = self.walks(seat, steps, free_steps, double_transport) else { break };
            moves.extend(walks.map(|action| Move::Rondel(WalkRondel::new(steps, action))));
        }
        if person.travel_tokens > 0 {
            for steps in self.lap() {
                let travels = self.feasible_at(seat, steps, person.coins, 0);
                moves.extend(travels.map(|action| Move::Travel(TravelRondel::new(steps, action))));
            }
        }
        let cards = person.hand.iter().map(|index| &self.equipment.set().luck[index]);
        moves.extend(cards.filter(|row| row.plays_before_move()).map(|row| Move::Luck(PlayLuck { card: row.id })));
        moves
    }

    /// Returns whether [`State::legal`] lists the move. A walk or a travel, of which there are many, is judged by itself.
    pub(crate) fn is_listed(&self, seat: Seat, mv: &Move) -> bool {
        let top = self.decision().filter(|_| self.stage == Stage::Play && self.mover() == Some(seat));
        let within_lap = |steps: Number| steps.get() <= self.equipment.set().rondel.len();
        match (mv, top) {
            (Move::Rondel(walk), Some(&Frame::Move { free_steps, double_transport })) if within_lap(walk.steps) => {
                let mut walks = self.walks(seat, walk.steps, free_steps, double_transport).into_iter().flatten();
                walks.any(|action| action == walk.action)
            }
            (Move::Travel(travel), Some(Frame::Move { .. })) if within_lap(travel.steps) => {
                let person = self.person(seat);
                let mut travels = self.feasible_at(seat, travel.steps, person.coins, 0);
                person.travel_tokens > 0 && travels.any(|action| action == travel.action)
            }
            _ => self.legal(seat).contains(mv),
        }
    }

    /// The most steps that the pawn may move: once around.
    fn lap(&self) -> impl Iterator<Item = Number> {
        (1..=self.equipment.set().rondel.len()).map_while(Number::new)
    }

    /// The actions to which the pawn may walk by this number of steps; `None` if the seat cannot pay for them.
    fn walks(
        &self,
        seat: Seat,
        steps: Number,
        free_steps: u16,
        double_transport: bool,
    ) -> Option<impl Iterator<Item = Action>> {
        let person = self.person(seat);
        let price = self.walk_price(person, steps.get(), free_steps)?;
        let advance = self.walk_transport(steps.get(), double_transport);
        Some(self.feasible_at(seat, steps, person.coins - price, advance))
    }

    /// A legal move of the seat as its list has it, where that says more than the move: a walk or a travel with where it
    /// ends and what it costs.
    pub(crate) fn listed(&self, seat: Seat, mv: &Move) -> Option<ListedStop> {
        let stop = |steps: Number| self.equipment.set().rondel.ahead(self.pawn, steps.get()).number();
        match (mv, self.top()) {
            (Move::Rondel(walk), Some(Frame::Move { free_steps, .. })) => {
                let price = self.walk_price(self.person(seat), walk.steps.get(), *free_steps)?;
                Some(ListedStop::walk(*walk, stop(walk.steps), price))
            }
            (Move::Travel(travel), _) => Some(ListedStop::travel(*travel, stop(travel.steps))),
            _ => None,
        }
    }

    /// The actions of the step so far ahead that can be begun.
    fn feasible_at(&self, seat: Seat, steps: Number, coins: u16, advance: u8) -> impl Iterator<Item = Action> {
        let stop = self.equipment.set().rondel.ahead(self.pawn, steps.get());
        let local = self.equipment.area_of(stop);
        let actions = self.equipment.actions_of(stop).iter().copied();
        actions.filter(move |action| self.feasible(seat, *action, local, coins, advance))
    }

    fn units_and_cards(&self, seat: Seat, act: &Act) -> Vec<Move> {
        let mut moves = self.options(seat, act);
        if act.is_sub_action || act.units > 0 || moves.is_empty() {
            moves.push(Move::Done(EndAction {}));
        }
        moves
    }

    /// The units and cards that are possible now; in a sub-action what the guard leaves of them.
    fn options(&self, seat: Seat, act: &Act) -> Vec<Move> {
        let mut moves = self.units(seat, act);
        let cards = self.luck_window(seat, act);
        moves.extend(cards.map(|card| Move::Luck(PlayLuck { card: self.equipment.luck(card).id })));
        if act.is_sub_action { self.guard(seat, moves) } else { moves }
    }

    /// Returns whether any unit of the action on top may be done now.
    pub(crate) fn any_unit(&self, seat: Seat) -> bool {
        match self.top() {
            Some(Frame::Action(act)) if act.is_sub_action => {
                self.options(seat, act).iter().any(|mv| !matches!(mv, Move::Luck(_)))
            }
            Some(Frame::Action(act)) => Means::actual(self, seat, act).any(),
            _ => false,
        }
    }

    /// The units that are possible now, the guard left aside.
    fn units(&self, seat: Seat, act: &Act) -> Vec<Move> {
        let means = Means::actual(self, seat, act);
        if !means.any() {
            return Vec::new();
        }
        let equipment = &self.equipment;
        match act.action {
            Action::Income => vec![Move::Income(TakeIncome {})],
            Action::Luck => vec![Move::Draw(DrawLuck {})],
            Action::Arrive => vec![Move::Arrive(ArriveStones {})],
            Action::Quarry => {
                let numbers = means.positions().filter_map(|position| Number::new(position as u8 + 1));
                numbers.map(|position| Move::Quarry(QuarryStone { position })).collect()
            }
            Action::Carve => {
                means.carvable().map(|stone| Move::Carve(CarveStone { stone: equipment.stone(stone).id })).collect()
            }
            Action::Druid => means.areas().map(|area| Move::Druid(PlaceDruid { area })).collect(),
            Action::Install => means
                .installs()
                .map(|(stone, slot)| {
                    Move::Install(InstallStone { stone: equipment.stone(stone).id, slot: equipment.slot(slot).id })
                })
                .collect(),
        }
    }

    /// Returns whether the main action has begun and not ended.
    pub(crate) fn in_main_action(&self) -> bool {
        self.stack.iter().any(|frame| matches!(frame, Frame::Action(act) if !act.is_sub_action))
    }

    /// The cards of the hand that may be played in the action on top (H-34, H-36).
    pub(crate) fn luck_window(&self, seat: Seat, act: &Act) -> impl Iterator<Item = LuckCard> {
        let equipment = &self.equipment;
        let (action, is_sub_action) = (act.action, act.is_sub_action);
        let in_main = self.in_main_action();
        let hand = self.person(seat).hand;
        hand.iter().map(|index| LuckCard(index as u8)).filter(move |card| {
            let row = equipment.luck(*card);
            if is_sub_action { in_main && row.plays_in_sub(action) } else { row.plays_in(action) }
        })
    }
}
