//! Stream tickets: a way in for event sources, which cannot send headers.
//!
//! Invariants: a ticket works once, within [`TICKET_SECONDS`]; it authenticates the session or the program that asked
//! for it, so a ticket of a revoked session or of an expired token opens nothing. Exactly one text parses to a ticket,
//! and `Debug` never shows it.
//!
//! The places where a ticket may be used are deliberately absent: its caller decides that.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::auth::{Principal, Program, Revocations};
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::{ExpiringStore, StoreError, upgrade};

/// The time for which a ticket can be used, in seconds.
pub const TICKET_SECONDS: u32 = 60;

const PREFIX: &str = "t_";
const TICKET_BYTES: usize = 16;

/// A ticket: 16 random bytes that nobody but its client knows.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket([u8; TICKET_BYTES]);

/// A text that is no ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a ticket")]
pub struct MalformedTicket;

impl Ticket {
    /// The text to hand to the client, and to nobody else.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(self.0))
    }

    /// Returns the key of the ticket in the store.
    fn key(&self) -> String {
        format!("ticket:{}", self.expose())
    }
}

impl FromStr for Ticket {
    type Err = MalformedTicket;
    fn from_str(text: &str) -> Result<Ticket, MalformedTicket> {
        let text = text.strip_prefix(PREFIX).ok_or(MalformedTicket)?;
        let mut bytes = [0; TICKET_BYTES];
        match URL_SAFE_NO_PAD.decode_slice(text, &mut bytes) {
            Ok(TICKET_BYTES) => Ok(Ticket(bytes)),
            _ => Err(MalformedTicket),
        }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket")
    }
}

/// The caller that a ticket authenticates, as stored.
#[derive(Serialize, Deserialize)]
struct Bearer {
    player: PlayerId,
    session: SessionId,
    program: Option<Program>,
}

/// The reason why a ticket was refused.
#[derive(Debug, thiserror::Error)]
pub enum TicketError {
    /// It was used before, is too old, or was never given out; or the token that asked for it has expired.
    #[error("the ticket is not valid")]
    Invalid,
    /// The session that asked for it has been revoked.
    #[error("the session of the ticket has been revoked")]
    Revoked,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes tickets and redeems them.
pub struct StreamTickets {
    tickets: Arc<dyn ExpiringStore>,
    revocations: Arc<Revocations>,
    ambient: Ambient,
}

impl StreamTickets {
    /// Tickets kept in `tickets`; `revocations` are the sessions whose tickets are refused.
    pub fn new(tickets: Arc<dyn ExpiringStore>, revocations: Arc<Revocations>, ambient: Ambient) -> StreamTickets {
        StreamTickets { tickets, revocations, ambient }
    }

    /// Makes a ticket that authenticates `principal`.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn make(&self, principal: &Principal) -> Result<Ticket, StoreError> {
        let ticket = Ticket(self.ambient.bytes());
        let Principal { player, session, program } = principal.clone();
        let bearer = Bearer { player, session, program: program.as_deref().cloned() };
        self.tickets.put_ticket(&ticket.key(), upgrade::encode(&bearer, "ticket")?, TICKET_SECONDS).await?;
        Ok(ticket)
    }

    /// Uses a ticket up; returns the caller that it authenticates.
    ///
    /// # Errors
    /// If the ticket is not valid, or the store is away.
    pub async fn redeem(&self, ticket: &Ticket) -> Result<Principal, TicketError> {
        let value = self.tickets.take_ticket(&ticket.key()).await?.ok_or(TicketError::Invalid)?;
        let Bearer { player, session, program } = upgrade::read(&value, "ticket")?;
        if self.revocations.is_revoked(&session) {
            return Err(TicketError::Revoked);
        }
        let caller = Principal { player, session, program: program.map(Arc::new) };
        if caller.has_expired(self.ambient.now()) { Err(TicketError::Invalid) } else { Ok(caller) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{PlayerKind, ProgramScope};
    use crate::players::tests::service;
    use sarsen_base::ambient::Clock;

    #[test]
    fn a_ticket_round_trips_and_nothing_else_parses() {
        let ticket = Ticket(Ambient::fixed(0, 1).bytes());
        let text = ticket.expose();
        assert_eq!(text.len(), 2 + 22);
        assert_eq!(text.parse::<Ticket>().unwrap(), ticket);
        for wrong in
            ["", "t_", &text[2..], &text[..23], &format!("{text}A"), &format!("{text}=="), &format!("t_{text}")]
        {
            assert_eq!(wrong.parse::<Ticket>(), Err(MalformedTicket), "{wrong}");
        }
        assert_eq!(format!("{ticket:?}"), "Ticket");
    }

    #[tokio::test]
    async fn a_ticket_lets_its_session_in_once() {
        let service = service();
        let principal = service.principal(&service.guest().await);
        let ticket = service.tickets.make(&principal).await.unwrap();
        assert_eq!(service.tickets.redeem(&ticket).await.unwrap(), principal);
        assert!(matches!(service.tickets.redeem(&ticket).await, Err(TicketError::Invalid)));
    }

    #[tokio::test]
    async fn a_ticket_of_a_program_stands_for_the_program_until_its_token_expires() {
        let service = service();
        let person = service.principal(&service.guest().await);
        let program = Program {
            token: "7k2mq9xw".parse().unwrap(),
            scopes: vec![ProgramScope::Read],
            expires_at: service.clock.now().plus_seconds(30),
            kind: PlayerKind::Bot,
            owner: Some(person.player.clone()),
        };
        let principal = Principal { program: Some(Arc::new(program)), ..person };
        let ticket = service.tickets.make(&principal).await.unwrap();
        assert_eq!(service.tickets.redeem(&ticket).await.unwrap(), principal);
        let ticket = service.tickets.make(&principal).await.unwrap();
        service.clock.advance_seconds(30);
        assert!(matches!(service.tickets.redeem(&ticket).await, Err(TicketError::Invalid)));
    }

    #[tokio::test]
    async fn a_ticket_ends_after_a_minute() {
        let service = service();
        let principal = service.principal(&service.guest().await);
        let ticket = service.tickets.make(&principal).await.unwrap();
        service.clock.advance_seconds(60);
        assert!(matches!(service.tickets.redeem(&ticket).await, Err(TicketError::Invalid)));
    }

    #[tokio::test]
    async fn a_ticket_of_a_revoked_session_lets_nobody_in() {
        let service = service();
        let principal = service.principal(&service.guest().await);
        let ticket = service.tickets.make(&principal).await.unwrap();
        service.players.revoke(&principal, crate::players::RevokeScope::ThisSession).await.unwrap();
        assert!(matches!(service.tickets.redeem(&ticket).await, Err(TicketError::Revoked)));
    }
}
