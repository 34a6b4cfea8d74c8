//! Steps in any order, by any clock: every version is made again from the log as it was stored, each bank to the
//! millisecond, and the record is verified. Planted faults are found.
//!
//! There is no store, and time stands where the test puts it: often right before a deadline, on it, or behind it.

use std::sync::Arc;

use test_kit::environment::CONFORMANCE_MATCHES;

use super::*;
use crate::export::export;
use crate::export::format::ExportStep;
use crate::feed::redacted::tell;
use crate::model::bots::SeatedBot;
use crate::model::clock::{ClockTerms, CreditReason, OnTimeout, SeatClock, WantedClock};
use crate::model::fairness::ServerSeed;
use crate::model::invite::StoredInvite;
use crate::model::log::Action;
use crate::model::terms::{Creation, Terms};
use crate::table::earlier::Earlier;
use crate::table::log_codec::{Logged, written};
use crate::table::replay::replay;
use sarsen_games::AnyGame;
use sarsen_games::bots::Level;
use sarsen_games::fixture::FIXTURE;

/// The number of steps tried in a match, and the numbers of matches by each clock: more of a short game.
const STEPS: usize = 70;
const ROUNDS: u32 = 2;
const ROUNDS_SHORT: u32 = 10;

/// A match at one of its versions.
struct Version {
    live: LiveMatch,
    entry: LogEntry,
    logged: Vec<u8>,
    stored: Value,
}

/// A match that is played, with all that it ever was.
struct Table {
    name: String,
    versions: Vec<Version>,
    now: Timestamp,
    dice: Dice,
    people: u128,
}

/// As many bytes as a seed has.
fn bytes(seed: u32) -> [u8; 32] {
    std::array::from_fn(|at| seed.to_le_bytes()[at % 4])
}

fn stored(live: &LiveMatch) -> Value {
    serde_json::from_slice(&live.duplicate().encode().unwrap()).unwrap()
}

/// All that an entry of this match says.
fn json(live: &LiveMatch, entry: &LogEntry) -> Value {
    let action = match &entry.cause {
        Cause::Creation(_) => "\"create\"".to_owned(),
        Cause::Action(action) => serde_json::to_string(action).unwrap(),
    };
    let events = texts(&tell(&*live.game, entry, Viewer::Omniscient).unwrap());
    let action: Value = serde_json::from_str(&action).unwrap();
    json!({"v": entry.version, "t": entry.at, "a": action, "e": events, "n": entry.to_act, "s": entry.stamp.to_string()})
}

fn all_games() -> Games {
    Games::standard(GameSettings::default()).with(FIXTURE)
}

impl Table {
    fn new(
        game: &Arc<dyn AnyGame>,
        seats: SeatCount,
        bot: Option<Seat>,
        clock: Option<ClockTerms>,
        seed: u32,
    ) -> Table {
        let info = game.info();
        let name = format!("{} of {seats:?}, bot {bot:?}, clock {clock:?}, seed {seed}", info.id);
        let options = if info.id == "fixture" { json!({"rounds": 3}) } else { Value::Null };
        let terms = Terms {
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            options: game.options(&options, seats).unwrap(),
            visibility: Visibility::Public,
            invite: None,
            start: StartMode::WhenFull,
            move_time_seconds: None,
            expires_in_seconds: None,
            bots: bot.map(|seat| SeatedBot { seat, level: Level::Easy, version: 1 }).into_iter().collect(),
            hints: Some(true),
            undo: None,
            table: TableTerms::default(),
            clock,
            rated: false,
        };
        let free = |seat: &Seat| bot != Some(*seat);
        let mut table = Table {
            name,
            versions: Vec::new(),
            now: Timestamp(1_800_000_000_000),
            dice: Dice::new(DiceSeed(bytes(seed))),
            people: 0,
        };
        let creator = table.person();
        let creation = Creation {
            terms: Arc::new(terms),
            seats,
            seat: seats.seats().find(free),
            creator: Some(creator),
            paired: Vec::new(),
            position: None,
        };
        let secret = ServerSeed::from_revealed(&hex::encode(bytes(seed))).unwrap();
        let id = MatchId::from_number(u128::from(seed));
        let (live, entry) = LiveMatch::create(Arc::clone(game), id, secret, creation, table.now).unwrap();
        table.keep(live, entry);
        for seat in seats.seats().filter(free).skip(1) {
            let player = table.person();
            let entropy = Some(entropy("oak"));
            assert!(table.take(Action::Join { seat, player, entropy }), "{}", table.name);
        }
        table
    }

