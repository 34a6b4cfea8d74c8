//! Verifying a record: replays the match and compares everything that the record claims.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::format::{
    EXPORT_FORMAT, EXPORT_FORMAT_WITH_BOTS, ExportAction, ExportStep, MatchExport, RecordedCredit, RecordedPlayer,
    RecordedPosition, RecordedReservation, Verbatim,
};
use super::making::export_step;
use super::possible::Possible;
use crate::Refused;
use crate::model::bots::SeatedBot;
use crate::model::clock::ClockTerms;
use crate::model::events::StoredEvent;
use crate::model::fairness::ServerSeed;
use crate::model::fork::ForkedPosition;
use crate::model::invite::StoredInvite;
use crate::model::log::{Action, LogEntry};
use crate::model::table_terms::{ReservedSeat, TableTerms, are_tags};
use crate::model::terms::{Creation, PairedPlayer, StartMode, Terms, UndoTerms, Visibility};
use crate::table::earlier::Earlier;
use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_games::{AnyGame, Games, MoveInput};
use sarsen_rules::SeatCount;
use sarsen_store::Stage;

/// The result of a successful [`verify`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The match.
    pub match_id: MatchId,
    /// The game's id.
    pub game: String,
    /// The number of steps that were replayed.
    pub steps: usize,
    /// The number of moves among them.
    pub moves: usize,
    /// The number of words of the dice that were used.
    pub dice_words: u64,
    /// The commitment, to be compared with the one that was published before the match.
    pub commitment: String,
    /// The ending.
    pub ending: String,
}

