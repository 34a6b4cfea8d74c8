"""Sealed positions: what they show, and the requests that make them and step from them, many at a time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .. import Client
from ..problems import ProblemError, expected

Views = Literal["actor", "all", "none"]
REWARDS = {"won": 1.0, "lost": -1.0, "drawn": 0.0}

POSITIONS_MAX = 64
STEPS_MAX = 256
"""What one request can ask for; more takes several."""


@dataclass(frozen=True)
class Sight:
    """What a seat knows of a position."""

    view: str
    """What it may see, as JSON in ASCII; empty if it was not asked for."""
    legal: tuple[str, ...]
    """Its legal moves in the game's notation; none if it has nothing to decide."""


@dataclass(frozen=True)
class Position:
    """A position of a game, sealed: it may be copied, kept and stepped from as often as one likes."""

    sealed: str
    to_act: tuple[int, ...]
    """The seats that have something to decide; none once the game is over."""
    sights: Mapping[int, Sight]
    rewards: tuple[float, ...] | None
    """1 for each seat that has won, -1 for one that has lost, 0 for a draw; none until the game is over."""
    events: tuple[dict[str, Any], ...]
    """What happened in the set-up or in the step that led here, as a spectator is told it."""


class Sandbox:
    """The sandbox of a service, as a client's player may use it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def set_up(
        self,
        game: str,
        seats: int | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        count: int = 1,
        views: Views = "all",
    ) -> list[Position]:
        """Positions as they are after the set-up; the same ones for the same seed. `seats`: the fewest if left out."""
        found: list[Position] = []
        for begun in range(0, count, POSITIONS_MAX):
            body = {"game": game, "seats": seats, "options": dict(options or {}), "views": views}
            body["count"] = min(POSITIONS_MAX, count - begun)
            body["seed"] = None if seed is None else hashlib.sha256(f"{seed}/{begun}".encode()).hexdigest()
            found += self._ask("positions", body)
        return found

    def step(self, steps: Iterable[tuple[Position, int, int]], *, views: Views = "all") -> list[Position]:
        """The positions that moves lead to: of a position, by a seat, by its place in the seat's list of legal moves.

        The first that is refused is raised as the `ProblemError` that it is.
        """
        wanted = [{"position": at.sealed, "seat": seat, "index": int(index)} for at, seat, index in steps]
        found: list[Position] = []
        for begun in range(0, len(wanted), STEPS_MAX):
            found += self._ask("step", {"steps": wanted[begun : begun + STEPS_MAX], "views": views})
        return found

    def imagine(
        self, game: str, view: Mapping[str, Any], seat: int | None, *, count: int = 1, views: Views = "actor"
    ) -> list[Position]:
        """Positions that show a seat this view, drawn at random: what may be true, as far as the seat knows."""
        body = {"game": game, "view": dict(view), "seat": seat, "views": views, "count": count}
        return self._ask("imagine", body)

    def _ask(self, operation: str, body: Mapping[str, Any]) -> list[Position]:
        # Views stay what they are: making models of them would take longer than the step itself.
        answer = self._client.core.get_httpx_client().post(f"/v1/sandbox/{operation}", json=body)
        with expected(answer):
            return [_position(item) for item in answer.json()["items"]]


def _position(item: Mapping[str, Any]) -> Position:
    if item["problem"] is not None:
        raise ProblemError(item["problem"]["status"], item["problem"])
    rewards = rewards_of(item["outcome"]) if item["terminal"] else None
    sights = {seat["seat"]: _sight(seat) for seat in item["seats"]}
    return Position(item["position"], tuple(item["to_act"]), sights, rewards, tuple(item["events"]))


def _sight(seat: Mapping[str, Any]) -> Sight:
    legal = seat["legal_moves"]
    return Sight(text_of(seat["view"]), tuple(legal["notations"]) if legal else ())


def text_of(view: Mapping[str, Any] | None) -> str:
    """A view as the text that observations have."""
    return "" if view is None else json.dumps(view, separators=(",", ":"))


def rewards_of(outcome: Mapping[str, Any]) -> tuple[float, ...]:
    """The rewards of an outcome, by seat."""
    standings: Sequence[Mapping[str, Any]] = outcome["standings"]
    return tuple(REWARDS[standing["verdict"]] for standing in standings)
