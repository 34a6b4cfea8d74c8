//! The commands to matches: seats, start and end, draws, clocks, takebacks and rematches. See [`super::command`].

use actix_web::{HttpResponse, delete, post, put};
use serde::Deserialize;
use utoipa::ToSchema;

use super::command::{Command, IN_PLAY, Parts, commands};
use super::seats::answer;
use super::types::MatchView;
use crate::admin::reason::in_body;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::as_seat::SeatQuery;
use crate::extract::body::RawBody;
use crate::extract::caller::{Playing, Writer};
use crate::extract::params::{Path, Within};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_matches::Unread;
use sarsen_matches::model::adjudication::Adjudication;
use sarsen_matches::model::fairness::SeatEntropy;
use sarsen_matches::timing::TimeGiven;
use sarsen_rules::Seat;

/// Entropy for the dice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntropyRequest {
    /// Any text; it is mixed into the dice.
    #[schema(value_type = String, min_length = 1, max_length = 256, examples("oak, ash and thorn"))]
    entropy: SeatEntropy,
}

/// A claim against an absent player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimRequest {
    /// The seat whose time has run out.
    seat: Seat,
}

/// A match to settle: with `outcome` or with `abort`, one of the two.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdjudicateMatch {
    /// The result of the match.
    #[serde(default)]
    outcome: Option<Adjudication>,
    /// True to call the match off.
    #[serde(default)]
    #[schema(default = false)]
    abort: bool,
    /// The reason, in words that everybody who sees the match may read.
    #[schema(min_length = 1, max_length = 500, examples("seat 1 did not appear for round 3"))]
    reason: String,
}

impl AdjudicateMatch {
    fn read(self) -> Result<(Option<Adjudication>, String), Problem> {
        if self.outcome.is_some() == self.abort {
            let detail = "exactly one of `outcome` and `abort: true` is given";
            return Err(Problem::new(Code::InvalidRequest).path("outcome").detail(detail));
        }
        Ok((self.outcome, in_body(&self.reason)?.as_str().to_owned()))
    }
}

/// The seconds that one gift of time may have: 5 to a day.
type Gift = Within<5, 86_400>;

/// Time to give.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GiveTime {
    /// The seat that gets it.
    seat: Seat,
    /// The number of seconds to give.
    #[schema(value_type = u32, minimum = 5, maximum = 86400)]
    seconds: Gift,
}

impl GiveTime {
    fn parse(self) -> TimeGiven {
        TimeGiven { seat: self.seat, seconds: self.seconds.get() }
    }
}

/// A version; no match has more.
pub(super) type Version = Within<1, { u32::MAX }>;

/// The version to go back to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoRequest {
    /// The version whose state the match is to have again.
    #[schema(value_type = i64, minimum = 1, maximum = 4294967295_i64, examples(17))]
    to_version: Version,
}

impl UndoRequest {
    fn version(self) -> u64 {
        self.to_version.get().into()
    }
}

