"""Everything that can be done around a match, once: friends come with codes, moves are taken back, time and a seat are given
away, they play again, ask for hints, plan, signal and agree on a draw. `main.rs` gives the address of the service."""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sarsen import AsyncClient, Client, ProblemError, Turn
from sarsen.core.models import (
    AdjudicateMatch,
    Adjudication,
    BotLevel,
    CreateAbsolutionMatch,
    CreateContiguityMatch,
    CreateHengeMatch,
    CreateInvite,
    JoinRequest,
    MatchStatus,
    MatchView,
    PlanBranch,
    PlanRequest,
    PlanState,
    SubstituteRequest,
    Verdict,
)


def turn_of(view: MatchView) -> Turn | None:
    if not view.decision or view.state is None:
        return None
    return Turn(view.match, view.state, view.decision)


def moves(client: Client, match_id: str) -> MatchView | None:
    """Makes the first legal move, if it is the client's turn; the match before it."""
    before = client.match(match_id)
    turn = turn_of(before)
    if turn is None:
        return None
    # As an app keeps a turn that it answers later.
    turn = pickle.loads(pickle.dumps(turn))
    client.move(turn, turn.moves[0])
    return before


def refused(call: Callable[[], object], *codes: str) -> None:
    try:
        call()
    except ProblemError as error:
        assert error.code in codes, error
    else:
        raise AssertionError(f"{codes} are raised")


def sits_down(host: Client, guest: Client, asked: Client, asked_id: str) -> str:
    """A match of two with a clock, for whoever has the code."""
    clock = {"initial_seconds": 600, "first_move_seconds": None, "on_timeout": "bot"}
    terms = CreateContiguityMatch.from_dict({"game": "contiguity", "visibility": "private", "clock": clock})
    match = host.create(terms).match
    assert host.summary().open_ == 1
    assert host.reserve_seat(match.id, 1, asked_id).match.seats[1].reserved_for
    asked.decline(match.id)
    invite = host.create_invite(match.id, CreateInvite(seat=1))
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
    refused(lambda: host.come_back(match_id), "not_substituted")
    offer = leaving.offer_substitute(match_id, SubstituteRequest(expires_in_seconds=600))
    assert coming.join_by_invite(offer.code).match.your_seat == 1
    assert host.resign(match_id).match.status == MatchStatus.FINISHED
    again = host.rematch(match_id).match
    assert again.id != match_id and coming.summary().invites == 1
    assert coming.decline(again.id).match.status == MatchStatus.ABORTED


def plays_now(host: Client, guest: Client, player_id: str) -> None:
    """They find each other in the lobby and in a pool, and read what rated matches have made of it."""
    open_id = host.create(CreateContiguityMatch(game="contiguity")).match.id
    assert open_id in [match.id for match in guest.lobby("contiguity")]
    assert open_id not in [match.id for match in host.lobby()]
    host.leave(open_id)
    assert "contiguity-live" in [pool.id for pool in host.pools()]
    with ThreadPoolExecutor() as threads:
        views = list(threads.map(lambda client: client.play_now("contiguity-live"), (host, guest)))
    match_id = views[0].match.id
    assert views[1].match.id == match_id and {view.match.status for view in views} == {MatchStatus.PLAYING}
    refused(lambda: host.leave_pool("contiguity-live"), "already_matched")
    host.leave_pool("contiguity-correspondence")
    host.resign(match_id)
    refused(lambda: host.match_ratings(match_id), "not_found")
    assert host.player_ratings(player_id) == []
    assert host.rating_history(player_id, "contiguity.2.live").items == []
    assert "contiguity.2.live" in [board.id for board in host.leaderboards()]
    assert host.leaderboard("contiguity.2.live").items == []
    refused(lambda: host.leaderboard_player("contiguity.2.live", player_id), "player_not_found")