    fn person(&mut self) -> Seated {
        self.people += 1;
        Seated::person(PlayerId::from_number(self.people), format!("Player {}", self.people))
    }

    fn live(&self) -> &LiveMatch {
        &self.versions.last().unwrap().live
    }

    fn is_played(&self) -> bool {
        self.live().stored.stage == Stage::Playing
    }

    fn keep(&mut self, live: LiveMatch, entry: LogEntry) {
        let (logged, stored) = (written(&entry, &live).unwrap(), stored(&live));
        for seat in live.seat_count().seats() {
            let Some(clock) = live.clock(seat) else { continue };
            assert!(clock.bank_milliseconds() >= 0, "{}: {clock:?}", self.name);
            let asked = live.stored.stage == Stage::Playing && live.asks_player(seat).is_some();
            assert_eq!(clock.turn_started_at().is_some(), asked, "{}: seat {seat} at {}", self.name, entry.version);
        }
        self.versions.push(Version { live, entry, logged, stored });
    }

    /// Does something that may be refused; answers whether it was done.
    fn take(&mut self, action: Action) -> bool {
        let live = self.live();
        let said = format!("{action:?}");
        let taken = live.goes_back_to(&action).and_then(|to| {
            let then = to.map(|version| &self.versions[version as usize - 1].live);
            let mut next = live.duplicate();
            let entry = next.take_step_back(action, live.moment(self.now), then)?;
            Ok((next, entry))
        });
        match taken {
            Ok((next, entry)) => {
                self.keep(next, entry);
                true
            }
            Err(Refused::Unreadable(fault)) => panic!("{}: {said}: {fault:?}", self.name),
            Err(_) => false,
        }
    }

    /// The clock of a seat has run out; now and then there was an outage.
    fn run_out(&mut self, seat: Seat) {
        let (live, now) = (self.live(), self.live().moment(self.now));
        let lasted = live.clock(seat).and_then(SeatClock::unexcused_since).map_or(0, |since| now.0 - since.0);
        let action = if lasted > 0 && self.dice.below(6) == 0 {
            let milliseconds = i64::from(1 + self.dice.below(lasted.min(20_000) as u32));
            Action::ClockCredit { seats: vec![seat], milliseconds, reason: CreditReason::Outage, by: None }
        } else {
            Action::Timeout { seat, consequence: self.live().consequence(seat).unwrap() }
        };
        assert!(self.take(action), "{}", self.name);
    }

    /// Time goes by, and the service does what it does by itself.
    fn wait(&mut self) {
        let mut until = self.now.0 + i64::from([0, 0, 250, 900, 2_000, 5_000, 9_000][self.dice.below(7) as usize]);
        let live = self.live();
        let deadline = live.seat_count().seats().filter_map(|seat| live.deadline(seat)).min();
        // Before all have moved a match is called off; that is tried as well, if not as often.
        let moved = live.stored.seats.iter().all(|seat| seat.clock.is_none_or(|clock| clock.has_moved()));
        if let Some(deadline) = deadline
            && self.dice.below(if moved { 8 } else { 60 }) == 0
        {
            let behind = [-1, 0, 999, 1_000, 1_001, 1_999, 2_000, 9_000][self.dice.below(8) as usize];
            until = until.max(deadline.0 + behind);
        }
        self.now = Timestamp(until);
        while let Some(seat) = self.live().overdue(self.now) {
            self.run_out(seat);
        }
    }

    /// A move of a seat, which has one that is legal.
    fn make_move(&mut self, seat: Seat) {
        let (live, bot) = (self.live(), self.live().bot(seat).is_some());
        let moves = legal(live, seat);
        let (game, mut next) = (Arc::clone(&live.game), live.duplicate());
        let at = live.moment(self.now);
        let first = moves.first().cloned();
        let Some(notation) = self.dice.one_of(moves) else { return };
        let is_first = first.as_ref() == Some(&notation);
        let mv = game.read_move(&MoveInput::Notation(notation.clone())).unwrap();
        let cut = bot && mv.needs_turn && is_first;
        match next.play_marked(seat, mv, at, cut) {
            Ok(entry) => self.keep(next, entry),
            Err(refused) => panic!("{}: {notation} is legal: {refused:?}", self.name),
        }
    }

