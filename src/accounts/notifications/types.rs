//! The types of notifications.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! types {
    ($(#[$meta:meta])* pub enum $enum:ident { $(#[$doc:meta] $variant:ident $name:tt,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
        pub enum $enum {
            $(#[$doc] #[serde(rename = $name)] $variant,)+
        }

        impl $enum {
            /// All of them.
            pub const ALL: &[$enum] = &[$($enum::$variant),+];

            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }
        }
    };
}

types! {
    /// The types of notifications. More may come: ignore one that you do not know.
    ///
    /// - `match.invited`: A seat is kept for the player.
    /// - `match.invitation_declined`: Somebody whom the player had invited does not come.
    /// - `match.removed`: The creator sent the player away before the start.
    /// - `match.substituted`: Somebody took over a seat of the match.
    /// - `match.started`: The match started.
    /// - `match.turn_started`: It is the player's turn.
    /// - `match.turn_reminder`: Four fifths of the player's time for a turn of an hour or more are gone.
    /// - `match.draw_offered`: Another player offers a draw.
    /// - `match.takeback_offered`: Another player asks to take moves back.
    /// - `match.ended`: The match ended.
    /// - `match.aborted`: The match was called off.
    /// - `ticket.matched`: A pool has paired the player: the match of their ticket is there.
    /// - `rating.changed`: A match has changed the player's rating.
    /// - `session.started`: A further device was signed in to the player's account.
    /// - `player.deleted`: A player has left for good. Operators only.
    /// - `webhook.disabled`: A webhook was switched off. Operators only.
    /// - `webhook.test`: A test, which is sent when it is asked for.
    pub enum NotificationType {
        /// A seat is kept for the player.
        MatchInvited "match.invited",
        /// Somebody whom the player had invited does not come.
        InvitationDeclined "match.invitation_declined",
        /// The creator sent the player away before the start.
        PlayerRemoved "match.removed",
        /// Somebody took over a seat of the match.
        SeatSubstituted "match.substituted",
        /// The match started.
        MatchStarted "match.started",
        /// It is the player's turn.
        TurnStarted "match.turn_started",
        /// Four fifths of the player's time for a turn are gone.
        TurnReminder "match.turn_reminder",
        /// Another player offers a draw.
        DrawOffered "match.draw_offered",
        /// Another player asks to take moves back.
        TakebackOffered "match.takeback_offered",
        /// The match ended.
        MatchEnded "match.ended",
        /// The match was called off.
        MatchAborted "match.aborted",
        /// A pool has paired the player.
        TicketMatched "ticket.matched",
        /// A match has changed the player's rating.
        RatingChanged "rating.changed",
        /// A further device was signed in to the player's account.
        SessionStarted "session.started",
        /// A player has left for good.
        PlayerDeleted "player.deleted",
        /// A webhook was switched off.
        WebhookDisabled "webhook.disabled",
        /// A test.
        Test "webhook.test",
    }
}

impl NotificationType {
    /// Returns true for one that players are not told.
    pub const fn is_for_operators(self) -> bool {
        matches!(self, NotificationType::PlayerDeleted | NotificationType::WebhookDisabled)
    }

    /// Returns true for one of a turn, which is not told any more once the turn is over.
    pub const fn is_of_turn(self) -> bool {
        matches!(self, NotificationType::TurnStarted | NotificationType::TurnReminder)
    }
}

/// The error for a text that names no type of this release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no such type of notification")]
pub struct UnknownNotificationType;

impl FromStr for NotificationType {
    type Err = UnknownNotificationType;
    fn from_str(text: &str) -> Result<NotificationType, UnknownNotificationType> {
        NotificationType::ALL.iter().copied().find(|kind| kind.name() == text).ok_or(UnknownNotificationType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_on_the_wire_and_in_the_schema() {
        let schema = serde_json::to_value(<NotificationType as utoipa::PartialSchema>::schema()).unwrap();
        let names: Vec<&str> = NotificationType::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(schema["enum"], serde_json::json!(names));
        for kind in NotificationType::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!("match.turn".parse::<NotificationType>(), Err(UnknownNotificationType));
    }
}
