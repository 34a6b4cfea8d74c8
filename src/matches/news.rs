//! News of a match, for players who do not follow it and for operators.
//!
//! Invariant: news is made of the public face of a match. Its types hold no move, view, state or event of a game, so two
//! matches that differ in hidden things alone make the same news.

use serde::{Deserialize, Serialize};

use crate::model::events::{DeclineReason, LifeEvent, StoredEvent};
use crate::model::log::LogEntry;
use crate::table::live_match::LiveMatch;
use sarsen_accounts::notifications::{Listeners, NotificationType};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::{Outcome, Seat};
use sarsen_store::{Job, JobKind, Stage, StoreError, Work};

/// The shortest turn of which the player is reminded, in milliseconds: an hour.
const REMINDED_MILLIS: i64 = 60 * 60 * 1000;

/// One piece of news for one player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct News {
    /// Its type.
    pub kind: NotificationType,
    /// The player's seat, or the seat that the news is about.
    pub seat: Seat,
    /// The player.
    pub player: PlayerId,
    /// The deadline of the turn that it is about, where a clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<Timestamp>,
    /// The change of the player's rating that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingNews>,
}

/// The change of a rating, in whole points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RatingNews {
    /// The board.
    pub board: String,
    /// The rating before.
    pub before: i64,
    /// The rating after.
    pub after: i64,
}

/// The news of one step of a match, or of what has followed from it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchNews {
    /// The match.
    pub match_id: MatchId,
    /// Its game.
    pub game: String,
    /// The version that the step made.
    pub version: u64,
    /// The moment of the step.
    pub at: Timestamp,
    /// The stage of the match.
    pub status: Stage,
    /// The result, at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The news of each player.
    pub news: Vec<News>,
}

impl Work for MatchNews {
    const NAME: &'static str = "news of a match";
}

impl News {
    /// News with nothing but its type, the seat and the player.
    pub fn of(kind: NotificationType, seat: Seat, player: PlayerId) -> News {
        News { kind, seat, player, deadline_at: None, rating: None }
    }
}

impl MatchNews {
    /// The news of the step from `before` to `live` for those who listen, if there is any.
    pub(crate) fn of(
        before: Option<&LiveMatch>,
        live: &LiveMatch,
        entry: &LogEntry,
        listeners: &Listeners,
    ) -> Option<MatchNews> {
        if listeners.is_empty() || live.is_alone() || live.is_analysis() {
            return None;
        }
        let mut news = Vec::new();
        for event in &entry.events {
            if let StoredEvent::Life(event) = event {
                of_event(event, before, live, &mut news);
            }
        }
        news.extend(of_turns(before, live));
        if !news.is_empty() {
            let listening = listeners.among(news.iter().map(|news: &News| news.player.clone()));
            news.retain(|news| listening.contains(&news.player));
        }
        (!news.is_empty()).then(|| MatchNews {
            match_id: live.stored.id.clone(),
            game: live.stored.terms.game.clone(),
            version: live.stored.version,
            at: entry.at,
            status: live.stored.stage,
            outcome: live.stored.outcome.clone(),
            news,
        })
    }

    /// The jobs of the news: one that notifies now, and one for each reminder. Their ids keep them single.
    ///
    /// # Errors
    /// If the news cannot be written.
    pub(crate) fn jobs(mut self, live: &LiveMatch) -> Result<Vec<Job>, StoreError> {
        let name = format!("{}.{}.{}", self.match_id, self.version, live.stamp);
        let mut jobs = Vec::with_capacity(1);
        for news in self.news.iter().filter(|news| news.kind.is_of_turn()) {
            if let Some(at) = self.reminded_at(news) {
                let news = News { kind: NotificationType::TurnReminder, ..news.clone() };
                let id = format!("{name}.{}", news.seat.index());
                jobs.push(MatchNews { news: vec![news], ..self.clone() }.job(id, at)?);
            }
        }
        self.news.retain(|news| news.kind != NotificationType::TurnReminder);
        if !self.news.is_empty() {
            jobs.push(self.job(name, self.at)?);
        }
        Ok(jobs)
    }