    /// A move of whoever is to act, unless somebody is late.
    fn play(&mut self) {
        let acting = self.live().to_act().iter().collect();
        let seat = self.dice.one_of(acting).unwrap();
        match self.live().first_late(seat, self.now) {
            Some(late) => self.run_out(late),
            None => self.make_move(seat),
        }
    }

    /// A word of a seat that is not to act, if it may say one.
    fn speak(&mut self, seat: Seat) {
        if !self.live().to_act().contains(seat) {
            self.make_move(seat);
        }
    }

    fn undo(&mut self) {
        let live = self.live();
        let own = live.to_act().iter().find_map(|seat| Some((seat, live.free_undo(seat)?)));
        let Some((seat, free)) = own else { return };
        assert!(live.asks_player(seat).is_some(), "{}: a bot plays for seat {seat}", self.name);
        let versions = live.stored.version - free.earliest_version;
        let to_version = free.earliest_version + u64::from(self.dice.below(versions as u32));
        let (before, own) = (self.banks(), self.live().clock(seat).copied());
        assert!(self.take(Action::Undo { seat, to_version }), "{}", self.name);
        assert_eq!(self.live().clock(seat).copied(), own, "{}: an undo stays within the turn", self.name);
        assert_eq!(self.banks(), before, "{}: an undo costs nobody anything", self.name);
    }

    fn banks(&self) -> Vec<Option<i64>> {
        let bank = |clock: SeatClock| clock.bank_milliseconds();
        self.live().stored.seats.iter().map(|seat| seat.clock.map(bank)).collect()
    }

    /// Offers a takeback as far back as may be, or nearer; mostly all agree.
    fn take_back(&mut self, seat: Seat) {
        let live = self.live();
        let (version, barrier) = (live.stored.version, live.stored.undo.barrier(live.stored.version).version);
        let to_version = barrier + u64::from(self.dice.below(1 + (version - barrier) as u32));
        self.take(Action::OfferTakeback { seat, to_version });
        if self.dice.below(3) > 0 {
            for seat in self.people_at_table() {
                self.take(Action::AcceptTakeback { seat });
            }
        }
    }

    fn give(&mut self, by: Seat, to: Seat) {
        let milliseconds = 1_000 * i64::from(5 + self.dice.below(60));
        let (seats, reason) = (vec![to], CreditReason::Given);
        self.take(Action::ClockCredit { seats, milliseconds, reason, by: Some(by) });
    }

    /// Somebody new takes over a seat.
    fn hand_on(&mut self, seat: Seat) {
        let (hash, until) = (self.people.to_string(), self.now.plus_seconds(60));
        let invite =
            StoredInvite { hash: hash.clone(), seat: Some(seat), substitutes: true, while_away: false, left: 1, until };
        let player = self.person();
        if self.take(Action::Invite { invite }) && self.dice.below(3) > 0 {
            self.take(Action::Substitute { seat, player, hash: Some(hash) });
        }
    }

    fn people_at_table(&self) -> Vec<Seat> {
        let live = self.live();
        let sits = |seat: &Seat| {
            let stored = &live.stored.seats[seat.index()];
            stored.player.is_some() && !stored.resigned
        };
        live.seat_count().seats().filter(sits).collect()
    }

    fn step(&mut self) {
        let people = self.people_at_table();
        let seat = self.dice.one_of(people.clone()).unwrap();
        let other = self.dice.one_of(people).unwrap();
        let version = self.live().stored.version as u32;
        let to_version = 1 + u64::from(self.dice.below(version));
        let action = match self.dice.below(40) {
            0 => return self.speak(seat),
            1..=3 => return self.undo(),
            4..=6 => return self.take_back(seat),
            7 | 8 => return self.give(seat, other),
            9 if self.dice.below(2) == 0 => return self.hand_on(seat),
            10 => Action::Undo { seat, to_version },
            11 => Action::AcceptTakeback { seat },
            12 => Action::DeclineTakeback { seat },
            13 => Action::OfferDraw { seat },
            14 => Action::DeclineDraw { seat },
            15 if self.dice.below(4) == 0 => Action::AcceptDraw { seat },
            16 | 17 => Action::Return { seat },
            18 => Action::Hint { seat },
            19 if self.dice.below(6) == 0 => Action::Resign { seat },
            _ => return self.play(),
        };
        self.take(action);
    }

