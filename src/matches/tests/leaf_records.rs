//! Records of matches of every kind, played without a service.

use std::sync::atomic::AtomicBool;

use super::bots::bots;
use super::*;
use crate::export::export;
use crate::model::adjudication::Adjudication;
use crate::model::bots::SeatedBot;
use crate::model::clock::{ClockTerms, CreditReason, OnTimeout, TakeoverBot, TimeoutConsequence, WantedClock};
use crate::model::fairness::ServerSeed;
use crate::model::invite::StoredInvite;
use crate::model::log::Action;
use crate::model::terms::{Creation, PairedPlayer, Terms};
use sarsen_games::bots::Level;

const DAY: i64 = 86_400_000;

/// A match without a service: each step is taken as a service would take it.
pub(super) struct Table {
    pub(super) live: LiveMatch,
    entries: Vec<LogEntry>,
    past: Vec<LiveMatch>,
    at: i64,
    dice: Dice,
}

pub(super) fn person(number: u128) -> Seated {
    Seated::person(PlayerId::from_number(number), format!("Person {number}"))
}

pub(super) fn terms(game: &str, seats: u8, options: Value) -> Terms {
    let games = standard();
    let game = games.newest(game).unwrap();
    Terms {
        game: game.info().id.to_owned(),
        rules_version: game.info().rules_version,
        options: game.options(&options, SeatCount::new(seats).unwrap()).unwrap(),
        visibility: Visibility::Public,
        invite: None,
        start: StartMode::WhenFull,
        move_time_seconds: None,
        expires_in_seconds: None,
        bots: Vec::new(),
        hints: Some(true),
        undo: None,
        table: TableTerms::default(),
        clock: None,
        rated: false,
    }
}

impl Table {
    /// A table at which person 1 sits on seat 0, unless it is hotseat.
    pub(super) fn laid(terms: Terms, seats: u8) -> Table {
        let seat = (!terms.table.hotseat).then(|| Seat::new(0).unwrap());
        let seats = SeatCount::new(seats).unwrap();
        Table::of(Creation {
            terms: Arc::new(terms),
            seats,
            seat,
            creator: Some(person(1)),
            paired: Vec::new(),
            position: None,
        })
    }

    pub(super) fn of(creation: Creation) -> Table {
        let ambient = Ambient::fixed(1_800_000_000_000, 9);
        let game = standard().newest(&creation.terms.game).unwrap().clone();
        let (id, seed) = (MatchId::generate(&ambient), ServerSeed::generate(&ambient));
        let (live, entry) = LiveMatch::create(game, id, seed, creation, ambient.now()).unwrap();
        let past = vec![live.duplicate()];
        Table { live, entries: vec![entry], past, at: ambient.now().0, dice: Dice::new(DiceSeed([7; 32])) }
    }

    /// Everybody sits down, with entropy.
    pub(super) fn full(terms: Terms, seats: u8) -> Table {
        let mut table = Table::laid(terms, seats);
        for number in 1..seats {
            if table.live.is_free(seat(number)) {
                table.sits(number);
            }
        }
        table
    }

    pub(super) fn sits(&mut self, number: u8) {
        let (player, entropy) = (person(u128::from(number) + 1), Some(entropy(&format!("oak {number}"))));
        self.does(Action::Join { seat: seat(number), player, entropy });
    }

    pub(super) fn now(&mut self) -> Timestamp {
        self.at += 3_000;
        Timestamp(self.at)
    }

    pub(super) fn keep(&mut self, entry: LogEntry) {
        self.entries.push(entry);
        self.past.push(self.live.duplicate());
    }

    pub(super) fn does(&mut self, action: Action) {
        let at = self.now();
        let to = self.live.goes_back_to(&action).unwrap();
        let then = to.map(|version| &self.past[version as usize - 1]);
        let entry = self.live.take_step_back(action, at, then).unwrap();
        self.keep(entry);
    }

    pub(super) fn actor(&self) -> Seat {
        self.live.to_act().first().unwrap()
    }

    /// Makes a legal move for the seat to act: the first, or one drawn.
    pub(super) fn moves(
        &mut self,
        first: bool,
        how: impl FnOnce(&mut LiveMatch, Seat, sarsen_games::AnyMove, Timestamp) -> Result<LogEntry, Refused>,
    ) {
        let (seat, at) = (self.actor(), self.now());
        let listed = legal(&self.live, seat);
        let drawn = if first { 0 } else { self.dice.index(listed.len()).unwrap() };
        let mv = self.live.game.read_move(&MoveInput::Notation(listed[drawn].clone())).unwrap();
        let entry = how(&mut self.live, seat, mv, at).unwrap();
        self.keep(entry);
    }