/// A contradiction in a record, or a reason why this release cannot verify it.
#[derive(Debug, thiserror::Error)]
pub enum Discrepancy {
    /// The format is not one that this release reads.
    #[error("the format is {0:?}, not {EXPORT_FORMAT:?} or, with bots, hints or a clock, {EXPORT_FORMAT_WITH_BOTS:?}")]
    Format(String),
    /// It is said to be of another format than what it holds needs.
    #[error("what it holds is of the format {0:?}")]
    LowestFormat(&'static str),
    /// The game or its rules version is not known to this release.
    #[error("the game {0:?} with rules version {1} is not known to this release")]
    Game(String, u32),
    /// The components of the match are not installed here.
    #[error("{0}")]
    Components(String),
    /// The seed is not 64 hexadecimal digits, in lower case.
    #[error("the seed is not 64 hexadecimal digits in lower case")]
    Seed,
    /// The commitment is not that of the seed and match id.
    #[error("the commitment is not that of this seed and match id, which is {0}")]
    Commitment(String),
    /// The terms are not of the game, or do not fit each other.
    #[error("the terms do not fit: {0}")]
    Terms(String),
    /// The bots are of a version that this release does not know yet.
    #[error("bots of version {0} are not known to this release")]
    NewerBots(u32),
    /// A step lacks something, or versions are not consecutive.
    #[error("step {step}: {detail}")]
    Step {
        /// The step's number, from 1.
        step: usize,
        /// The fault, in words.
        detail: String,
    },
    /// A step cannot be taken.
    #[error("step {step} cannot be taken: {source}")]
    Impossible {
        /// The step's number, from 1.
        step: usize,
        /// The refusal of the step.
        source: Refused,
    },
    /// A step brings other events than the record says.
    #[error("step {step}: event {event} is {found}, the record says {recorded}")]
    Events {
        /// The step's number, from 1.
        step: usize,
        /// The event's number within the step, from 0.
        event: usize,
        /// The event that the rules bring about.
        found: String,
        /// The event in the record.
        recorded: String,
    },
    /// A bot of this release decides otherwise.
    #[error("step {step}: the bot decides {found}, the record says {recorded}")]
    Bot {
        /// The step's number, from 1.
        step: usize,
        /// The move that it decides on, in notation.
        found: String,
        /// The move in the record.
        recorded: String,
    },
    /// The match is not over after the last step.
    #[error("the match is not over after the last step")]
    NotOver,
    /// The result is another.
    #[error("the result is {found}, the record says {recorded}")]
    Outcome {
        /// The result by the rules.
        found: String,
        /// The result in the record.
        recorded: String,
    },
}

impl Discrepancy {
    /// Returns true if the only fault is that this program lacks what it would need to replay the record.
    pub fn is_beyond_this_release(&self) -> bool {
        use Discrepancy::{Components, Format, Game, NewerBots};
        matches!(self, Format(_) | Game(..) | Components(_) | NewerBots(_))
    }
}

/// Makes the match again from seed, entropy and steps, and compares everything that the record claims.
///
/// Of a match with a clock every bank is computed again: no move comes too late, and no time runs out too early.
///
/// [`LEAVES`](super::LEAVES) says of each property what checks it, and [`believed`](super::believed) what of a record that
/// agrees nobody can find out from it.
///
/// # Errors
/// The first [`Discrepancy`].
pub fn verify(games: &Games, record: &MatchExport) -> Result<Verified, Discrepancy> {
    replayed(games, record, &mut |_, _, _| Ok(()))
}

/// Looks at a step: its number, the match before it, and what is done.
type Look<'a> = dyn FnMut(usize, &LiveMatch, &Action) -> Result<(), Discrepancy> + 'a;

/// The same, with a look at each step before it is taken.
pub(crate) fn replayed(games: &Games, record: &MatchExport, look: &mut Look<'_>) -> Result<Verified, Discrepancy> {
    if record.format != record.lowest_format() {
        return Err(match record.format.as_str() {
            EXPORT_FORMAT | EXPORT_FORMAT_WITH_BOTS => Discrepancy::LowestFormat(record.lowest_format()),
            _ => Discrepancy::Format(record.format.clone()),
        });
    }
    let unknown = || Discrepancy::Game(record.game.clone(), record.rules_version);
    let game = games.find(&record.game, record.rules_version).ok_or_else(unknown)?;
    let seed = ServerSeed::from_revealed(&record.seed).filter(|seed| seed.reveal() == record.seed);
    let seed = seed.ok_or(Discrepancy::Seed)?;
    let commitment = seed.commitment(&record.match_id);
    if commitment != record.commitment {
        return Err(Discrepancy::Commitment(commitment));
    }
    let mut live: Option<LiveMatch> = None;
    let mut earlier = Earlier::default();
    earlier.want(record.steps.iter().filter_map(|step| step.to_version));
    let (mut before, mut possible) = (Timestamp(i64::MIN), Possible::default());
    for (index, step) in record.steps.iter().enumerate() {
        let number = index + 1;
        let fault = |detail: &str| Discrepancy::Step { step: number, detail: detail.to_owned() };
        let impossible = |source: Refused| Discrepancy::Impossible { step: number, source };
        if step.version != number as u64 {
            return Err(fault("its version does not follow the one before"));
        }
        let at = Timestamp::from_rfc3339(&step.at).ok_or_else(|| fault("its time is not RFC 3339"))?;
        if at < before {
            return Err(fault("its time is before that of the step before"));
        }
        before = at;
        let entry = match (&mut live, step.action) {
            (None, ExportAction::Create | ExportAction::Fork) => {
                let creation = creation(record, &**game, step)?;
                let made = LiveMatch::create(Arc::clone(game), record.match_id.clone(), seed, creation, at);
                let (made, entry) = made.map_err(impossible)?;
                live = Some(made);
                entry
            }
            (Some(live), action) if !matches!(action, ExportAction::Create | ExportAction::Fork) => {
                let playing = live.stored.stage == Stage::Playing;
                let action = read_step(&**game, step, playing).map_err(|detail| fault(&detail))?;
                if let Some(objection) = possible.objection(live, &action).map_err(impossible)? {
                    return Err(fault(objection));
                }
                look(number, live, &action)?;
                let then =
                    live.goes_back_to(&action).map_err(impossible)?.and_then(|to| earlier.find(step.version, to));
                live.take_step_back(action, at, then).map_err(impossible)?
            }
            _ => return Err(fault("the first step and no other is the creation")),
        };
        if let Some(live) = &live {
            earlier.pass(live);
            possible.pass(live, &entry);
        }
        let found = export_step(&**game, &entry).map_err(|unreadable| impossible(unreadable.into()))?;
        compare(number, &found.events, &step.events)?;
        if let (Some(said), Some(made)) = (&step.mv, first_move(&entry))
            && *said != made
        {
            return Err(fault(&format!("the move that it says is made as {}", text(&made))));
        }
        // What the step says besides: nothing may be there that had no part in it.
        if found != *step {
            return Err(Discrepancy::Step { step: number, detail: format!("it was {}", text(&found)) });
        }
    }
    let live = live.ok_or(Discrepancy::NotOver)?;
    let outcome = live.stored.outcome.as_ref().ok_or(Discrepancy::NotOver)?;
    if *outcome != record.outcome {
        return Err(Discrepancy::Outcome { found: text(outcome), recorded: text(&record.outcome) });
    }
    Ok(Verified {
        match_id: record.match_id.clone(),
        game: record.game.clone(),
        steps: record.steps.len(),
        moves: record.steps.iter().filter(|step| step.action == ExportAction::Move).count(),
        dice_words: live.stored.dice,
        commitment: record.commitment.clone(),
        ending: outcome.ending.clone().into_owned(),
    })
}

/// The first move of a step, as it was made: that which was asked for.
fn first_move(entry: &LogEntry) -> Option<Verbatim> {
    entry.events.iter().find_map(|event| match event {
        StoredEvent::Move { mv, .. } => Some(Verbatim::from(mv.clone())),
        _ => None,
    })
}

fn creation(record: &MatchExport, game: &dyn AnyGame, step: &ExportStep) -> Result<Creation, Discrepancy> {
    let wrong = |detail: String| Discrepancy::Terms(detail);
    let info = game.info();
    let seats = SeatCount::new(record.seats)
        .filter(|seats| (info.min_seats..=info.max_seats).contains(&seats.get()))
        .ok_or_else(|| wrong(format!("{} seats", record.seats)))?;
    let missing = game.missing_components(Verbatim::from(record.options.clone()).raw());
    let options = game
        .options(&record.options, seats)
        .map_err(|error| missing.map_or_else(|| wrong(error.to_string()), Discrepancy::Components))?;
    let complete: Value = serde_json::from_str(options.get()).map_err(|error| wrong(error.to_string()))?;
    if complete != record.options {
        return Err(wrong(format!("complete they are {complete}")));
    }
    let bots: Vec<SeatedBot> = record.bots.iter().map(SeatedBot::from).collect();
    let apart = bots.windows(2).all(|two| two[0].seat < two[1].seat);
    if !apart || bots.iter().any(|bot| bot.seat.index() >= usize::from(seats.get())) {
        return Err(wrong("bots on other seats than there are".to_owned()));
    }
    if !record.reserved.is_sorted_by(|one, next| one.seat < next.seat) {
        return Err(wrong("reserved seats that are not in order".to_owned()));
    }
    // All bots are of the version that the game's bots had as the match was made.
    let mut versions = bot_versions(record);
    if let Some(first) = versions.next()
        && (first == 0 || versions.any(|other| other != first))
    {
        return Err(wrong("bots of several versions, or of version 0".to_owned()));
    }
    if !are_tags(&record.tags) {
        return Err(wrong("tags that no match has".to_owned()));
    }
    if record.move_time_seconds == Some(0) {
        return Err(wrong("no time to move".to_owned()));
    }
    if let Some(from) = &record.forked_from {
        let bare = record.move_time_seconds.is_none() && record.clock.is_none() && record.bots.is_empty();
        let alone = record.hotseat && record.reserved.is_empty() && record.from_match.is_none() && step.seat.is_none();
        let usual = record.start == StartMode::WhenFull && record.undo == UndoTerms::default();
        if !(bare && alone && usual && from.version > 0) {
            return Err(wrong("a fork has no terms of its own".to_owned()));
        }
    }
    let terms = Terms {
        game: record.game.clone(),
        rules_version: record.rules_version,
        options,
        // Who could see the match has no bearing on how it went.
        visibility: Visibility::Public,
        invite: None,
        start: record.start,
        move_time_seconds: record.move_time_seconds,
        clock: clock(record, game, seats)?,
        // How long it could have waited has no bearing either.
        expires_in_seconds: None,
        bots,
        hints: Some(record.hints),
        undo: Some(record.undo),
        table: TableTerms {
            reserved: record
                .reserved
                .iter()
                .map(|RecordedReservation { seat, player }| ReservedSeat { seat: *seat, player: player.clone() })
                .collect(),
            hotseat: record.hotseat,
            from_match: record.from_match.clone(),
            forked_from: record.forked_from.clone(),
            pool: record.pool.clone(),
            tags: record.tags.clone(),
            // For how long seats were kept, and what could follow, has no bearing on how it went.
            ..TableTerms::default()
        },
        rated: record.rated,
    };
    let own = record.created_by.as_ref().filter(|_| step.seat.is_some());
    let own = own.or(record.paired.first().map(|paired| &paired.player));
    terms.must_be_rateable(game, seats, own.map(|own| own.kind)).map_err(|reason| wrong(reason.to_string()))?;
    if let Some(RecordedPosition { state_version, state }) = &step.position
        && *state_version == info.state_version
    {
        let loaded = game.load(*state_version, state.raw()).and_then(|loaded| loaded.store());
        let written = loaded.map_err(|corrupt| Discrepancy::Terms(corrupt.to_string()))?;
        if Verbatim::from(written) != *state {
            return Err(wrong("the position is not as the game writes it".to_owned()));
        }
    }
    let position = step.position.as_ref().map(|RecordedPosition { state_version, state }| ForkedPosition {
        state_version: *state_version,
        state: state.raw().to_owned(),
    });
    let paired = record
        .paired
        .iter()
        .map(|RecordedPlayer { player, entropy }| PairedPlayer { player: player.clone(), entropy: entropy.clone() });
    let (creator, paired) = (record.created_by.clone(), paired.collect::<Vec<_>>());
    if creator.is_some() != paired.is_empty() || paired.is_empty() != record.pool.is_none() {
        return Err(wrong("a match has a creator, or players whom a pool has paired".to_owned()));
    }
    if !paired.is_empty() && paired.len() != usize::from(seats.get()) {
        return Err(wrong("a pool pairs as many players as there are seats".to_owned()));
    }
    Ok(Creation { terms: Arc::new(terms), seats, seat: step.seat, creator, paired, position })
}

/// The versions of all bots that a record names.
pub(super) fn bot_versions(record: &MatchExport) -> impl Iterator<Item = u32> {
    let takeover = record.clock.and_then(|clock| clock.takeover_bot).map(|bot| bot.version);
    record.bots.iter().map(|bot| bot.version).chain(takeover)
}

/// The clock of a record, which is one that could have been asked for.
fn clock(record: &MatchExport, game: &dyn AnyGame, seats: SeatCount) -> Result<Option<ClockTerms>, Discrepancy> {
    let terms = record.clock.map(ClockTerms::from);
    let (wanted, bot) = (terms.map(|terms| terms.wanted()), terms.and_then(|terms| terms.takeover_bot));
    let (mode, version) = (game.info().mode, bot.map(|bot| bot.version));
    let settled = ClockTerms::of_match(wanted.as_ref(), record.move_time_seconds, mode, seats, version);
    settled.map_err(|invalid| Discrepancy::Terms(invalid.to_string()))
}

fn read_step(game: &dyn AnyGame, step: &ExportStep, playing: bool) -> Result<Action, String> {
    let seat = || step.seat.ok_or_else(|| "it names no seat".to_owned());
    let to_version = || step.to_version.ok_or_else(|| "it names no version to go back to".to_owned());
    Ok(match step.action {
        ExportAction::Create | ExportAction::Fork => return Err("it is a second creation".to_owned()),
        ExportAction::Join => Action::Join {
            seat: seat()?,
            player: step.player.clone().ok_or("it names no player")?,
            entropy: step.entropy.clone(),
        },
        ExportAction::Leave => Action::Leave { seat: seat()? },
        ExportAction::Entropy => {
            Action::Entropy { seat: seat()?, entropy: step.entropy.clone().ok_or("it gives no entropy")? }
        }
        ExportAction::Start => Action::Start,
        ExportAction::Move => {
            let mv = step.mv.as_ref().ok_or("it names no move")?;
            game.read_move(&MoveInput::Json(mv.value())).map_err(|error| format!("its move: {error}"))?;
            Action::Move { seat: seat()?, mv: mv.raw().to_owned(), cut: step.cut_short, planned: step.planned }
        }
        ExportAction::Resign => Action::Resign { seat: seat()? },
        ExportAction::Claim => {
            Action::Claim { seat: seat()?, by: step.claimed_by.ok_or("it does not say who claimed")? }
        }
        ExportAction::OfferDraw => Action::OfferDraw { seat: seat()? },
        ExportAction::AcceptDraw => Action::AcceptDraw { seat: seat()? },
        ExportAction::DeclineDraw => Action::DeclineDraw { seat: seat()? },
        ExportAction::Hint => Action::Hint { seat: seat()? },
        ExportAction::Undo => Action::Undo { seat: seat()?, to_version: to_version()? },
        ExportAction::OfferTakeback => Action::OfferTakeback { seat: seat()?, to_version: to_version()? },
        ExportAction::AcceptTakeback => Action::AcceptTakeback { seat: seat()? },
        ExportAction::DeclineTakeback => Action::DeclineTakeback { seat: seat()? },
        ExportAction::Decline => Action::Decline { seat: seat()? },
        ExportAction::Reserve => {
            Action::Reserve { seat: seat()?, player: step.player.clone().ok_or("it names no player")? }
        }
        ExportAction::EndReservations => Action::EndReservations,
        ExportAction::Invite => {
            // How often it was good, and until when, has no bearing on how the match went.
            // Whether it was to sit down or to take over, the stage tells. Whose seat is offered may come back.
            let (hash, seat) = (String::new(), step.seat);
            let (left, until) = if playing { (1, Timestamp(i64::MAX)) } else { (0, Timestamp(0)) };
            Action::Invite {
                invite: StoredInvite { hash, seat, substitutes: playing, while_away: playing, left, until },
            }
        }
        ExportAction::Substitute => {
            Action::Substitute { seat: seat()?, player: step.player.clone().ok_or("it names no player")?, hash: None }
        }
        ExportAction::Kick => Action::Kick { seat: seat()? },
        ExportAction::Timeout => {
            Action::Timeout { seat: seat()?, consequence: step.consequence.ok_or("it does not say what came of it")? }
        }
        ExportAction::Return => Action::Return { seat: seat()? },
        ExportAction::Adjudicate => Action::Adjudicate {
            ruling: Some(step.ruling.clone().ok_or("it has no ruling")?),
            reason: step.reason.clone().ok_or("it has no reason")?,
        },
        ExportAction::ClockCredit => {
            let credit = step.credit.clone().ok_or("it does not say what was added")?;
            let RecordedCredit { seats, milliseconds, reason, by } = credit;
            Action::ClockCredit { seats, milliseconds, reason, by }
        }
    })
}

fn compare(step: usize, found: &[Verbatim], recorded: &[Verbatim]) -> Result<(), Discrepancy> {
    let nothing = Verbatim::from(Value::String("nothing".to_owned()));
    for event in 0..found.len().max(recorded.len()) {
        let (made, said) = (found.get(event).unwrap_or(&nothing), recorded.get(event).unwrap_or(&nothing));
        if made != said {
            return Err(Discrepancy::Events { step, event, found: text(made), recorded: text(said) });
        }
    }
    Ok(())
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "unreadable".to_owned())
}
