//! Revoking operators' tokens.

use super::{Administration, Audited};
use sarsen_base::ids::{OperatorTokenId, PlayerId};
use sarsen_store::StoreError;

impl Administration {
    /// Has an operator's token refused, on this instance at once and on all others within ten seconds, until it would have
    /// expired. Whether there is such a token nobody knows, for tokens are not stored.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn revoke_token(&self, _: &Audited, token: &OperatorTokenId) -> Result<(), StoreError> {
        let (session, until) = self.tokens.operator_revocation(token);
        // It is on no player's list of sessions.
        let nobody = PlayerId::from_number(0);
        self.sessions.revoke_session(&session, &nobody, until).await?;
        self.tokens.revocations().insert(session, until);
        Ok(())
    }
}
