//! The turn flow of a match: the set-up, the chance steps up to the thief's decision, and what the decision brings about,
//! told by events.

use super::detection::sightings;
use super::events::*;
use super::figures::{DRUIDS, Druid, Figure};
use super::moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
use super::options::Options;
use super::patrol::{bluestones_end, stones_walked, walk_bluestones, walk_stones};
use super::reach::Reach;
use super::space::{Space, Spot, TRILITHONS};
use super::state::{CAPTURE, DISKS, Dealt, Ending, Fire, Stage, State, Thief};
use super::{ThiefOfTheSacredFire, legal};
use crate::stonehenge::{Card, Face, Number, Pile, Stone};
use sarsen_rules::{Audience, Dice, Legal, MalformedOptions, Refusal, Rules, Seat, SeatCount, Status, read_options};
use serde_json::value::RawValue;

/// The night stones where the druids begin.
const FIRST_STONES: [u8; DRUIDS] = [5, 9, 16, 22, 26];

/// The match up to the choice of a start.
pub(crate) fn set_up(options: Options, dice: &mut Dice) -> (State, Vec<Event>) {
    let mut disks = Druid::ALL;
    dice.shuffle(&mut disks);
    let mut druids: [Space; DRUIDS] =
        FIRST_STONES.map(|number| Space::stone(Stone { number: Number::in_column(number - 1), day: false }));
    dice.shuffle(&mut druids);
    let mut state = State {
        options,
        stage: Stage::ChoosingStart,
        turn: 0,
        druids,
        // One disk of each colour is on a capstone.
        alertness: [DISKS - 1; DRUIDS],
        outbound: true,
        capstones: disks.map(Some),
        fire: None,
        thief: None,
        dealt: Vec::new(),
        pile: Pile::shuffled(Card::numbers().collect(), dice),
    };
    let place = |druid: Druid| ThiefDruidPlace { druid, at: state.druids[druid.index()] };
    let placed = ThiefDruidsSetUp { capstones: state.shown_capstones(), druids: Druid::ALL.map(place).to_vec() };
    let mut events = vec![Event::DruidsSetUp(placed)];

    let cards: Vec<Dealt> = state.walking_order().into_iter().filter_map(|druid| state.deal(druid.into())).collect();
    let shown = cards.iter().map(|dealt| dealt.shown()).collect();
    events.push(Event::DruidCardsDrawn(ThiefDruidCardsDrawn { cards: shown }));
    cards.into_iter().for_each(|dealt| state.move_inner_druid(dealt, &mut events));
    state.shuffle(dice, &mut events);
    (state, events)
}

impl Dealt {
    fn shown(self) -> ThiefDealtCard {
        ThiefDealtCard { card: self.0, figure: self.1 }
    }
}

impl State {
    /// T1 to T5 with their disks.
    pub(crate) fn shown_capstones(&self) -> Vec<ThiefCapstone> {
        let capstone = |(index, disk)| ThiefCapstone { trilithon: Space::trilithon(index), disk };
        (0..TRILITHONS).zip(self.capstones).map(capstone).collect()
    }

    /// The inner druids from N1 clockwise (TH-24, TH-25).
    pub(crate) fn walking_order(&self) -> Vec<Druid> {
        self.in_walking_order().collect()
    }

    fn in_walking_order(&self) -> impl Iterator<Item = Druid> + use<> {
        let high = self.fire.map(|fire| fire.high_druid);
        let mut order = Druid::ALL;
        order.sort_unstable_by_key(|druid| (Some(*druid) == high, self.druids[druid.index()]));
        order.into_iter().filter(move |druid| Some(*druid) != high)
    }

    fn shuffle(&mut self, dice: &mut Dice, events: &mut impl Audience<Event>) {
        self.pile = Pile::shuffled(Card::numbers().collect(), dice);
        let deck_size = self.pile.len() as u8;
        events.tell(|| Event::DeckShuffled(ThiefDeckShuffled { deck_size }));
    }

    fn deal(&mut self, figure: Figure) -> Option<Dealt> {
        self.pile.draw().map(|card| Dealt(card, figure))
    }

    fn move_inner_druid(&mut self, Dealt(card, figure): Dealt, events: &mut impl Audience<Event>) {
        let Some(druid) = Druid::ALL.into_iter().find(|druid| Figure::from(*druid) == figure) else { return };
        let from = self.druids[druid.index()];
        let Spot::Stone(stone) = from.spot() else { return };
        let to = stones_walked(stone, card, &self.druids).last().unwrap_or(from);
        events.tell(|| {
            let walk = walk_stones(stone, card, &self.druids);
            let moved = ThiefInnerDruidMoved { druid, card, from, steps: walk.steps, to, pushed: walk.pushed };
            Event::InnerDruidMoved(moved)
        });
        self.druids[druid.index()] = to;
    }

