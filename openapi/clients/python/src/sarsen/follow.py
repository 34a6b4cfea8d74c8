"""Event streams, read piece by piece: server-sent events made into items, each of them once, whatever is lost.

Knows no socket: both clients feed it what arrives, and ask it where to go on and how long to wait.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import httpx

from .problems import ProblemError
from .session import backoff

T = TypeVar("T")

STREAM = "text/event-stream"
SILENCE = 45.0
"""The service sends something every 15 seconds; after so many without anything the connection is given up."""
LONG = 10.0
"""A wait that the service asks for, in seconds, where it is more than a spread of reconnections."""


class Follower(Generic[T]):
    """Where a stream has come to."""

    def __init__(self, path: str, parse: Callable[[dict[str, Any]], T], after: str | None, **params: str | None) -> None:
        self.path = path
        self.params = {name: value for name, value in params.items() if value}
        self._parse = parse
        self._resume = after
        self._newest = _place(after)
        self._failures = 0
        self._asked = 0.0
        self._rest = ""
        self._id: str | None = None
        self._data: list[str] = []

    @property
    def headers(self) -> dict[str, str]:
        """What to ask with: forgets the half of an event that a lost connection has left."""
        self._rest, self._id, self._data, self._asked = "", None, [], 0.0
        resume = {"Last-Event-ID": self._resume} if self._resume else {}
        return {"Accept": STREAM, **resume}

    def feed(self, text: str) -> Iterator[T]:
        """The items that a piece of the stream completes. Whatever arrives, if only a heartbeat: the line is good."""
        self._failures = 0
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            name, _, value = line.removesuffix("\r").partition(":")
            value = value.removeprefix(" ")
            if name == "id":
                self._id = value
            elif name == "data":
                self._data.append(value)
            elif name == "retry" and value.isdigit():
                self._asked = int(value) / 1000
            elif not line.removesuffix("\r") and self._data:
                data = json.loads("\n".join(self._data))
                identity, self._data = self._id, []
                if self._is_new(data):
                    self._resume = identity or self._resume
                    yield self._parse(data)

    def _is_new(self, data: dict[str, Any]) -> bool:
        place = _place(data.get("id"))
        if "resync" in (data.get("type"), data.get("event", {}).get("type")):
            self._newest = place
            return True
        if place and self._newest and place <= self._newest:
            return False
        self._newest = place or self._newest
        return True

    def pause(self, error: Exception | None) -> float:
        """How long to wait before connecting again: up to a second behind a connection that has worked, and longer with
        each that has not; or as long as the service has asked, if that is long. Raises the error again if connecting would not help."""
        after = self._asked if self._asked >= LONG else 0.0
        if isinstance(error, ProblemError):
            if 400 <= error.status < 500 and error.status not in (408, 429):
                raise error
            after = error.retry_after or 0.0
        elif error is not None and not isinstance(error, httpx.TransportError):
            raise error
        self._failures += 1
        return max(after, backoff(self._failures - 1, 1.0))


def _place(identity: str | None) -> tuple[int, ...] | None:
    """An event's place: of a match `<version>.<index>`, of an inbox a number. What stands behind is a stamp."""
    try:
        return tuple(int(part) for part in (identity or "").split(".")[:2] if len(part) < 16) or None
    except ValueError:
        return None
