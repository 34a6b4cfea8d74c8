"""A stream on which nothing happens, through a proxy that ends each connection after a heartbeat: the client is back
within a second each time. Only where connections fail does it stay away longer and longer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import anyio
import httpx

from sarsen import AsyncClient, Client

ENDED, FAILED = 12, 5


class Heartbeat(httpx.SyncByteStream, httpx.AsyncByteStream):
    """All that comes through a connection before it ends."""

    def __iter__(self) -> Iterator[bytes]:
        yield b": \n\n"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b": \n\n"


class Line:
    """Ends connections after a heartbeat, then refuses some, then says that all is over; notes the pauses between."""

    def __init__(self) -> None:
        self.connections = 0
        self.pauses: list[float] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path.endswith("/stream")
        self.connections += 1
        if self.connections <= ENDED:
            return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Heartbeat())
        # One that fails is tried three times again before the stream counts it.
        if self.connections <= ENDED + 4 * FAILED:
            return httpx.Response(503, json={"code": "overloaded"})
        return httpx.Response(204)

    def check(self) -> None:
        quiet, failed = self.pauses[:ENDED], self.pauses[ENDED + 3 :: 4]
        assert max(quiet) <= 1.0, f"away for {quiet} seconds behind connections that had worked"
        assert len(failed) == FAILED and failed[-1] > 4.0, f"pauses of {failed} seconds behind ones that had not"


def waits() -> None:
    line = Line()
    setattr(time, "sleep", line.pauses.append)
    with Client("http://service", transport=httpx.MockTransport(line.answer)) as client:
        assert list(client.follow("m_1")) == []
    line.check()


async def waits_async() -> None:
    line = Line()

    async def pause(delay: float) -> None:
        line.pauses.append(delay)

    setattr(anyio, "sleep", pause)
    async with AsyncClient("http://service", transport=httpx.MockTransport(line.answer)) as client:
        assert [event async for event in client.follow("m_1")] == []
    line.check()


if __name__ == "__main__":
    waits()
    asyncio.run(waits_async())
