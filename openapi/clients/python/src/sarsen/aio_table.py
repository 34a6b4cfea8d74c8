"""What players do around a match besides moving, with `await`. The build makes `table.py` of it, the same without."""

from __future__ import annotations

import json

from .core.api.matches import (
    call_rematch,
    create_invite,
    create_match,
    decline_invitation,
    get_invite,
    get_review,
    join_by_invite,
    join_match,
    leave_match,
    list_matches,
    order_review,
    reserve_seat,
)
from .core.api.play import (
    accept_draw,
    accept_takeback,
    adjudicate_match,
    claim_absence,
    come_back,
    decline_draw,
    decline_takeback,
    drop_plan,
    get_hint,
    get_plan,
    give_time,
    make_plan,
    offer_draw,
    offer_substitute,
    offer_takeback,
    resign_match,
    undo_move,
)
from .core.api.players import (
    create_pairing_code,
    create_recovery_key,
    end_other_sessions,
    end_session,
    get_summary,
    link_identity,
    list_identities,
    list_sessions,
    unlink_identity,
)
from .core.api.pools import list_pools, take_ticket_back
from .core.api.ratings import (
    get_leaderboard,
    get_leaderboard_player,
    get_match_ratings,
    get_player_ratings,
    get_rating_history,
    list_leaderboards,
)
from .core.client import AuthenticatedClient
from .core.models import (
    AdjudicateMatch,
    BotLevel,
    ClaimRequest,
    CreateInvite,
    GetHint,
    GiveTime,
    Hint,
    Identity,
    IdentityProof,
    Invitation,
    Invite,
    InviteJoinRequest,
    JoinRequest,
    Leaderboard,
    LeaderboardPage,
    LeaderboardRow,
    Match,
    MatchRatings,
    MatchResult,
    MatchReview,
    MatchView,
    OrderReview,
    PairingCode,
    PairingTerms,
    PlanRequest,
    PlanView,
    PlayerRating,
    Pool,
    RatingHistoryPage,
    ReservationRequest,
    ReviewLevel,
    Session,
    SubstituteRequest,
    Summary,
    UndoRequest,
)
from .core.types import UNSET, Unset
from .core.unions import CreateMatch
from .play import ok
from .problems import expected


