//! Making the record of a finished match from its log.

use super::format::{
    ExportAction, ExportStep, MatchExport, RecordedBot, RecordedClock, RecordedCredit, RecordedPlayer,
    RecordedPosition, RecordedReservation, Verbatim,
};
use crate::feed::redacted;
use crate::model::bots::SeatedBot;
use crate::model::fork::ForkedPosition;
use crate::model::log::{Action, Cause, LogEntry};
use crate::model::refused::{ReadRefused, Unreadable};
use crate::model::stored::StoredMatch;
use crate::model::table_terms::ReservedSeat;
use crate::model::terms::PairedPlayer;
use crate::names::{names_now, names_tag, rename, renamed_in, with_names_of_then};
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused, ViewedMatch};
use sarsen_games::AnyGame;
use sarsen_rules::{Seat, Viewer};
use sarsen_store::Stage;

impl Matches {
    /// The record of a finished match, and what the names in it add to its entity tag.
    ///
    /// # Errors
    /// [`ReadRefused::NotOver`].
    pub async fn export(&self, viewed: ViewedMatch) -> Result<(MatchExport, String), Refused> {
        let StoredMatch { version, stage, .. } = &*viewed.live.stored;
        if *stage != Stage::Finished {
            return Err(ReadRefused::NotOver.into());
        }
        let mut telling = self.telling(&viewed.live);
        let mut entries: Vec<LogEntry> = Vec::new();
        while (entries.len() as u64) < *version {
            entries.extend(telling.page_of_log(entries.len() as u64, *version).await?);
        }
        // The names of one moment throughout, so that a record never has the tag of another one.
        let names = names_now(&mut entries, &self.statuses);
        let entries: Vec<_> = entries.into_iter().map(|entry| with_names_of_then(entry, &names)).collect();
        let mut record = export(&viewed.live, &entries)?;
        record.created_by.iter_mut().for_each(|creator| rename(creator, &names));
        record.paired.iter_mut().for_each(|paired| rename(&mut paired.player, &names));
        record.reserved.iter_mut().for_each(|reserved| rename(&mut reserved.player, &names));
        let tag = names_tag(&renamed_in(&record, &names));
        Ok((record, tag))
    }
}

/// The record, from the match and its whole log.
///
/// # Errors
/// [`Unreadable`] if the match has no outcome, or an entry cannot be read.
pub fn export(live: &LiveMatch, entries: &[LogEntry]) -> Result<MatchExport, Unreadable> {
    let StoredMatch { id, terms, creator, seats, seed, outcome, .. } = &*live.stored;
    let mut record = MatchExport {
        format: String::new(),
        match_id: id.clone(),
        game: terms.game.clone(),
        rules_version: terms.rules_version,
        options: serde_json::from_str(terms.options.get())?,
        seats: seats.len() as u8,
        bots: terms
            .bots
            .iter()
            .map(|&SeatedBot { seat, level, version }| RecordedBot { seat, level, version })
            .collect(),
        reserved: terms
            .table
            .reserved
            .iter()
            .map(|ReservedSeat { seat, player }| RecordedReservation { seat: *seat, player: player.clone() })
            .collect(),
        hotseat: terms.table.hotseat,
        from_match: terms.table.from_match.clone(),
        forked_from: terms.table.forked_from.clone(),
        created_by: creator.clone(),
        pool: terms.table.pool.clone(),
        paired: recorded_players(entries),
        tags: terms.table.tags.clone(),
        start: terms.start,
        move_time_seconds: terms.move_time_seconds,
        clock: terms.clock.map(RecordedClock::from),
        undo: live.undo_terms(),
        hints: live.gives_hints(),
        rated: terms.is_rated(),
        seed: seed.reveal(),
        commitment: seed.commitment(id),
        steps: entries.iter().map(|entry| export_step(&*live.game, entry)).collect::<Result<_, _>>()?,
        outcome: outcome.clone().ok_or_else(|| Unreadable::new("a finished match has no outcome"))?,
    };
    record.format = record.lowest_format().to_owned();
    Ok(record)
}