    /// The trilithon card (TH-04).
    fn reveal_fire(&mut self, dice: &mut Dice, events: &mut impl Audience<Event>) {
        let drawn = Card::trilithons().nth(dice.below(u32::from(TRILITHONS)) as usize);
        let Some(card) = drawn else { return };
        let Face::Trilithon(colour) = card.face() else { return };
        let Some(high_druid) = Druid::of(colour) else { return };
        let index = self.capstones.iter().position(|disk| *disk == Some(high_druid)).unwrap_or_default();
        let trilithon = Space::trilithon(index as u8);
        self.fire = Some(Fire { trilithon, high_druid });
        for (_, disk) in self.capstones.iter_mut().enumerate().filter(|(place, _)| *place != index) {
            if let Some(druid) = disk.take() {
                self.alertness[druid.index()] += 1;
            }
        }
        let from = std::mem::replace(&mut self.druids[high_druid.index()], Space::FIRST_BLUESTONE);
        self.outbound = true;
        self.stage = Stage::Dealing;
        events.tell(|| {
            let pile = |druid: Druid| ThiefPile { druid, disks: self.alertness[druid.index()] };
            Event::FireRevealed(ThiefFireRevealed {
                card,
                trilithon,
                high_druid,
                from,
                to: Space::FIRST_BLUESTONE,
                heading: self.heading(),
                alertness: Druid::ALL.map(pile).to_vec(),
            })
        });
    }

    /// The end for which the High Druid heads.
    pub(crate) fn heading(&self) -> Space {
        if self.outbound { Space::LAST_BLUESTONE } else { Space::FIRST_BLUESTONE }
    }

    /// Steps 1 to 4.
    fn begin_turn(&mut self, dice: &mut Dice, events: &mut impl Audience<Event>) {
        let Some(fire) = self.fire else { return };
        self.turn += 1;
        if self.pile.is_empty() {
            self.shuffle(dice, events);
        }
        let high = Figure::from(fire.high_druid);
        self.dealt.clear();
        for figure in self.in_walking_order().map(Figure::from).chain([high, Figure::Thief]) {
            let dealt = self.deal(figure);
            self.dealt.extend(dealt);
        }
        events.tell(|| {
            let cards = self.dealt.iter().map(|dealt| dealt.shown()).collect();
            Event::TurnDealt(ThiefTurnDealt { turn: self.turn, cards, points: self.points() })
        });
        for index in 0..self.dealt.len() {
            if self.dealt[index].1 != high {
                self.move_inner_druid(self.dealt[index], events);
            }
        }
        self.move_high_druid(fire.high_druid, events);
        self.stage = Stage::Moving;
        self.detect(Detection::First, events);
    }

    fn move_high_druid(&mut self, druid: Druid, events: &mut impl Audience<Event>) {
        let from = self.druids[druid.index()];
        let card = self.dealt.iter().find(|dealt| dealt.1 == Figure::from(druid)).map(|dealt| dealt.0);
        let (Some(card), Spot::Bluestone(number)) = (card, from.spot()) else { return };
        let (before, (to, outbound)) = (self.outbound, bluestones_end(number, self.outbound, card));
        self.druids[druid.index()] = to;
        self.outbound = outbound;
        events.tell(|| {
            let (walk, _) = walk_bluestones(number, before, card);
            let heading = self.heading();
            Event::HighDruidMoved(ThiefHighDruidMoved { druid, card, from, steps: walk.steps, to, heading })
        });
    }

    /// One detection: all disks are removed first, then it is seen whether the thief is caught (TH-39 to TH-41).
    fn detect(&mut self, detection: Detection, events: &mut impl Audience<Event>) {
        let (Some(thief), Some(fire)) = (self.thief, self.fire) else { return };
        let mut met = Vec::new();
        for sighting in sightings(&self.druids, fire.high_druid, thief.at) {
            let pile = &mut self.alertness[sighting.druid.index()];
            let lost = sighting.disks.min(*pile);
            *pile -= lost;
            if sighting.range == 0 {
                met.push(sighting.druid);
            } else {
                let left = *pile;
                events.tell(|| {
                    Event::AlertnessLost(ThiefAlertnessLost {
                        detection,
                        druid: sighting.druid,
                        reason: sighting.reason,
                        range: sighting.range,
                        lost,
                        left,
                    })
                });
            }
        }
        let alarmed: Vec<Druid> = Druid::ALL.into_iter().filter(|druid| self.alertness[druid.index()] == 0).collect();
        if !met.is_empty() || !alarmed.is_empty() {
            self.stage = Stage::Ending(Ending::Caught);
            events.tell(|| Event::Caught(ThiefCaught { detection, met, alarmed, turn: self.turn }));
        }
    }

