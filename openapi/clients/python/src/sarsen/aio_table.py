"""What players do around a match besides moving, with `await`. The build makes `table.py` of it, the same without."""

from __future__ import annotations

from .core.api.matches import (
    call_rematch,
    create_invite,
    create_match,
    decline_invitation,
    get_invite,
    join_by_invite,
    join_match,
)
from .core.api.play import (
    accept_takeback,
    come_back,
    decline_takeback,
    give_time,
    offer_substitute,
    offer_takeback,
    undo_move,
)
from .core.api.players import get_summary
from .core.client import AuthenticatedClient
from .core.models import (
    GiveTimeRequest,
    Invitation,
    Invite,
    InviteJoinRequest,
    InviteRequest,
    JoinRequest,
    MatchView,
    SubstituteRequest,
    Summary,
    UndoRequest,
)
from .core.unions import CreateMatch
from .play import ok


class AsyncTable:
    """What is done around a match besides moving, one call for each operation. Every client has it."""

    core: AuthenticatedClient
    """For the operations of `sarsen.core.api`."""

    async def create(self, terms: CreateMatch) -> MatchView:
        """Makes a match."""
        return ok(await create_match.asyncio(client=self.core, body=terms))

    async def join(self, match_id: str, request: JoinRequest | None = None) -> MatchView:
        """Takes a seat."""
        return ok(await join_match.asyncio(match_id, client=self.core, body=request or JoinRequest()))

    async def decline(self, match_id: str) -> MatchView:
        """Gives up the seat that is kept for the caller."""
        return ok(await decline_invitation.asyncio(match_id, client=self.core))

    async def summary(self) -> Summary:
        """How many matches wait for the caller, for a badge."""
        summary: Summary = ok(await get_summary.asyncio(client=self.core))
        return summary

    async def create_invite(self, match_id: str, request: InviteRequest | None = None) -> Invite:
        """Makes a code with which friends join a match that has not started."""
        return ok(await create_invite.asyncio(match_id, client=self.core, body=request or InviteRequest()))

    async def invitation(self, code: str) -> Invitation:
        """What a code leads to."""
        return ok(await get_invite.asyncio(code, client=self.core))

    async def join_by_invite(self, code: str, request: InviteJoinRequest | None = None) -> MatchView:
        """Takes the seat that a code is for: a free one, or one that is offered to a substitute."""
        return ok(await join_by_invite.asyncio(code, client=self.core, body=request or InviteJoinRequest()))

    async def offer_substitute(self, match_id: str, request: SubstituteRequest | None = None) -> Invite:
        """Makes a code with which somebody takes over the caller's seat, or that of somebody who is away."""
        return ok(await offer_substitute.asyncio(match_id, client=self.core, body=request or SubstituteRequest()))

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
        return ok(await give_time.asyncio(match_id, client=self.core, body=GiveTimeRequest(seat=seat, seconds=seconds)))

    async def come_back(self, match_id: str) -> MatchView:
        """Takes the caller's seat back from the bot that has played for them."""
        return ok(await come_back.asyncio(match_id, client=self.core))

    async def rematch(self, match_id: str) -> MatchView:
        """Calls for the match that follows a finished one, or joins it."""
        return ok(await call_rematch.asyncio(match_id, client=self.core))