/// The players whom the service paired, as the creation names them.
fn recorded_players(entries: &[LogEntry]) -> Vec<RecordedPlayer> {
    let Some(LogEntry { cause: Cause::Creation(creation), .. }) = entries.first() else { return Vec::new() };
    let recorded = |PairedPlayer { player, entropy }: &PairedPlayer| RecordedPlayer {
        player: player.clone(),
        entropy: entropy.clone(),
    };
    creation.paired.iter().map(recorded).collect()
}

pub(super) fn export_step(game: &dyn AnyGame, entry: &LogEntry) -> Result<ExportStep, Unreadable> {
    let mut step = ExportStep {
        version: entry.version,
        at: entry.at.rfc3339(),
        events: events(game, entry)?,
        ..ExportStep::default()
    };
    let (action, seat) = match &entry.cause {
        Cause::Creation(creation) => match &creation.position {
            None => (ExportAction::Create, creation.seat),
            Some(ForkedPosition { state_version, state }) => {
                let (state_version, state) = (*state_version, state.clone().into());
                step.position = Some(RecordedPosition { state_version, state });
                (ExportAction::Fork, creation.seat)
            }
        },
        Cause::Action(action) => export_action(action, &mut step)?,
    };
    step.action = action;
    step.seat = seat;
    Ok(step)
}

/// The action and the seat concerned; what else belongs to it goes into `step`.
fn export_action(action: &Action, step: &mut ExportStep) -> Result<(ExportAction, Option<Seat>), Unreadable> {
    Ok(match action {
        Action::Join { seat, player, entropy } | Action::JoinByInvite { seat, player, entropy, .. } => {
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
        Action::Abort | Action::CallOff { .. } => return Err(Unreadable::new("a finished match was called off")),
        Action::Move { seat, mv, cut, planned } => {
            step.mv = Some(mv.clone().into());
            (step.cut_short, step.planned) = (*cut, *planned);
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
        Action::Hint { seat } => (ExportAction::Hint, Some(*seat)),
        Action::Undo { seat, to_version } => {
            step.to_version = Some(*to_version);
            (ExportAction::Undo, Some(*seat))
        }
        Action::OfferTakeback { seat, to_version } => {
            step.to_version = Some(*to_version);
            (ExportAction::OfferTakeback, Some(*seat))
        }
        Action::AcceptTakeback { seat } => (ExportAction::AcceptTakeback, Some(*seat)),
        Action::DeclineTakeback { seat } => (ExportAction::DeclineTakeback, Some(*seat)),
        Action::Decline { seat } => (ExportAction::Decline, Some(*seat)),
        Action::Reserve { seat, player } => {
            step.player = Some(player.clone());
            (ExportAction::Reserve, Some(*seat))
        }
        Action::EndReservations => (ExportAction::EndReservations, None),
        // Of the code there is nothing in a record, not even its hash.
        Action::Invite { invite } => (ExportAction::Invite, invite.seat),
        Action::Substitute { seat, player, .. } => {
            step.player = Some(player.clone());
            (ExportAction::Substitute, Some(*seat))
        }
        Action::Kick { seat } => (ExportAction::Kick, Some(*seat)),
        Action::Timeout { seat, consequence } => {
            step.consequence = Some(*consequence);
            (ExportAction::Timeout, Some(*seat))
        }
        Action::Return { seat } => (ExportAction::Return, Some(*seat)),
        Action::Adjudicate { ruling, reason } => {
            (step.ruling, step.reason) = (ruling.clone(), Some(reason.clone()));
            (ExportAction::Adjudicate, None)
        }
        Action::ClockCredit { seats, milliseconds, reason, by } => {
            let (seats, milliseconds, reason, by) = (seats.clone(), *milliseconds, *reason, *by);
            step.credit = Some(RecordedCredit { seats, milliseconds, reason, by });
            (ExportAction::ClockCredit, None)
        }
    })
}

fn events(game: &dyn AnyGame, entry: &LogEntry) -> Result<Vec<Verbatim>, Unreadable> {
    let mut told: Vec<Verbatim> = Vec::with_capacity(entry.events.len());
    for event in &entry.events {
        told.extend(redacted::tell_one(game, event, Viewer::Omniscient)?.map(Verbatim::from));
    }
    Ok(told)
}
