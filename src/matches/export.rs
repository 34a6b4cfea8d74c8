//! The record of a finished match, which anyone can replay and check without this service.
//!
//! Invariants: a record holds all that the match was made of (seed, entropy, options, every step) and all that it
//! claims (commitment, events, outcome), and [`verify`] takes nothing on trust: it makes the match again from the
//! former and compares the latter. It holds no invite code.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::events;
use super::fairness::{SeatEntropy, ServerSeed};
use super::live_match::LiveMatch;
use super::stored::{Action, LogEntry, Seated, StartMode, StoredMatch, Terms, Visibility};
use super::{Matches, Refused, ViewedMatch};
use crate::ambient::Timestamp;
use crate::games::{AnyGame, Games, MoveInput};
use crate::ids::MatchId;
use crate::rules::{Outcome, Seat, SeatCount, Viewer};
use crate::store::Stage;

/// The format's name, with its version.
pub const EXPORT_FORMAT: &str = "sarsen/record/1";

/// The whole record of a finished match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchExport {
    /// Always `sarsen/record/1`.
    #[schema(examples("sarsen/record/1"))]
    pub format: String,
    /// The match.
    #[schema(value_type = String)]
    pub match_id: MatchId,
    /// Its game.
    #[schema(examples("contiguity"))]
    pub game: String,
    /// The version of the game's rules.
    #[schema(value_type = i64, minimum = 1, maximum = 4294967295u32)]
    pub rules_version: u32,
    /// Its options, complete with defaults, as the game's catalogue entry describes them.
    #[schema(value_type = Object)]
    pub options: Value,
    /// How many seats it had.
    #[schema(value_type = i64, minimum = 1, maximum = 5)]
    pub seats: u8,
    /// Who made it.
    pub created_by: Seated,
    /// When it started.
    pub start: StartMode,
    /// Seconds for a decision before others could claim.
    #[schema(value_type = Option<i64>, required, minimum = 1, maximum = 4294967295u32)]
    pub move_time_seconds: Option<u32>,
    /// The server's seed: 64 hexadecimal digits.
    pub seed: String,
    /// The commitment published when the match was made: 64 hexadecimal digits.
    pub commitment: String,
    /// Every step, in order; the first is the creation.
    pub steps: Vec<ExportStep>,
    /// The result.
    pub outcome: Outcome,
}

/// What was done in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportAction {
    /// The match was made.
    Create,
    /// `player` sat down on `seat`, perhaps with `entropy`.
    Join,
    /// `seat` was left.
    Leave,
    /// `seat` gave `entropy`.
    Entropy,
    /// The creator started the match.
    Start,
    /// `seat` made `move`.
    Move,
    /// `seat` resigned.
    Resign,
    /// `claimed_by` claimed against the absent `seat`.
    Claim,
    /// `seat` offered a draw.
    OfferDraw,
    /// `seat` accepted the draw.
    AcceptDraw,
    /// `seat` declined the draw.
    DeclineDraw,
}

/// One step of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportStep {
    /// The version it made, from 1.
    #[schema(value_type = i64, minimum = 1, maximum = 9007199254740991i64)]
    pub version: u64,
    /// When: RFC 3339, UTC.
    #[schema(format = "date-time")]
    pub at: String,
    /// What was done.
    pub action: ExportAction,
    /// The seat concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, nullable = false, minimum = 0, maximum = 4)]
    pub seat: Option<Seat>,
    /// Who sat down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub player: Option<Seated>,
    /// What was given to the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false)]
    pub entropy: Option<SeatEntropy>,
    /// The move, tagged by `type`.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    pub mv: Option<Value>,
    /// The seat that claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, nullable = false, minimum = 0, maximum = 4)]
    pub claimed_by: Option<Seat>,
    /// What happened, nothing hidden, each tagged by `type`.
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Value>,
}

/// What [`verify`] has found to agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The match.
    pub match_id: MatchId,
    /// The game's id.
    pub game: String,
    /// How many steps were taken again.
    pub steps: usize,
    /// How many of them were moves.
    pub moves: usize,
    /// How many words of the dice were used.
    pub dice_words: u64,
    /// The commitment, to be compared with the one that was published before the match.
    pub commitment: String,
    /// The ending.
    pub ending: String,
}