commands! {
    /// Leave a match
    ///
    /// Gives up the caller's seat before the start. After the start, resign.
    leave_match "leaveMatch" post "/v1/matches/{match_id}/leave" in "matches", scope "play",
        params(MatchId, SeatQuery), by(Writer), once true,
        refuses([Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::HotseatOnly, Code::Conflict,
            Code::MatchNotOpen]),
        answers "The match without the caller.",
        |it| it.service.matches.leave(&it.reader(), &it.id, it.once());

    /// Start a match
    ///
    /// For the creator of a match with `start: "manual"` (or of any open match), when every seat is taken.
    start_match "startMatch" post "/v1/matches/{match_id}/start" in "matches", scope "play",
        params(MatchId), by(Playing), once true,
        refuses([Code::MatchNotFound, Code::Forbidden, Code::MatchExpired, Code::MatchNotOpen, Code::SeatsOpen,
            Code::Conflict]),
        answers "The match, started.",
        |it| it.service.matches.start(&it.reader(), &it.id, it.once());

    /// Call a match off
    ///
    /// For the creator, before the start.
    abort_match "abortMatch" post "/v1/matches/{match_id}/abort" in "matches", scope "play",
        params(MatchId), by(Writer), once true,
        refuses([Code::MatchNotFound, Code::Forbidden, Code::MatchNotOpen, Code::Conflict]),
        answers "The match, called off.",
        |it| it.service.matches.abort(&it.reader(), &it.id, it.once());

    /// Give entropy to the dice
    ///
    /// Replaces what the caller gave before; possible until the start. The service committed itself to its own part of the
    /// dice when the match was created, so once any seat's entropy is in them, nobody can have chosen them.
    give_entropy "giveEntropy" put "/v1/matches/{match_id}/entropy" in "matches", scope "play",
        params(MatchId, SeatQuery), body(EntropyRequest), by(Playing, RawBody), once false,
        refuses([Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::HotseatOnly, Code::Conflict,
            Code::MatchNotOpen]),
        answers "The match.",
        |it| it.service.matches.give_entropy(&it.reader(), &it.id, it.body(|asked: EntropyRequest| asked.entropy));

    /// Adjudicate a match
    ///
    /// For an organiser: the creator of a match with `tags` that is not rated and at which they have never sat. They
    /// end it during play, with a result (`outcome`, whose `ending` is `adjudicated`) or without one (`abort`). The
    /// event `match_adjudicated` shows the reason to everybody who follows the match, and the record contains it.
    adjudicate_match "adjudicateMatch" post "/v1/matches/{match_id}/adjudicate" in "play", scope "create",
        params(MatchId), body(AdjudicateMatch), by(Playing, RawBody), once true,
        refuses([Code::MatchNotFound, Code::Forbidden, Code::MatchNotPlaying, Code::MatchOver, Code::Conflict]),
        answers "The match, settled.",
        |it| it.service.matches.adjudicate(&it.reader(), &it.id,
            it.body(AdjudicateMatch::read).and_then(|ruling| ruling.map_err(Unread::new)), it.once());

    /// Resign
    ///
    /// Ends a solo or cooperative match as lost. With two seats, the other wins; with more, the seat ranks last and a fixed
    /// rule makes its decisions from then on.
    resign_match "resignMatch" post "/v1/matches/{match_id}/resign" in "play", scope "play",
        params(MatchId, SeatQuery), by(Writer), once true,
        refuses(IN_PLAY),
        answers "The match after it.",
        |it| it.service.matches.resign(&it.reader(), &it.id, it.once());

    /// Claim against an absent player
    ///
    /// Once a seat has let `move_time_seconds` pass, any other seat may have it treated as resigned. Not where the match has a
    /// clock: there the service sees to it.
    claim_absence "claimAbsence" post "/v1/matches/{match_id}/claim" in "play", scope "play",
        params(MatchId, SeatQuery), body(ClaimRequest), by(Playing, RawBody), once true,
        refuses(IN_PLAY, [Code::ClaimNotPossible, Code::ClaimTooEarly, Code::NoSuchSeat]),
        answers "The match after it.",
        |it| it.service.matches.claim(&it.reader(), &it.id, it.body(|asked: ClaimRequest| asked.seat), it.once());

    /// Give time
    ///
    /// Adds time to the clock of another seat. It is in the bank at once, also beyond `max_bank_seconds`, which counts again
    /// after the seat's next turn; in a first turn that has a time of its own, it is added to that. A seat may give time 20
    /// times between two moves of its own. In a live match a seat can be given, until its next turn is over, as much as
    /// `initial_seconds` and `increment_seconds` together, or 300 seconds if that is more.
    give_time "giveTime" post "/v1/matches/{match_id}/clock/give" in "play", scope "play",
        params(MatchId, SeatQuery), body(GiveTime), by(Playing, RawBody), once true,
        refuses(IN_PLAY, [Code::NoSuchSeat, Code::NoClock, Code::ClockFixed]),
        answers "The match after it.",
        |it| it.service.matches.give_time(&it.reader(), &it.id, it.body(GiveTime::parse), it.once());

    /// Come back
    ///
    /// Gives the caller's seat back to them, for which a bot plays since their time has run out, from the seat's next decision
    /// on; doing so again returns the match as it is. It also ends an offer of the caller's seat to a substitute that was
    /// made because their time had run out.
    come_back "comeBack" post "/v1/matches/{match_id}/return" in "play", scope "play",
        params(MatchId, SeatQuery), by(Playing), once true,
        refuses(IN_PLAY, [Code::NotSubstituted]),
        answers "The match after it.",
        |it| it.service.matches.come_back(&it.reader(), &it.id, it.once());

    /// Offer a draw
    ///
    /// Possible once in each turn of one's own. The offer is open until it is declined, a seat that has not agreed
    /// moves, or a seat resigns.
    offer_draw "offerDraw" post "/v1/matches/{match_id}/draw/offer" in "play", scope "play",
        params(MatchId, SeatQuery), by(Playing), once true,
        refuses(IN_PLAY, [Code::DrawNotSupported, Code::DrawOffered]),
        answers "The match with the offer.",
        |it| it.service.matches.offer_draw(&it.reader(), &it.id, it.once());

    /// Accept a draw
    ///
    /// The match ends as a draw once every seat has agreed.
    accept_draw "acceptDraw" post "/v1/matches/{match_id}/draw/accept" in "play", scope "play",
        params(MatchId, SeatQuery), by(Playing), once true,
        refuses(IN_PLAY, [Code::DrawNotSupported, Code::NoDrawOffer]),
        answers "The match after it.",
        |it| it.service.matches.accept_draw(&it.reader(), &it.id, it.once());

    /// Decline a draw
    ///
    /// Takes the offer off the table; another may follow.
    decline_draw "declineDraw" post "/v1/matches/{match_id}/draw/decline" in "play", scope "play",
        params(MatchId, SeatQuery), by(Writer), once true,
        refuses(IN_PLAY, [Code::DrawNotSupported, Code::NoDrawOffer]),
        answers "The match without the offer.",
        |it| it.service.matches.decline_draw(&it.reader(), &it.id, it.once());

    /// Undo moves
    ///
    /// Puts the match back to the state of an earlier version, over the caller's own moves of the present turn. It
    /// needs nobody's consent, and everybody sees it. `undo` of a match says how far that goes: not past a step in
    /// which chance had a part or something hidden was shown. Draw offers, takeback offers and hints of others
    /// meanwhile do not prevent an undo. An undo is a step like any other, so the version rises, and decisions open
    /// again. Going to a version that was itself undone in this turn redoes its moves, also where `undo` is null
    /// because the turn is back at its beginning. A player may undo 20 times in a match, and without limit where they
    /// hold every seat. Going to the present version changes nothing.
    undo_move "undoMove" post "/v1/matches/{match_id}/undo" in "play", scope "play",
        params(MatchId, SeatQuery), body(UndoRequest), by(Playing, RawBody), once true,
        refuses(IN_PLAY, [Code::VersionNotFound, Code::UndoOff, Code::UndoBarrier]),
        answers "The match, put back.",
        |it| it.service.matches.undo(&it.reader(), &it.id, it.body(UndoRequest::version), it.once());

    /// Offer a takeback
    ///
    /// Offers to put the match back to the state of an earlier version, over anybody's moves. It is done when every
    /// other player has accepted; bots always do, so against bots alone it is done at once. An offer lapses with any
    /// move, and a seat may make one for each turn of its own, however many moves that has. Possible where `undo` of the
    /// match is `consent`; nothing goes back behind a step in which chance had a part or something hidden was shown. With
    /// the version at which the match is nothing changes, and nothing is offered. The bounds are those of `undoMove`.
    offer_takeback "offerTakeback" post "/v1/matches/{match_id}/takeback" in "play", scope "play",
        params(MatchId, SeatQuery), body(UndoRequest), by(Playing, RawBody), once true,
        refuses(IN_PLAY, [Code::VersionNotFound, Code::UndoOff, Code::UndoBarrier, Code::TakebackOffered]),
        answers "The match with the offer, or put back.",
        |it| it.service.matches.offer_takeback(&it.reader(), &it.id, it.body(UndoRequest::version), it.once());

    /// Accept a takeback
    ///
    /// The match is put back once every other player has agreed.
    accept_takeback "acceptTakeback" post "/v1/matches/{match_id}/takeback/accept" in "play", scope "play",
        params(MatchId, SeatQuery), by(Playing), once true,
        refuses(IN_PLAY, [Code::NoTakebackOffer]),
        answers "The match after it.",
        |it| it.service.matches.accept_takeback(&it.reader(), &it.id, it.once());

    /// Decline a takeback
    ///
    /// Takes the offer off the table.
    decline_takeback "declineTakeback" post "/v1/matches/{match_id}/takeback/decline" in "play", scope "play",
        params(MatchId, SeatQuery), by(Writer), once true,
        refuses(IN_PLAY, [Code::NoTakebackOffer]),
        answers "The match without the offer.",
        |it| it.service.matches.decline_takeback(&it.reader(), &it.id, it.once());

    /// Decline an invitation
    ///
    /// Gives up the seat that a match which has not started keeps for the caller; anybody may take it then. A rematch of two is
    /// called off.
    decline_invitation "declineInvitation" post "/v1/matches/{match_id}/decline" in "matches", scope "play",
        params(MatchId), by(Writer), once true,
        refuses([Code::MatchNotFound, Code::NotInvited, Code::Conflict, Code::MatchNotOpen]),
        answers "The match without the reservation.",
        |it| it.service.matches.decline(&it.reader(), &it.id, it.once());

    /// Call for a rematch
    ///
    /// For the players who sat in a match that has finished. The first call makes a match with the same terms, in which
    /// everybody sits one seat further on, bots too; the caller takes their seat, and the others' are kept for them:
    /// for ten minutes where a decision had to be made within less than an hour, else for a day. The others call the
    /// same operation and sit down. Called again, it answers that match as it is; where that was called off before its
    /// start, because the other declined or did not come, it makes another.
    call_rematch "callRematch" post "/v1/matches/{match_id}/rematch" in "matches", scope "create",
        params(MatchId), by(Playing), once true,
        refuses([Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::MatchNotOver, Code::RematchOff,
            Code::PlayerNotFound, Code::TooManyOpen, Code::TooManyWithBots, Code::MatchExpired, Code::MatchNotOpen,
            Code::MatchFull, Code::SeatReserved, Code::Conflict]),
        answers "The match that follows, with the caller in it.",
        |it| it.service.matches.rematch(&it.reader(), it.service.seated(&it.caller).await?, &it.id,
            async || it.count_table().await, it.once());

    /// Decline a rematch
    ///
    /// Gives up the seat that the rematch of a finished match keeps for the caller. With two seats the rematch is called off.
    /// Doing so again returns the match as it is.
    decline_rematch "declineRematch" delete "/v1/matches/{match_id}/rematch" in "matches", scope "play",
        params(MatchId), by(Writer), once false,
        refuses([Code::MatchNotFound, Code::NotSeated, Code::MatchNotOver, Code::RematchOff, Code::NotInvited,
            Code::MatchNotOpen, Code::Conflict]),
        answers "The match that follows, without the reservation.",
        |it| it.service.matches.decline_rematch(&it.caller.player, &it.id);
}