    /// Goes there with `points` and answers what is left of them.
    fn walk(&mut self, to: Space, points: u8, events: &mut impl Audience<Event>) -> u8 {
        let Some(thief) = &mut self.thief else { return 0 };
        let reach = Reach::towards(thief.at, to, points, &self.druids);
        let cost = reach.cost(to).unwrap_or(points);
        let from = std::mem::replace(&mut thief.at, to);
        let progress_lost = std::mem::take(&mut thief.progress);
        let points_left = points - cost;
        events.tell(|| Event::Moved(ThiefMoved { from, steps: reach.way(to), to, cost, points_left, progress_lost }));
        points_left
    }

    /// Spends up to `points` on the capture where the fire is, and answers what is left (TH-20, TH-22).
    fn capture(&mut self, points: u8, events: &mut impl Audience<Event>) -> u8 {
        let at_fire = self.at_fire();
        let Some(thief) = self.thief.as_mut().filter(|_| at_fire && points > 0) else { return points };
        let spent = points.min(CAPTURE - thief.progress);
        thief.progress += spent;
        let trilithon = thief.at;
        if thief.progress < CAPTURE {
            let progress = thief.progress;
            events.tell(|| Event::CaptureAdvanced(ThiefCaptureAdvanced { trilithon, spent, progress }));
        } else {
            (thief.progress, thief.has_fire) = (0, true);
            self.capstones.iter_mut().for_each(|disk| *disk = None);
            events.tell(|| Event::FireTaken(ThiefFireTaken { trilithon, spent }));
        }
        points - spent
    }

    /// Steps 6 and 7, unless the fire is home.
    fn end_turn(&mut self, events: &mut impl Audience<Event>) {
        if let Some(thief) = self.thief.filter(|thief| thief.has_fire && thief.at == thief.start) {
            self.stage = Stage::Ending(Ending::FireHome);
            events.tell(|| Event::FireBroughtHome(ThiefFireBroughtHome { space: thief.at, turn: self.turn }));
            return;
        }
        self.detect(Detection::Second, events);
        if self.ending().is_some() {
            return;
        }
        if self.turn >= self.options.turn_limit {
            self.stage = Stage::Ending(Ending::Dawn);
            events.tell(|| Event::DawnCame(ThiefDawnCame { turn: self.turn }));
            return;
        }
        events.tell(|| {
            let cards = self.dealt.iter().map(|dealt| dealt.0).collect();
            Event::CardsDiscarded(ThiefCardsDiscarded { cards })
        });
        self.dealt.clear();
        self.stage = Stage::Dealing;
    }
}

impl Rules for ThiefOfTheSacredFire {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        options.check()
    }

    fn setup(&self, options: &Options, _seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        set_up(*options, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn has_options(&self, state: &State, options: &Options) -> bool {
        state.options == *options
    }

    fn seat_count(&self, _state: &State) -> SeatCount {
        SeatCount::ONE
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves);
        true
    }

    fn check(&self, state: &State, _seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        match *mv.mv() {
            Move::Start(ChooseStart { space }) => {
                state.thief = Some(Thief { start: space, at: space, progress: 0, has_fire: false });
                state.stage = Stage::RevealingFire;
                events.tell(|| Event::StartChosen(ThiefStartChosen { space }));
                return;
            }
            Move::Go(GoTo { to }) => {
                let left = state.walk(to, state.points(), events);
                state.capture(left, events);
            }
            Move::Stay(StayHere {}) => {
                if let Some(thief) = state.thief {
                    events.tell(|| Event::Stayed(ThiefStayed { at: thief.at }));
                }
                state.capture(state.points(), events);
            }
            Move::Take(TakeFire { to }) => {
                let left = state.capture(state.points(), events);
                state.walk(to, left, events);
            }
        }
        state.end_turn(events);
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice, events: &mut impl Audience<Event>) {
        match state.stage {
            Stage::RevealingFire => state.reveal_fire(dice, events),
            Stage::Dealing => state.begin_turn(dice, events),
            Stage::Ending(ending) => {
                state.stage = Stage::Over(ending);
                events.tell(|| {
                    let cards = state.pile.cards().iter().rev().copied().collect();
                    Event::DeckRevealed(ThiefDeckRevealed { cards })
                });
            }
            Stage::ChoosingStart | Stage::Moving | Stage::Over(_) => {}
        }
    }
}
