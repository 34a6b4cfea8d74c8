//! Reports of players to the operators: items of the service, of which the newest `reports_kept` are kept.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::relations::{People, PeopleRefused, Result};
use crate::players::Player;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, ReportId};
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, Replaced, ReplayKey, Reservation, StoreError};

/// The longest reason and the longest answer, in bytes.
pub const REPORT_TEXT_MAX: usize = 2000;

/// For so long a report counts against the bound of its author, in seconds.
const DAY_SECONDS: u32 = 24 * 60 * 60;

/// The number of times that a write starts again because others were quicker.
const ATTEMPTS: usize = 32;

/// The states of a report. More may come: ignore one that you do not know.
///
/// - `open`: No operator has answered it.
/// - `closed`: An operator has answered it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// No operator has answered it.
    Open,
    /// An operator has answered it.
    Closed,
}

/// A report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    #[serde(rename = "v")]
    form: u16,
    /// The player who made it.
    pub by: PlayerId,
    /// The player whom it is about.
    pub player: PlayerId,
    /// The match that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// The author's words.
    pub reason: String,
    /// The time of its making.
    pub at: Timestamp,
    /// The words of the operator who closed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The time of its closing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

sarsen_store::formed!(Report, "report", "v", &[]);

impl Report {
    /// The state.
    pub fn state(&self) -> ReportState {
        if self.closed_at.is_some() { ReportState::Closed } else { ReportState::Open }
    }
}

/// A question for reports.
#[derive(Clone, Debug, Default)]
pub struct ReportQuery {
    /// Only those in this state.
    pub state: Option<ReportState>,
    /// Only those about this player.
    pub player: Option<PlayerId>,
    /// Only those that this player made.
    pub by: Option<PlayerId>,
    /// Only those made before this one.
    pub before: Option<ReportId>,
    /// At most this many.
    pub limit: usize,
}

/// A page of reports.
#[derive(Clone, Debug)]
pub struct ReportPage {
    /// The reports, newest first.
    pub items: Vec<(ReportId, Report)>,
    /// The last one of this page, if more may follow.
    pub next: Option<ReportId>,
}

impl People {
    /// Reports a player, whom [`People::other`] has found, to the operators, about this match if any.
    ///
    /// # Errors
    /// [`PeopleRefused::ReportedEnough`], or that the store is away.
    pub async fn report(
        &self,
        by: &PlayerId,
        Player { id: player, .. }: Player,
        match_id: Option<MatchId>,
        reason: String,
    ) -> Result<ReportId> {
        let id = ReportId::generate(&self.ambient);
        self.count_report(by, &id).await?;
        let report = Report {
            form: Report::FORMS.present(),
            by: by.clone(),
            player,
            match_id,
            reason,
            at: self.ambient.now(),
            answer: None,
            closed_at: None,
        };
        let written = report.encode()?;
        for _ in 0..ATTEMPTS {
            match self.replace_report(&id, None, Some(written.clone())).await? {
                Replaced::Done => return Ok(id),
                Replaced::Differs => return Err(StoreError::Corrupt(format!("a fresh id is taken: {id}")).into()),
                Replaced::Full => self.make_room().await?,
            }
        }
        Err(StoreError::Unavailable("others made reports again and again".into()).into())
    }

    /// Takes one of the slots that a player has for reports; each is free again after a day.
    async fn count_report(&self, by: &PlayerId, id: &ReportId) -> Result<()> {
        let most = self.players.bounds().reports_per_day;
        for slot in 0..most {
            // No client can send a key that begins with a blank.
            let key = ReplayKey { player: by.clone(), key: format!(" report {slot}") };
            let mine = Reservation { id: id.as_str().to_owned(), fingerprint: "report".to_owned() };
            if self.store.reserve(&key, mine.clone(), DAY_SECONDS).await? == mine {
                return Ok(());
            }
        }
        Err(PeopleRefused::ReportedEnough(most))
    }

    /// Makes room for one more report: closed ones go before open ones, and the oldest first.
    async fn make_room(&self) -> Result<()> {
        let mut kept = Vec::new();
        for (id, stored) in self.store.items(&ItemOwner::Service, ItemKind::Report).await? {
            let Ok(id) = id.parse::<ReportId>() else { continue };
            let state = Report::decode(&stored)?.state();
            kept.push((state == ReportState::Open, id, stored));
        }
        // Where the operator has lowered the bound, more than one goes.
        let surplus = (kept.len() + 1).saturating_sub(self.reports_kept()).max(1);
        kept.sort_by_key(|(open, ..)| *open);
        for (_, id, stored) in &kept[..surplus.min(kept.len())] {
            self.replace_report(id, Some(stored), None).await?;
        }
        Ok(())
    }

    fn reports_kept(&self) -> usize {
        self.players.bounds().reports_kept as usize
    }

    async fn replace_report(
        &self,
        id: &ReportId,
        found: Option<&[u8]>,
        by: Option<Vec<u8>>,
    ) -> Result<Replaced, StoreError> {
        let most = self.reports_kept();
        self.store.replace_item(&ItemOwner::Service, ItemKind::Report, id.as_str(), found, by, most).await
    }

    /// A page of reports, newest first.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn reports(&self, query: &ReportQuery) -> Result<ReportPage> {
        let mut items = Vec::new();
        for (name, stored) in self.store.items(&ItemOwner::Service, ItemKind::Report).await?.into_iter().rev() {
            let Ok(id) = name.parse::<ReportId>() else { continue };
            if query.before.as_ref().is_some_and(|before| id >= *before) {
                continue;
            }
            let report = Report::decode(&stored)?;
            let asked = query.state.is_none_or(|state| state == report.state())
                && query.player.as_ref().is_none_or(|player| *player == report.player)
                && query.by.as_ref().is_none_or(|by| *by == report.by);
            if asked && items.len() == query.limit {
                let next = items.last().map(|(id, _): &(ReportId, Report)| id.clone());
                return Ok(ReportPage { items, next });
            }
            if asked {
                items.push((id, report));
            }
        }
        Ok(ReportPage { items, next: None })
    }

    /// Closes a report with an answer, in the place of one before.
    ///
    /// # Errors
    /// [`PeopleRefused::ReportNotFound`], or that the store is away.
    pub async fn answer_report(&self, id: &ReportId, answer: &str) -> Result<Report> {
        for _ in 0..ATTEMPTS {
            let found = self.store.item(&ItemOwner::Service, ItemKind::Report, id.as_str()).await?;
            let found = found.ok_or(PeopleRefused::ReportNotFound)?;
            let report = Report::decode(&found)?;
            let closed_at = report.closed_at.or_else(|| Some(self.ambient.now()));
            let closed = Report { answer: Some(answer.to_owned()), closed_at, ..report };
            if self.replace_report(id, Some(&found), Some(closed.encode()?)).await? == Replaced::Done {
                return Ok(closed);
            }
        }
        Err(StoreError::Unavailable("a report was changed by others again and again".into()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report as form 1 has it.
    const REPORT_1: &str = r#"{"v":1,"by":"p_00000000000000000000000000000001","player":"p_00000000000000000000000000000002","match_id":"m_00000000000000000000000000000003","reason":"insults","at":1,"answer":"warned","closed_at":2}"#;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let read = Report::decode(REPORT_1.as_bytes()).unwrap();
        assert_eq!(read.state(), ReportState::Closed);
        assert_eq!(String::from_utf8(read.encode().unwrap()).unwrap(), REPORT_1);
    }
}