    pub(super) fn plays(&mut self, most: usize) {
        for _ in 0..most {
            if self.live.stored.stage == Stage::Playing {
                self.moves(false, LiveMatch::play);
            }
        }
    }

    /// The bot to act makes the move that it decides on.
    pub(super) fn thinks(&mut self) {
        let (seat, at) = (self.actor(), self.now());
        let (stored, bots) = (&self.live.stored, bots());
        let open = self.live.decision(seat).unwrap();
        let seed = stored.seed.bot_seed(&stored.id, open.version, seat);
        let question = self.live.question(seat, self.live.bot(seat).unwrap().level, seed).unwrap();
        let found = question.answer(&**bots.of(&stored.terms.game).unwrap(), &AtomicBool::new(false)).unwrap();
        let mv = self.live.accepted(seat, &found.moves[0]).unwrap();
        let entry = self.live.play_marked(seat, mv, at, false).unwrap();
        self.keep(entry);
    }

    /// All give up until the match is over, and it is exported.
    pub(super) fn record(mut self) -> Value {
        while self.live.stored.stage == Stage::Playing {
            let resigned = |seat: &Seat| self.live.stored.seats[seat.index()].resigned;
            let bot = |seat: &Seat| self.live.stored.terms.bot(*seat).is_some();
            let seat = self.live.seat_count().seats().find(|seat| !resigned(seat) && !bot(seat)).unwrap();
            self.does(Action::Resign { seat });
        }
        serde_json::to_value(export(&self.live, &self.entries).unwrap()).unwrap()
    }
}

/// A few moves of each game, and in Sacrifice Roulette the whole, since its result has figures.
pub(super) fn of_each_game() -> Vec<(String, Value)> {
    let games = standard();
    let of = |info: &sarsen_rules::GameInfo| {
        let seats = info.min_seats.max(2).min(info.max_seats);
        let mut table = Table::full(terms(info.id, seats, Value::Null), seats);
        let asked = table.actor();
        table.does(Action::Hint { seat: asked });
        table.plays(if info.id == "sacrifice_roulette" { 1_000 } else { 8 });
        (info.id.to_owned(), table.record())
    };
    games.iter().map(|game| of(game.info())).collect()
}

/// With a bot that thinks and is cut short once.
pub(super) fn with_a_bot() -> Value {
    let bot = SeatedBot { seat: seat(1), level: Level::Easy, version: 4 };
    let mut table = Table::full(Terms { bots: vec![bot], ..terms("contiguity", 2, Value::Null) }, 2);
    for turn in 0..6 {
        match (table.actor().number(), turn) {
            (1, 2 | 3) => table.moves(true, |live, seat, mv, at| live.play_marked(seat, mv, at, true)),
            (1, _) => table.thinks(),
            _ => table.moves(false, LiveMatch::play),
        }
    }
    table.record()
}

/// Slow clocks, with all that can be done with them, and plans.
pub(super) fn with_clocks() -> Value {
    let clock = ClockTerms {
        initial_seconds: 604_800,
        increment_seconds: 60,
        delay_seconds: 1,
        max_bank_seconds: Some(700_000),
        first_move_seconds: None,
        on_timeout: OnTimeout::Bot,
        timeouts_allowed: 2,
        takeover_bot: Some(TakeoverBot { level: Level::Easy, version: 4 }),
    };
    let terms = Terms { clock: Some(clock), start: StartMode::Manual, ..terms("contiguity", 2, Value::Null) };
    let mut table = Table::laid(terms, 2);
    let until = Timestamp(table.at + DAY);
    let invite = StoredInvite {
        hash: "h".to_owned(),
        seat: Some(seat(1)),
        substitutes: false,
        while_away: false,
        left: 1,
        until,
    };
    table.does(Action::Invite { invite });
    table.sits(1);
    table.does(Action::Start);
    table.plays(1);
    table.moves(false, LiveMatch::play_planned);
    table.plays(1);
    let (late, other) = (table.actor(), seat(1 - table.actor().number()));
    let given =
        Action::ClockCredit { seats: vec![late], milliseconds: 5_000, reason: CreditReason::Given, by: Some(other) };
    table.does(given);
    table.does(Action::ClockCredit { seats: vec![late], milliseconds: 2_000, reason: CreditReason::Outage, by: None });
    let version = table.live.stored.version - 1;
    table.does(Action::OfferTakeback { seat: other, to_version: version });
    table.does(Action::AcceptTakeback { seat: late });
    table.does(Action::Substitute { seat: other, player: person(9), hash: None });
    table.at += 40 * DAY;
    table.does(Action::Timeout { seat: late, consequence: TimeoutConsequence::Bot });
    table.thinks();
    table.does(Action::Return { seat: late });
    table.plays(1);
    table.record()
}

