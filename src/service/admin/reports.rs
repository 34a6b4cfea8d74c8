//! Reports of players, and their answers.

use super::{Administration, Audited};
use sarsen_accounts::people::{PeopleRefused, Report, ReportPage, ReportQuery};
use sarsen_base::ids::ReportId;

impl Administration {
    /// A page of reports.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn reports(&self, _: &Audited, query: &ReportQuery) -> Result<ReportPage, PeopleRefused> {
        self.people.reports(query).await
    }

    /// Closes a report with an answer.
    ///
    /// # Errors
    /// [`PeopleRefused::ReportNotFound`], or that the store is away.
    pub async fn answer_report(&self, _: &Audited, id: &ReportId, answer: &str) -> Result<Report, PeopleRefused> {
        self.people.answer_report(id, answer).await
    }
}
