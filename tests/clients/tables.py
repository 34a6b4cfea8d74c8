"""Everything that can be done around a match, once: friends come with codes, moves are taken back, time and a seat are given
away, and they play again. `main.rs` gives the address of the service."""

from __future__ import annotations

import asyncio
import sys

from sarsen import AsyncClient, Client, ProblemError, Turn, ok
from sarsen.core.api.play import resign_match
from sarsen.core.models import (
    CreateContiguityMatch,
    CreateHengeMatch,
    InviteRequest,
    MatchStatus,
    MatchView,
    SubstituteRequest,
)


def moves(client: Client, match_id: str) -> MatchView | None:
    """Makes the first legal move, if it is the client's turn; the match before it."""
    before = client.match(match_id)
    if not before.decision or before.state is None:
        return None
    turn = Turn(before.match, before.state, before.decision)
    client.move(turn, turn.moves[0])
    return before


def sits_down(host: Client, guest: Client) -> str:
    """A match of two with a clock, for whoever has the code."""
    clock = {"initial_seconds": 600, "first_move_seconds": None, "on_timeout": "bot"}
    terms = CreateContiguityMatch.from_dict({"game": "contiguity", "visibility": "private", "clock": clock})
    match = host.create(terms).match
    assert host.summary().open_ == 1
    invite = host.create_invite(match.id, InviteRequest(seat=1))
    assert guest.invitation(invite.code).match.id == match.id
    assert guest.join_by_invite(invite.code).match.your_seat == 1
    return match.id


def takes_back(one: Client, two: Client, match_id: str) -> None:
    before = moves(one, match_id)
    if before is None:
        one, two = two, one
        before = moves(one, match_id)
    assert before
    offered = one.offer_takeback(match_id, before.match.version)
    assert offered.takeback and offered.takeback.to_version == before.match.version
    assert two.accept_takeback(match_id).takeback is None
    assert one.match(match_id).state == before.state
    moves(one, match_id)
    one.offer_takeback(match_id, before.match.version)
    assert two.decline_takeback(match_id).takeback is None


def undoes(client: Client) -> None:
    """A step of one's own turn behind which there is no chance: Henge's second."""
    match_id = client.create(CreateHengeMatch(game="henge")).match.id
    moves(client, match_id)
    before = moves(client, match_id)
    assert before and client.undo(match_id, before.match.version).state == before.state


def plays_again(host: Client, leaving: Client, coming: Client, match_id: str) -> None:
    given = host.give_time(match_id, 1, 60).match.seats[1].clock
    assert given and given.bank_milliseconds > 600_000
    try:
        host.come_back(match_id)
    except ProblemError as error:
        assert error.code == "not_substituted", error
    else:
        raise AssertionError("nobody plays for the host")
    offer = leaving.offer_substitute(match_id, SubstituteRequest(expires_in_seconds=600))
    assert coming.join_by_invite(offer.code).match.your_seat == 1
    ok(resign_match.sync(match_id, client=host.core))
    again = host.rematch(match_id).match
    assert again.id != match_id and coming.summary().invites == 1
    assert coming.decline(again.id).match.status == MatchStatus.ABORTED


async def summarises(base: str) -> None:
    """The same calls with `await`."""
    async with AsyncClient(base) as client:
        await client.guest("Alder")
        match = (await client.create(CreateContiguityMatch(game="contiguity"))).match
        invite = await client.create_invite(match.id)
        assert (await client.invitation(invite.code)).match.id == match.id
        assert (await client.summary()).open_ == 1


if __name__ == "__main__":
    with Client(sys.argv[1]) as rowan, Client(sys.argv[1]) as hazel, Client(sys.argv[1]) as elder:
        for client, name in ((rowan, "Rowan"), (hazel, "Hazel"), (elder, "Elder")):
            client.guest(name)
        table = sits_down(rowan, hazel)
        takes_back(rowan, hazel, table)
        undoes(elder)
        plays_again(rowan, hazel, elder, table)
    asyncio.run(summarises(sys.argv[1]))