    /// Plays, and brings the match to an end.
    fn play_out(&mut self) {
        for _ in 0..STEPS {
            self.wait();
            if !self.is_played() {
                return;
            }
            self.step();
            if !self.is_played() {
                return;
            }
        }
        while self.is_played() {
            let seat = self.people_at_table()[0];
            assert!(self.take(Action::Resign { seat }), "{}", self.name);
        }
    }

    /// Takes the steps of a log again; why that does not lead to what there was.
    fn made_again(&self, log: &[Vec<u8>]) -> Result<(), String> {
        let present = self.live();
        let decoded = (1..).zip(log).filter_map(|(version, bytes)| Logged::decode(bytes, version, present).ok());
        let mut earlier = Earlier::for_log(&decoded.collect::<Vec<_>>());
        let mut made = None;
        for (version, (bytes, then)) in (1..).zip(log.iter().zip(&self.versions)) {
            let fault = |fault: &dyn std::fmt::Debug| format!("{}: version {version}: {fault:?}", self.name);
            let logged = Logged::decode(bytes, version, present).map_err(|unreadable| fault(&unreadable))?;
            let (live, entry) =
                replay(present, made.take(), &logged, &mut earlier).map_err(|unreadable| fault(&unreadable))?;
            let (stored, told) = (stored(&live), json(&live, &entry));
            if stored != then.stored || told != json(&then.live, &then.entry) {
                return Err(fault(&format!("{stored}\nwas\n{}\nby\n{told}", then.stored)));
            }
            made = Some(live);
        }
        Ok(())
    }

    fn log(&self) -> Vec<Vec<u8>> {
        self.versions.iter().map(|version| version.logged.clone()).collect()
    }

    /// One step of the log a millisecond later.
    fn shifted(&self, index: usize) -> Vec<Vec<u8>> {
        let mut log = self.log();
        let Version { live, entry, .. } = &self.versions[index];
        let entry = LogEntry { at: Timestamp(entry.at.0 + 1), ..entry.clone() };
        log[index] = written(&entry, live).unwrap();
        log
    }

    /// The record, as somebody reads it who has it from a file.
    fn record(&self) -> MatchExport {
        let entries: Vec<LogEntry> = self.versions.iter().map(|version| version.entry.clone()).collect();
        let record = export(self.live(), &entries).unwrap();
        serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap()
    }
}

/// The step of a record with a move that has cost time, the last of them, and what it has cost.
fn timed_move(record: &MatchExport) -> Option<(usize, Value)> {
    let timed = |step: &ExportStep| {
        let event = step.events.first()?.value();
        (step.action == ExportAction::Move && event["used_milliseconds"].as_i64()? > 0).then_some(event)
    };
    let found = record.steps.iter().enumerate().rev().find_map(|(index, step)| Some((index, timed(step)?)));
    found.filter(|(_, event)| event["type"] == "move_made")
}

/// A bank that is off by a millisecond, and a step that was taken a millisecond later, are found.
fn finds_planted_faults(games: &Games, record: &MatchExport) -> bool {
    let Some((index, event)) = timed_move(record) else { return false };
    let mut other = record.clone();
    let mut bank = event.clone();
    bank["bank_milliseconds"] = json!(event["bank_milliseconds"].as_i64().unwrap() + 1);
    other.steps[index].events[0] = bank.into();
    assert!(matches!(verify(games, &other), Err(Discrepancy::Events { step, .. }) if step == index + 1));
    let mut other = record.clone();
    let at = Timestamp::from_rfc3339(&record.steps[index].at).unwrap();
    other.steps[index].at = Timestamp(at.0 + 1).rfc3339();
    assert!(verify(games, &other).is_err());
    true
}