/// Where a record does not agree with itself.
#[derive(Debug, thiserror::Error)]
pub enum Discrepancy {
    /// The format is not one that this release reads.
    #[error("the format is {0:?}, not {EXPORT_FORMAT:?}")]
    Format(String),
    /// The game or its rules version is not known to this release.
    #[error("the game {0:?} with rules version {1} is not known to this release")]
    Game(String, u32),
    /// The seed is not 64 hexadecimal digits.
    #[error("the seed is not 64 hexadecimal digits")]
    Seed,
    /// The commitment is not that of the seed and match id.
    #[error("the commitment is not that of this seed and match id, which is {0}")]
    Commitment(String),
    /// The options are not those of the game.
    #[error("the options do not fit: {0}")]
    Options(String),
    /// A step lacks something, or versions are not consecutive.
    #[error("step {step}: {detail}")]
    Step {
        /// The step's place, from 1.
        step: usize,
        /// What is wrong.
        detail: String,
    },
    /// A step cannot be taken.
    #[error("step {step} cannot be taken: {source}")]
    Impossible {
        /// The step's place, from 1.
        step: usize,
        /// Why.
        source: Refused,
    },
    /// A step brings other events than the record says.
    #[error("step {step}: event {event} is {found}, the record says {recorded}")]
    Events {
        /// The step's place, from 1.
        step: usize,
        /// The event's place, from 0.
        event: usize,
        /// What the rules bring about.
        found: String,
        /// What the record says.
        recorded: String,
    },
    /// The match is not over after the last step.
    #[error("the match is not over after the last step")]
    NotOver,
    /// The result is another.
    #[error("the result is {found}, the record says {recorded}")]
    Outcome {
        /// What the rules bring about.
        found: String,
        /// What the record says.
        recorded: String,
    },
}

impl Matches {
    /// The record of a finished match.
    ///
    /// # Errors
    /// [`Refused::NotOver`].
    pub async fn export(&self, viewed: ViewedMatch) -> Result<MatchExport, Refused> {
        let StoredMatch { id, version, stage, .. } = &viewed.live.stored;
        if *stage != Stage::Finished {
            return Err(Refused::NotOver);
        }
        let mut entries: Vec<LogEntry> = Vec::new();
        while (entries.len() as u64) < *version {
            entries.extend(self.entries(id, entries.len() as u64, *version).await?);
        }
        export(&viewed.live, &entries)
    }
}

/// The record that these entries of the log make.
pub(crate) fn export(live: &LiveMatch, entries: &[LogEntry]) -> Result<MatchExport, Refused> {
    let StoredMatch { id, terms, creator, seats, seed, outcome, .. } = &live.stored;
    Ok(MatchExport {
        format: EXPORT_FORMAT.to_owned(),
        match_id: id.clone(),
        game: terms.game.clone(),
        rules_version: terms.rules_version,
        options: parse(&terms.options)?,
        seats: seats.len() as u8,
        created_by: creator.clone(),
        start: terms.start,
        move_time_seconds: terms.move_time_seconds,
        seed: seed.reveal(),
        commitment: seed.commitment(id),
        steps: entries.iter().map(|entry| export_step(&*live.game, entry)).collect::<Result<_, _>>()?,
        outcome: outcome.clone().ok_or(Refused::NotOver)?,
    })
}

fn export_step(game: &dyn AnyGame, entry: &LogEntry) -> Result<ExportStep, Refused> {
    let mut step = ExportStep {
        version: entry.version,
        at: entry.at.rfc3339(),
        action: ExportAction::Create,
        seat: None,
        player: None,
        entropy: None,
        mv: None,
        claimed_by: None,
        events: told(game, entry)?,
    };
    let (action, seat) = match &entry.action {
        Action::Create { seat, .. } => (ExportAction::Create, *seat),
        Action::Join { seat, player, entropy } => {
            step.player = Some(player.clone());
            step.entropy.clone_from(entropy);
            (ExportAction::Join, Some(*seat))
        }
        Action::Leave { seat } => (ExportAction::Leave, Some(*seat)),
        Action::Entropy { seat, entropy } => {
            step.entropy = Some(entropy.clone());
            (ExportAction::Entropy, Some(*seat))
        }
        Action::Start => (ExportAction::Start, None),
        Action::Abort => return Err(Refused::NotOver),
        Action::Move { seat, mv } => {
            step.mv = Some(parse(mv)?);
            (ExportAction::Move, Some(*seat))
        }
        Action::Resign { seat } => (ExportAction::Resign, Some(*seat)),
        Action::Claim { seat, by } => {
            step.claimed_by = Some(*by);
            (ExportAction::Claim, Some(*seat))
        }
        Action::OfferDraw { seat } => (ExportAction::OfferDraw, Some(*seat)),
        Action::AcceptDraw { seat } => (ExportAction::AcceptDraw, Some(*seat)),
        Action::DeclineDraw { seat } => (ExportAction::DeclineDraw, Some(*seat)),
    };
    step.action = action;
    step.seat = seat;
    Ok(step)
}