/// A clock by which turns are passed.
pub(super) fn with_turns_passed() -> Value {
    let wanted = WantedClock {
        initial_seconds: 60,
        first_move_seconds: Some(Some(30)),
        on_timeout: Some(OnTimeout::AbsentMove),
        timeouts_allowed: Some(1),
        ..WantedClock::default()
    };
    let two = SeatCount::new(2).unwrap();
    let clock = ClockTerms::settle(&wanted, sarsen_rules::Mode::Competitive, two, None).unwrap();
    let mut table = Table::full(Terms { clock: Some(clock), ..terms("contiguity", 2, Value::Null) }, 2);
    table.plays(2);
    let late = table.actor();
    table.at += 63_000;
    table.does(Action::Timeout { seat: late, consequence: TimeoutConsequence::AbsentMove });
    table.plays(1);
    table.at += 63_000;
    table.does(Action::Timeout { seat: late, consequence: TimeoutConsequence::Forfeit });
    table.record()
}

/// A rated match, in which one lets the first turn pass.
pub(super) fn with_ratings() -> Value {
    let wanted = WantedClock { initial_seconds: 60, first_move_seconds: Some(Some(30)), ..WantedClock::default() };
    let two = SeatCount::new(2).unwrap();
    let clock = ClockTerms::settle(&wanted, sarsen_rules::Mode::Competitive, two, None).unwrap();
    let (undo, hints) = (Some(UndoTerms::Off), Some(false));
    let rated = Terms { clock: Some(clock), undo, hints, rated: true, ..terms("contiguity", 2, Value::Null) };
    let mut table = Table::full(rated, 2);
    let late = table.actor();
    table.at += 33_000;
    table.does(Action::Timeout { seat: late, consequence: TimeoutConsequence::Forfeit });
    table.record()
}

/// A rematch at which a seat is kept, and one player is absent in the end.
pub(super) fn with_a_claim() -> Value {
    let reserved = vec![ReservedSeat { seat: seat(1), player: person(2) }];
    let table = TableTerms { reserved, from_match: Some(MatchId::from_number(77)), ..TableTerms::default() };
    let mut table = Table::laid(
        Terms { table, move_time_seconds: Some(60), ..terms("contiguity", 2, json!({"turn_limit": 40})) },
        2,
    );
    table.does(Action::Entropy { seat: seat(0), entropy: entropy("ash") });
    table.sits(1);
    table.plays(3);
    let (absent, by) = (table.actor(), seat(1 - table.actor().number()));
    table.at += 60_000;
    table.does(Action::Claim { seat: absent, by });
    table.record()
}

/// A table of a league, which its organiser settles.
pub(super) fn with_a_ruling() -> Value {
    let mut table = Table::of(league());
    for number in 0..2 {
        table.sits(number);
    }
    table.plays(3);
    let ruling = Some(Adjudication { ranks: vec![2, 1], verdict: Verdict::Won });
    table.does(Action::Adjudicate { ruling, reason: "Seat 0 has left the league.".to_owned() });
    table.record()
}

/// A match with tags that person 9 makes for two others.
pub(super) fn league() -> Creation {
    let mut terms = terms("contiguity", 2, Value::Null);
    terms.table.tags = vec!["round-1".to_owned(), "spring-cup".to_owned()];
    Creation {
        terms: Arc::new(terms),
        seats: SeatCount::new(2).unwrap(),
        seat: None,
        creator: Some(person(9)),
        paired: Vec::new(),
        position: None,
    }
}

/// A fork of a match in which one sits everywhere, which is of that kind too.
pub(super) fn with_a_fork() -> Value {
    let hotseat = TableTerms { hotseat: true, ..TableTerms::default() };
    let mut before = Table::laid(Terms { table: hotseat, ..terms("contiguity", 2, json!({"turn_limit": 50})) }, 2);
    before.plays(4);
    let mut table = Table::of(before.live.fork(&before.past[2], person(1)).unwrap());
    table.plays(2);
    let seat = table.live.seat_count().seats().find(|seat| table.live.free_undo(*seat).is_some()).unwrap();
    table.does(Action::Undo { seat, to_version: 2 });
    table.plays(1);
    table.record()
}

/// Records in which every property of a record occurs.
/// Three whom a pool has paired.
pub(super) fn with_a_pool() -> Value {
    let mut terms = terms("sacrifice_roulette", 3, Value::Null);
    terms.table.pool = Some("sacrifice-roulette-live".to_owned());
    let given = |number: u128| Some(entropy(&format!("oak {number}")));
    let paired = (1..=3).map(|number| PairedPlayer { player: person(number), entropy: given(number) });
    let mut table = Table::of(Creation {
        terms: Arc::new(terms),
        seats: SeatCount::new(3).unwrap(),
        seat: None,
        creator: None,
        paired: paired.collect(),
        position: None,
    });
    table.plays(8);
    table.record()
}
