"""Plays whole matches with the Python client through a proxy that loses, refuses and invents, and checks that nothing
is missed. `main.rs` gives the addresses of the proxy and of the service, and the code that the proxy invents."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
import traceback
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from sarsen import AsyncClient, Client, Move, PlayerEvent, ProblemError, Tokens, Turn, ok
from sarsen.core.api.games import get_game
from sarsen.core.api.matches import list_matches
from sarsen.core.api.players import create_bot_account
from sarsen.core.models import (
    BotAccountName,
    ContiguityOptions,
    CreateAbsolutionMatch,
    CreateContiguityMatch,
    CreateHengeMatch,
    CreateSacrificeRouletteMatch,
    CreateThiefOfTheSacredFireMatch,
    LoggedEvent,
    MatchEndedEvent,
    MatchPage,
    MatchView,
    MoveMadeEvent,
    OtherMatchEvent,
    OtherMove,
    PlayerStep,
    ProblemCode,
)
from sarsen.core.types import Unset

Terms = (
    CreateAbsolutionMatch
    | CreateContiguityMatch
    | CreateHengeMatch
    | CreateSacrificeRouletteMatch
    | CreateThiefOfTheSacredFireMatch
)


def games() -> list[Terms]:
    return [
        # At random it goes on until the limit.
        CreateContiguityMatch(game="contiguity", options=ContiguityOptions(turn_limit=100)),
        CreateThiefOfTheSacredFireMatch(game="thief_of_the_sacred_fire"),
        CreateAbsolutionMatch(game="absolution"),
        CreateSacrificeRouletteMatch(game="sacrifice_roulette"),
        CreateHengeMatch(game="henge", seats=2),
    ]


class RandomPolicy:
    """Makes any of the moves that it knows: the proxy puts one of another type before them."""

    def __init__(self, choice: random.Random) -> None:
        self.choice, self.turns = choice, 0

    def __call__(self, turn: Turn) -> Move:
        self.turns += 1
        moves = [move for move in turn.moves if not isinstance(move, OtherMove)]
        assert len(moves) == len(turn.moves) - 1, "the proxy adds one move that nobody knows"
        return self.choice.choice(moves)


def has_ended(item: PlayerEvent, match_id: str) -> bool:
    """Whether this notice of an inbox tells the end of a match."""
    if not isinstance(item, PlayerStep) or item.match_id != match_id:
        return False
    return any(isinstance(told.event, MatchEndedEvent) for told in item.events)


def check(
    name: str, began: float, followed: list[LoggedEvent], logged: list[LoggedEvent], inbox: list[int], turns: int
) -> None:
    ids = [event.id for event in followed]
    assert ids == [event.id for event in logged], f"{name}: what was followed is the log: {ids}"
    assert turns > 1, f"{name}: {turns} turns"
    made = [event.event for event in followed if isinstance(event.event, MoveMadeEvent)]
    assert len(made) >= turns, f"{name}: {len(made)} moves of {turns} turns"
    strange = [event.event for event in followed if isinstance(event.event, OtherMatchEvent)]
    assert strange and strange[0].type_ == "comet_began", f"{name}: the unknown event arrives as what it is"
    assert isinstance(followed[-1].event, MatchEndedEvent), f"{name}: the last event is the end"
    assert inbox == list(range(inbox[0], inbox[0] + len(inbox))), f"{name}: no notice is missed or told twice: {inbox}"
    print(f"{name}: {len(followed)} events, {turns} turns, {time.monotonic() - began:.1f} s", flush=True)


def numbers(items: Iterable[PlayerEvent]) -> list[int]:
    return [int(item.id) for item in items if isinstance(item, PlayerStep)]


def bot_token(direct: str) -> str:
    """The token of a new bot account."""
    with Client(direct) as owner:
        owner.guest("Owner")
        made = ok(create_bot_account.sync(client=owner.core, body=BotAccountName(name="Rowan's engine")))
        assert made.player.kind == "bot"
        return made.credential.secret


async def plays(proxy: str, direct: str, terms: Terms) -> None:
    """A match with `AsyncClient`: all seats, a watcher, and an inbox at once. The first seat is a bot account's, which has
    nothing but its token."""
    began, name = time.monotonic(), terms.game
    kept: list[Tokens] = []
    token = await asyncio.to_thread(bot_token, direct)
    async with (
        AsyncClient.from_token(proxy, token) as one,
        AsyncClient(proxy) as two,
        AsyncClient(proxy, on_tokens=kept.append) as watcher,
    ):
        for client, player in ((two, "Hazel"), (watcher, "Elder")):
            await client.guest(player)
        view = await one.create(terms)
        match_id, players = view.match.id, [one]
        if len(view.match.seats) > 1:
            players.append(two)
            await two.join(match_id)
        policies = [RandomPolicy(random.Random(seat)) for seat in range(len(players))]

        async def play(client: AsyncClient, chooser: RandomPolicy) -> MatchView:
            async def decide(turn: Turn) -> Move:
                return chooser(turn)

            return await client.play(match_id, decide)

        async def follow() -> list[LoggedEvent]:
            return [event async for event in watcher.follow(match_id)]

        async def inbox() -> list[PlayerEvent]:
            items: list[PlayerEvent] = []
            async for item in one.inbox():
                items.append(item)
                if has_ended(item, match_id):
                    break
            return items

        playing = asyncio.gather(*map(play, players, policies))
        followed, told, views = await asyncio.gather(follow(), inbox(), playing)
        assert all(view.match.outcome for view in views), f"{name}: there is an outcome"
    async with AsyncClient(direct, tokens=kept[-1]) as reader:
        logged = [event async for event in reader.follow(match_id)]
    check(name, began, followed, logged, numbers(told), sum(chooser.turns for chooser in policies))


def plays_in_threads(proxy: str, direct: str, terms: Terms) -> None:
    """The same with `Client`."""
    began = time.monotonic()
    with Client(proxy) as one, Client(proxy) as two, ThreadPoolExecutor() as threads:
        one.guest("Rowan")
        view = one.create(terms)
        match_id, players = view.match.id, [one]
        if len(view.match.seats) > 1:
            two.guest("Hazel")
            two.join(match_id)
            players.append(two)
        policies = [RandomPolicy(random.Random(seat)) for seat in range(len(players))]
        views = threads.map(lambda at: players[at].play(match_id, policies[at]), range(len(players)))
        following = threads.submit(lambda: list(one.follow(match_id)))
        told: list[PlayerEvent] = []
        for item in one.inbox():
            told.append(item)
            if has_ended(item, match_id):
                break
        assert all(view.match.outcome for view in views)
        followed = following.result()
        with Client(direct, tokens=one.tokens) as reader:
            logged = list(reader.follow(match_id))
    turns = sum(chooser.turns for chooser in policies)
    check(f"{terms.game} in threads", began, followed, logged, numbers(told), turns)


def problems_and_pages(proxy: str, direct: str, unknown_code: str) -> None:
    for base, code in ((direct, ProblemCode.GAME_NOT_FOUND), (proxy, unknown_code)):
        with Client(base) as client:
            try:
                ok(get_game.sync("chess", client=client.core))
            except ProblemError as error:
                assert (error.code, error.status) == (code, 404), error
            else:
                raise AssertionError("there is no chess here")
    with Client(proxy) as client:
        client.guest("Alder")
        made = [client.create(CreateContiguityMatch(game="contiguity")).match.id for _ in range(7)]

        def page(cursor: str | Unset) -> MatchPage:
            found: MatchPage = ok(list_matches.sync(client=client.core, mine=True, limit=2, cursor=cursor))
            return found

        listed = [match.id for match in client.paginate(page)]
    assert sorted(listed) == sorted(made), "each match was made once, though answers were lost, and is listed once"


async def main(proxy: str, direct: str, unknown_code: str) -> None:
    try:
        await asyncio.gather(
            asyncio.to_thread(problems_and_pages, proxy, direct, unknown_code),
            *(asyncio.to_thread(plays_in_threads, proxy, direct, terms) for terms in games()[1:3]),
            *(plays(proxy, direct, terms) for terms in games()),
        )
    except BaseException:
        # Threads that still wait for the other player would hold the program for ever.
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