fn told(game: &dyn AnyGame, entry: &LogEntry) -> Result<Vec<Value>, Refused> {
    let mut told = Vec::with_capacity(entry.events.len());
    for event in &entry.events {
        if let Some(event) = events::tell_one(game, event, Viewer::Omniscient)? {
            told.push(parse(&event)?);
        }
    }
    Ok(told)
}

fn parse(raw: &RawValue) -> Result<Value, Refused> {
    serde_json::from_str(raw.get()).map_err(Refused::unreadable)
}

/// Makes the match again from seed, entropy and steps, and compares everything that the record claims.
///
/// What a record cannot prove is that its commitment is the one that was published before the match, nor the times at
/// which steps were taken, nor the names of players: whoever was there can compare those.
///
/// # Errors
/// The first [`Discrepancy`].
pub fn verify(games: &Games, record: &MatchExport) -> Result<Verified, Discrepancy> {
    if record.format != EXPORT_FORMAT {
        return Err(Discrepancy::Format(record.format.clone()));
    }
    let unknown = || Discrepancy::Game(record.game.clone(), record.rules_version);
    let game = games.find(&record.game, record.rules_version).ok_or_else(unknown)?;
    let seed = ServerSeed::from_revealed(&record.seed).ok_or(Discrepancy::Seed)?;
    let commitment = seed.commitment(&record.match_id);
    if commitment != record.commitment {
        return Err(Discrepancy::Commitment(commitment));
    }
    let mut live: Option<LiveMatch> = None;
    for (index, step) in record.steps.iter().enumerate() {
        let number = index + 1;
        let fault = |detail: &str| Discrepancy::Step { step: number, detail: detail.to_owned() };
        let impossible = |source| Discrepancy::Impossible { step: number, source };
        if step.version != number as u64 {
            return Err(fault("its version does not follow the one before"));
        }
        let at = Timestamp::from_rfc3339(&step.at).ok_or_else(|| fault("its time is not RFC 3339"))?;
        let entry = match (&mut live, step.action) {
            (None, ExportAction::Create) => {
                let action = creation(record, &**game, step)?;
                let (made, entry) =
                    LiveMatch::create(games, record.match_id.clone(), seed, action, at).map_err(impossible)?;
                live = Some(made);
                entry
            }
            (Some(live), action) if action != ExportAction::Create => {
                let action = read_step(&**game, step).map_err(|detail| fault(&detail))?;
                live.take_step(action, at).map_err(impossible)?
            }
            _ => return Err(fault("the first step and no other is the creation")),
        };
        let found = export_step(&**game, &entry).map_err(impossible)?;
        compare(number, &found.events, &step.events)?;
        // What the step says besides: nothing may stand there that had no part in it.
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

fn creation(record: &MatchExport, game: &dyn AnyGame, step: &ExportStep) -> Result<Action, Discrepancy> {
    let wrong = |detail: String| Discrepancy::Options(detail);
    let info = game.info();
    let seats = SeatCount::new(record.seats)
        .filter(|seats| (info.min_seats..=info.max_seats).contains(&seats.get()))
        .ok_or_else(|| wrong(format!("{} seats", record.seats)))?;
    let options = game.options(&record.options, seats).map_err(|error| wrong(error.to_string()))?;
    let complete: Value = serde_json::from_str(options.get()).map_err(|error| wrong(error.to_string()))?;
    if complete != record.options {
        return Err(wrong(format!("complete they are {complete}")));
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
    };
    Ok(Action::Create { terms, seats: record.seats, seat: step.seat, creator: record.created_by.clone() })
}

fn read_step(game: &dyn AnyGame, step: &ExportStep) -> Result<Action, String> {
    let seat = || step.seat.ok_or_else(|| "it names no seat".to_owned());
    Ok(match step.action {
        ExportAction::Create => return Err("it is a second creation".to_owned()),
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
            game.read_move(&MoveInput::Json(mv.clone())).map_err(|error| format!("its move: {error}"))?;
            Action::Move { seat: seat()?, mv: to_raw_value(mv).map_err(|error| error.to_string())? }
        }
        ExportAction::Resign => Action::Resign { seat: seat()? },
        ExportAction::Claim => {
            Action::Claim { seat: seat()?, by: step.claimed_by.ok_or("it does not say who claimed")? }
        }
        ExportAction::OfferDraw => Action::OfferDraw { seat: seat()? },
        ExportAction::AcceptDraw => Action::AcceptDraw { seat: seat()? },
        ExportAction::DeclineDraw => Action::DeclineDraw { seat: seat()? },
    })
}

fn compare(step: usize, found: &[Value], recorded: &[Value]) -> Result<(), Discrepancy> {
    let nothing = Value::String("nothing".to_owned());
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