    /// The moment of the reminder of a turn that begins with this step, by its deadline: a short turn has none.
    pub fn reminded_at(&self, turn: &News) -> Option<Timestamp> {
        let whole = turn.deadline_at?.0.saturating_sub(self.at.0);
        (whole >= REMINDED_MILLIS).then(|| Timestamp(self.at.0 + whole / 5 * 4))
    }

    /// The job that notifies of it at a moment.
    ///
    /// # Errors
    /// If the news cannot be written.
    pub fn job(&self, id: String, at: Timestamp) -> Result<Job, StoreError> {
        Ok(Job { kind: JobKind::Notify, id, at, body: self.to_body()? })
    }
}

/// The turns that have begun. A seat that had something to decide before is at the table already, and is only reminded.
fn of_turns(before: Option<&LiveMatch>, live: &LiveMatch) -> Vec<News> {
    let (had, alone) = (before.map(LiveMatch::to_act).unwrap_or_default(), live.stored.seats.len() == 1);
    let acting = live.to_act().iter().filter(|seat| !alone && !live.is_taken_over(*seat));
    let news = acting.filter_map(|seat| {
        let goes_on = || before.and_then(|before| before.turn_began(seat)) == live.turn_began(seat);
        let kind = match had.contains(seat) {
            false => NotificationType::TurnStarted,
            true if goes_on() => return None,
            true => NotificationType::TurnReminder,
        };
        let (player, deadline_at) = (live.holder(seat)?.id.clone(), live.deadline(seat));
        Some(News { deadline_at, ..News::of(kind, seat, player) })
    });
    news.collect()
}

fn of_event(event: &LifeEvent, before: Option<&LiveMatch>, live: &LiveMatch, news: &mut Vec<News>) {
    let mut tell = |kind, seat, player: &PlayerId| {
        news.push(News::of(kind, seat, player.clone()));
    };
    let mut everybody = |kind, but: Option<Seat>| {
        for seat in live.seat_count().seats().filter(|seat| Some(*seat) != but) {
            if let Some(player) = live.holder(seat) {
                tell(kind, seat, &player.id);
            }
        }
    };
    match event {
        LifeEvent::MatchCreated(made) if made.pool.is_some() => everybody(NotificationType::TicketMatched, None),
        LifeEvent::MatchStarted(_) => everybody(NotificationType::MatchStarted, None),
        LifeEvent::MatchEnded(_) => everybody(NotificationType::MatchEnded, None),
        LifeEvent::MatchAborted(_) => everybody(NotificationType::MatchAborted, None),
        LifeEvent::DrawOffered(offer) => everybody(NotificationType::DrawOffered, Some(offer.seat)),
        LifeEvent::TakebackOffered(offer) => everybody(NotificationType::TakebackOffered, Some(offer.seat)),
        LifeEvent::PlayerSubstituted(change) => {
            everybody(NotificationType::SeatSubstituted, Some(change.seat));
            tell(NotificationType::SeatSubstituted, change.seat, &change.from.id);
        }
        LifeEvent::PlayerInvited(invited) => tell(NotificationType::MatchInvited, invited.seat, &invited.player.id),
        LifeEvent::InvitationDeclined(declined) if declined.reason == DeclineReason::Declined => {
            if let Some(creator) = &live.stored.creator {
                tell(NotificationType::InvitationDeclined, declined.seat, &creator.id);
            }
        }
        LifeEvent::PlayerRemoved(removed) => {
            let stored = before.and_then(|before| before.stored.seats.get(removed.seat.index()));
            if let Some(player) = stored.and_then(|stored| stored.player.as_ref().or(stored.reserved.as_ref())) {
                tell(NotificationType::PlayerRemoved, removed.seat, &player.id);
            }
        }
        _ => {}
    }
}
