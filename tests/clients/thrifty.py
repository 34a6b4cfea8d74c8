"""Counts what `play` asks for on a good line: one request a turn, and a stream. `main.rs` gives the address of the
service."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
from play import Terms, games

from sarsen import Client, Move, Turn


class Counted(httpx.BaseTransport):
    """Counts requests, and bytes of bodies as they come over the line."""

    def __init__(self) -> None:
        self.requests, self.bytes, self.turns = 0, 0, 0
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        response = self._inner.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = Body(self, response.stream)
        return response

    def policy(self, seat: int) -> Callable[[Turn], Move]:
        choice = random.Random(seat)

        def decide(turn: Turn) -> Move:
            self.turns += 1
            return choice.choice(turn.moves)

        return decide


class Body(httpx.SyncByteStream):
    """A body whose bytes are counted."""

    def __init__(self, counted: Counted, inner: httpx.SyncByteStream) -> None:
        self._counted, self._inner = counted, inner

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            self._counted.bytes += len(chunk)
            yield chunk

    def close(self) -> None:
        self._inner.close()


def plays(base: str, terms: Terms) -> None:
    lines = [Counted(), Counted()]
    with Client(base, transport=lines[0]) as one, Client(base, transport=lines[1]) as two:
        one.guest("Rowan")
        match = one.create(terms).match
        players = [one]
        if len(match.seats) > 1:
            two.guest("Hazel")
            two.join(match.id)
            players.append(two)
        for line in lines:
            line.requests, line.bytes = 0, 0
        with ThreadPoolExecutor() as threads:
            policies = [line.policy(seat) for seat, line in enumerate(lines)]
            list(threads.map(lambda at: players[at].play(match.id, policies[at]), range(len(players))))
    turns = sum(line.turns for line in lines)
    requests, size = sum(line.requests for line in lines), sum(line.bytes for line in lines)
    print(f"{terms.game}: {turns} turns, {requests / turns:.2f} requests and {size / turns:,.0f} bytes a turn", flush=True)
    for line in lines[: len(players)]:
        # The match at first, and the stream; one more where somebody has been quicker.
        assert line.requests <= line.turns + 3, f"{terms.game}: {line.requests} requests in {line.turns} turns"


if __name__ == "__main__":
    for terms in games():
        plays(sys.argv[1], terms)