/// Every usual control, and every consequence.
fn clocks() -> Vec<Option<WantedClock>> {
    let clock = |initial_seconds, increment_seconds, delay_seconds| WantedClock {
        initial_seconds,
        increment_seconds,
        delay_seconds,
        first_move_seconds: Some(None),
        ..WantedClock::default()
    };
    let of = |on_timeout, clock: WantedClock| Some(WantedClock { on_timeout: Some(on_timeout), ..clock });
    let first = Some(Some(10));
    vec![
        None,
        of(OnTimeout::Forfeit, clock(120, 0, 0)),
        of(OnTimeout::Forfeit, WantedClock { first_move_seconds: first, ..clock(60, 5, 0) }),
        of(OnTimeout::AbsentMove, WantedClock { timeouts_allowed: Some(1), ..clock(20, 2, 3) }),
        of(OnTimeout::AbsentMove, clock(0, 0, 86_400)),
        of(OnTimeout::Bot, WantedClock { max_bank_seconds: Some(20), ..clock(20, 10, 0) }),
        of(OnTimeout::Bot, WantedClock { first_move_seconds: first, ..clock(5, 0, 5) }),
    ]
}

/// Plays a game at all its tables; answers what was done at them.
fn holds(id: &str) -> BTreeSet<String> {
    let games = all_games();
    let game = games.newest(id).unwrap();
    let info = game.info();
    let mut done = BTreeSet::new();
    let mut faults_found = 0;
    let rounds = if id == "fixture" || info.max_seats == 1 { ROUNDS_SHORT } else { ROUNDS };
    let alone = vec![None, Some(WantedClock { initial_seconds: 60, ..WantedClock::default() })];
    let clocks = if info.max_seats == 1 { alone } else { clocks() };
    for (number, wanted) in clocks.iter().enumerate() {
        for round in 0..CONFORMANCE_MATCHES.value().unwrap_or(rounds) {
            let fewest = info.min_seats.max(2).min(info.max_seats);
            let seats = SeatCount::new((fewest + (round % 4) as u8).min(info.max_seats)).unwrap();
            let bot = seat(1);
            let bot = Some(bot).filter(|_| seats.get() > 2 && number % 2 == 1);
            let clock = wanted.as_ref().map(|wanted| ClockTerms::settle(wanted, info.mode, seats, Some(1)).unwrap());
            let mut table = Table::new(game, seats, bot, clock, 1_000_000 * number as u32 + round);
            table.play_out();
            table.made_again(&table.log()).unwrap();
            let last = table.versions.len() - 1;
            assert!(table.made_again(&table.shifted(last / 2)).is_err(), "{}", table.name);
            if table.live().stored.stage == Stage::Finished {
                let record = table.record();
                let verified = verify(&games, &record).unwrap_or_else(|found| panic!("{}: {found}", table.name));
                assert_eq!(verified.steps, table.versions.len());
                faults_found += usize::from(clock.is_some() && finds_planted_faults(&games, &record));
            }
            done.extend(table.versions.iter().skip(1).map(|version| match &json(&version.live, &version.entry)["a"] {
                Value::String(word) => word.clone(),
                action => action.as_object().unwrap().keys().next().unwrap().clone(),
            }));
        }
    }
    assert!(faults_found > 0, "{id}");
    done
}

fn does(done: &BTreeSet<String>, actions: &[&str]) {
    let missing: Vec<_> = actions.iter().filter(|action| !done.contains(**action)).collect();
    assert!(missing.is_empty(), "never done: {missing:?} of {done:?}");
}

/// The actions done at every table of several, whatever the game.
const EVERYWHERE: &[&str] =
    &["move", "timeout", "clock_credit", "return", "invite", "substitute", "hint", "offer_takeback", "resign"];

#[test]
fn contiguity_is_made_again_whatever_is_done() {
    let done = holds("contiguity");
    does(&done, EVERYWHERE);
    does(&done, &["accept_takeback", "offer_draw", "decline_draw"]);
}

#[test]
fn absolution_is_made_again_whatever_is_done() {
    does(&holds("absolution"), EVERYWHERE);
}

#[test]
fn sacrifice_roulette_is_made_again_whatever_is_done() {
    does(&holds("sacrifice_roulette"), EVERYWHERE);
}

#[test]
fn henge_is_made_again_whatever_is_done() {
    let done = holds("henge");
    does(&done, EVERYWHERE);
    does(&done, &["undo", "accept_takeback"]);
}

#[test]
fn a_game_for_one_is_made_again_whatever_is_done() {
    does(&holds("thief_of_the_sacred_fire"), &["move", "hint", "resign"]);
}

#[test]
fn a_game_of_decisions_at_the_same_time_is_made_again_whatever_is_done() {
    does(&holds("fixture"), EVERYWHERE);
}