class AsyncTable:
    """What is done around a match besides moving, one call for each operation. Every client has it."""

    core: AuthenticatedClient
    """For the operations of `sarsen.core.api`."""

    async def create(self, terms: CreateMatch, *, key: str | Unset = UNSET) -> MatchView:
        """Makes a match. `key`: the idempotency key, a new one if left out."""
        return ok(await create_match.asyncio(client=self.core, body=terms, idempotency_key=key))

    async def join(self, match_id: str, request: JoinRequest | None = None, *, key: str | Unset = UNSET) -> MatchView:
        """Takes a seat. `key`: the idempotency key, a new one if left out."""
        body = request or JoinRequest()
        return ok(await join_match.asyncio(match_id, client=self.core, body=body, idempotency_key=key))

    async def lobby(self, game: str | Unset = UNSET) -> list[Match]:
        """The newest open matches that the caller could join."""
        matches: list[Match] = ok(await list_matches.asyncio(client=self.core, game=game, joinable=True)).items
        return matches

    async def pools(self) -> list[Pool]:
        """The pools for playing now."""
        return ok(await list_pools.asyncio(client=self.core)).items

    async def leave_pool(self, pool: str) -> None:
        """Takes the caller's ticket back; one that was matched before raises `already_matched`."""
        await take_ticket_back.asyncio_detailed(pool, client=self.core)

    async def leave(self, match_id: str) -> MatchView:
        """Gives up the caller's seat before the start."""
        return ok(await leave_match.asyncio(match_id, client=self.core))

    async def decline(self, match_id: str) -> MatchView:
        """Gives up the seat that is kept for the caller."""
        return ok(await decline_invitation.asyncio(match_id, client=self.core))

    async def reserve_seat(self, match_id: str, seat: int, player_id: str) -> MatchView:
        """Keeps a free seat for a player before the start, also for one who was sent away. For the creator."""
        body = ReservationRequest(player_id=player_id)
        return ok(await reserve_seat.asyncio(match_id, str(seat), client=self.core, body=body))

    async def pairing_code(self, expires_in_seconds: int = 300) -> PairingCode:
        """A code with which another device goes on as the same player."""
        body = PairingTerms(expires_in_seconds=expires_in_seconds)
        return ok(await create_pairing_code.asyncio(client=self.core, body=body))

    async def recovery_key(self) -> str:
        """A key with which the player comes back without any device, in the place of the one before."""
        return ok(await create_recovery_key.asyncio(client=self.core)).recovery_key

    async def sessions(self) -> list[Session]:
        """The devices on which the player is signed in."""
        return ok(await list_sessions.asyncio(client=self.core)).items

    async def end_session(self, session_id: str) -> None:
        """Ends one of them."""
        await end_session.asyncio_detailed(session_id, client=self.core)

    async def end_other_sessions(self) -> None:
        """Ends all of them but this one."""
        await end_other_sessions.asyncio_detailed(client=self.core)

    async def identities(self) -> list[Identity]:
        """The accounts at outside issuers that are linked to the player."""
        return ok(await list_identities.asyncio(client=self.core)).items

    async def link_identity(self, issuer: str, token: str) -> Identity:
        """Links the account that a token of an outside issuer is about."""
        return ok(await link_identity.asyncio(client=self.core, body=IdentityProof(issuer=issuer, token=token)))

    async def unlink_identity(self, identity_id: str) -> None:
        """Unlinks it."""
        await unlink_identity.asyncio_detailed(identity_id, client=self.core)

    async def summary(self) -> Summary:
        """How many matches wait for the caller, for a badge."""
        summary: Summary = ok(await get_summary.asyncio(client=self.core))
        return summary

    async def match_ratings(self, match_id: str) -> MatchRatings:
        """What a rated match has changed, by seat; `rating_not_ready` for about a second after its end."""
        ratings: MatchRatings = ok(await get_match_ratings.asyncio(match_id, client=self.core))
        return ratings

    async def player_ratings(self, player_id: str) -> list[PlayerRating]:
        """The ratings of a player, by board."""
        ratings: list[PlayerRating] = ok(await get_player_ratings.asyncio(player_id, client=self.core)).items
        return ratings

    async def rating_history(self, player_id: str, board: str, cursor: str | Unset = UNSET) -> RatingHistoryPage:
        """The changes of a player's rating, the newest first; for `paginate`."""
        return ok(await get_rating_history.asyncio(player_id, board, client=self.core, cursor=cursor))

    async def leaderboards(self) -> list[Leaderboard]:
        """The boards."""
        boards: list[Leaderboard] = ok(await list_leaderboards.asyncio(client=self.core)).items
        return boards

    async def leaderboard(self, board: str, cursor: str | Unset = UNSET) -> LeaderboardPage:
        """A page of a board; for `paginate`, all of whose pages show the board as it was at the first."""
        page: LeaderboardPage = ok(await get_leaderboard.asyncio(board, client=self.core, cursor=cursor))
        return page

    async def leaderboard_player(self, board: str, player_id: str, around: int = 5) -> list[LeaderboardRow]:
        """A player's place on a board, with the neighbours on both sides."""
        found = ok(await get_leaderboard_player.asyncio(board, player_id, client=self.core, around=around))
        rows: list[LeaderboardRow] = found.items
        return rows

    async def create_invite(self, match_id: str, request: CreateInvite | None = None) -> Invite:
        """Makes a code with which friends join a match that has not started."""
        return ok(await create_invite.asyncio(match_id, client=self.core, body=request or CreateInvite()))

    async def invitation(self, code: str) -> Invitation:
        """What a code leads to."""
        return ok(await get_invite.asyncio(code, client=self.core))

    async def join_by_invite(self, code: str, request: InviteJoinRequest | None = None) -> MatchView:
        """Takes the seat that a code is for: a free one, or one that is offered to a substitute."""
        return ok(await join_by_invite.asyncio(code, client=self.core, body=request or InviteJoinRequest()))

    async def offer_substitute(self, match_id: str, request: SubstituteRequest | None = None) -> Invite:
        """Makes a code with which somebody takes over the caller's seat, or that of somebody who is away."""
        return ok(await offer_substitute.asyncio(match_id, client=self.core, body=request or SubstituteRequest()))

    async def resign(self, match_id: str) -> MatchView:
        """Gives up the match."""
        return ok(await resign_match.asyncio(match_id, client=self.core))

    async def adjudicate(self, match_id: str, ruling: AdjudicateMatch) -> MatchView:
        """Settles a match that the caller has made for others: with a result, or by calling it off."""
        return ok(await adjudicate_match.asyncio(match_id, client=self.core, body=ruling))

    async def results(self, tag: str, player_id: str | None = None) -> list[MatchResult]:
        """The results of finished matches with a label among those of a player: the caller, if left out."""
        params = {"tag": tag, **({"player": player_id} if player_id else {})}
        answer = await self.core.get_async_httpx_client().get("/v1/matches/results", params=params)
        with expected(answer):
            return [MatchResult.from_dict(json.loads(line)) for line in answer.text.split("\n") if line]

    async def offer_draw(self, match_id: str) -> MatchView:
        """Offers a draw."""
        return ok(await offer_draw.asyncio(match_id, client=self.core))

    async def accept_draw(self, match_id: str) -> MatchView:
        """Accepts the draw on offer."""
        return ok(await accept_draw.asyncio(match_id, client=self.core))

    async def decline_draw(self, match_id: str) -> MatchView:
        """Declines it."""
        return ok(await decline_draw.asyncio(match_id, client=self.core))

    async def claim(self, match_id: str, seat: int) -> MatchView:
        """Has a seat that let the time for its move pass treated as resigned."""
        return ok(await claim_absence.asyncio(match_id, client=self.core, body=ClaimRequest(seat=seat)))

    async def hint(self, match_id: str, level: BotLevel) -> Hint:
        """The move that a bot of this level would make for the caller. Everybody at the table learns of the hint."""
        return ok(await get_hint.asyncio(match_id, client=self.core, body=GetHint(level=level)))

    async def review(self, match_id: str, level: ReviewLevel, *, order: bool = True) -> MatchReview:
        """What each decision of a finished match was worth, once a bot of this level has judged it. `order`: has it made."""
        if order:
            ok(await order_review.asyncio(match_id, client=self.core, body=OrderReview(level=level)))
        while True:
            review: MatchReview = ok(await get_review.asyncio(match_id, client=self.core, level=level, wait=20))
            if review.state not in ("queued", "running"):
                return review

    async def plan(self, match_id: str) -> PlanView:
        """The caller's plan."""
        plan: PlanView = ok(await get_plan.asyncio(match_id, client=self.core))
        return plan

    async def make_plan(self, match_id: str, request: PlanRequest) -> PlanView:
        """Settles moves in advance. Replaces the plan before."""
        return ok(await make_plan.asyncio(match_id, client=self.core, body=request))

    async def drop_plan(self, match_id: str) -> PlanView:
        """Drops the caller's plan."""
        return ok(await drop_plan.asyncio(match_id, client=self.core))

    async def undo(self, match_id: str, to_version: int) -> MatchView:
        """Undoes the caller's own moves of the present turn, as far back as `undo` of the match says."""
        return ok(await undo_move.asyncio(match_id, client=self.core, body=UndoRequest(to_version=to_version)))

    async def offer_takeback(self, match_id: str, to_version: int) -> MatchView:
        """Offers to go back to a version, which is done once all others have accepted."""
        return ok(await offer_takeback.asyncio(match_id, client=self.core, body=UndoRequest(to_version=to_version)))

    async def accept_takeback(self, match_id: str) -> MatchView:
        """Accepts the takeback on offer."""
        return ok(await accept_takeback.asyncio(match_id, client=self.core))

    async def decline_takeback(self, match_id: str) -> MatchView:
        """Declines it."""
        return ok(await decline_takeback.asyncio(match_id, client=self.core))

    async def give_time(self, match_id: str, seat: int, seconds: int) -> MatchView:
        """Adds time to another seat's clock."""
        return ok(await give_time.asyncio(match_id, client=self.core, body=GiveTime(seat=seat, seconds=seconds)))

    async def come_back(self, match_id: str) -> MatchView:
        """Takes the caller's seat back from the bot that has played for them."""
        return ok(await come_back.asyncio(match_id, client=self.core))

    async def rematch(self, match_id: str) -> MatchView:
        """Calls for the match that follows a finished one, or joins it."""
        return ok(await call_rematch.asyncio(match_id, client=self.core))