def repeats_what_was_kept(host: Client, guest: Client) -> str:
    """A program that was ended repeats what it had kept, under the same keys, and it takes effect once."""
    terms = CreateContiguityMatch(game="contiguity", hints=True)
    match_id, again = (host.create(terms, key="kept: create").match.id for _ in range(2))
    assert match_id == again
    assert {guest.join(match_id, key="kept: join").match.your_seat for _ in range(2)} == {1}
    refused(lambda: guest.join(match_id, JoinRequest(seat=1), key="kept: join"), "idempotency_key_reused")
    for client in (host, guest):
        turn = turn_of(client.match(match_id))
        if turn is not None:
            first, second = (client.move(turn, turn.moves[0], key="kept: move") for _ in range(2))
            assert first.version == second.version
    return match_id


def asks_and_plans(host: Client, guest: Client, match_id: str) -> None:
    one, two = (host, guest) if host.match(match_id).decision else (guest, host)
    hint = one.hint(match_id, BotLevel.EASY)
    refused(lambda: two.claim(match_id, 0), "claim_too_early", "claim_not_possible")
    branch = PlanBranch(when=[hint.notation], then=[hint.notation])
    plan = PlanRequest(version=two.match(match_id).match.version, tree=[branch])
    assert two.make_plan(match_id, plan).tree == [branch]
    assert two.plan(match_id).tree == [branch]
    assert two.drop_plan(match_id).state == PlanState.NONE


def agrees_on_a_draw(host: Client, guest: Client, match_id: str) -> None:
    host.offer_draw(match_id)
    assert guest.decline_draw(match_id).match.draw_agreed_by == []
    guest.offer_draw(match_id)
    assert host.accept_draw(match_id).match.status == MatchStatus.FINISHED


def signals_and_leaves(host: Client, guest: Client) -> None:
    match_id = host.create(CreateAbsolutionMatch(game="absolution", seats=2)).match.id
    guest.join(match_id)
    assert host.signal(match_id, "ready day 2 great").notation == "ready day 2 great"
    left = host.create(CreateContiguityMatch(game="contiguity")).match.id
    assert host.leave(left).match.your_seat is None


def organises(host: Client, one: Client, two: Client, host_id: str, ids: list[str]) -> None:
    """An organiser settles a match of a league, and reads the results."""
    places = [{"seat": seat, "player_id": player_id} for seat, player_id in enumerate(ids)]
    terms = {"game": "contiguity", "seat": None, "places": places, "tags": ["cup"]}
    match_id = host.create(CreateContiguityMatch.from_dict(terms)).match.id
    one.join(match_id)
    two.join(match_id)
    ruling = AdjudicateMatch(outcome=Adjudication(ranks=[1, 2], verdict=Verdict.WON), reason="seat 1 was late")
    outcome = host.adjudicate(match_id, ruling).match.outcome
    assert outcome and outcome.ending == "adjudicated"
    assert [result.match_id for result in host.results("cup")] == [match_id]
    assert two.results("cup", host_id)[0].outcome.standings[1].verdict == Verdict.LOST
    assert one.results("other-cup") == []
    refused(lambda: one.results("No Cup"), "invalid_parameter")


async def summarises(base: str) -> None:
    """Some of these calls with `await`."""
    async with AsyncClient(base) as client:
        await client.guest("Alder")
        match = (await client.create(CreateContiguityMatch(game="contiguity"))).match
        invite = await client.create_invite(match.id)
        assert (await client.invitation(invite.code)).match.id == match.id
        assert (await client.summary()).open_ == 1


if __name__ == "__main__":
    with Client(sys.argv[1]) as rowan, Client(sys.argv[1]) as hazel, Client(sys.argv[1]) as elder:
        names = ((rowan, "Rowan"), (hazel, "Hazel"), (elder, "Elder"))
        players = [client.guest(name) for client, name in names]
        table = sits_down(rowan, hazel, elder, players[2].id)
        takes_back(rowan, hazel, table)
        undoes(elder)
        plays_again(rowan, hazel, elder, table)
        plays_now(rowan, hazel, players[0].id)
        table = repeats_what_was_kept(rowan, hazel)
        asks_and_plans(rowan, hazel, table)
        agrees_on_a_draw(rowan, hazel, table)
        signals_and_leaves(rowan, hazel)
        organises(elder, rowan, hazel, players[2].id, [players[0].id, players[1].id])
    asyncio.run(summarises(sys.argv[1]))
