"""A seat of real matches, against whoever sits in the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium

from .. import Client
from ..play import OVERTAKEN
from ..problems import ProblemError
from .sandbox import Sight, rewards_of, text_of
from .spaces import MAX_LEGAL, MAX_VIEW, Observation, action_space, observation_space, observed, told

WAIT = 25
"""How long the service holds a request for events that are to come, in seconds."""


class MatchEnv(gymnasium.Env[Any, Any]):
    """A match for one agent: each step is its move and all that others do until it is asked again, told by
    `/v1/me/events`. The reward comes with the end: 1, -1 or 0."""

    def __init__(
        self, client: Client, enter: Callable[[Client], str], *, max_legal: int = MAX_LEGAL, max_view: int = MAX_VIEW
    ) -> None:
        """`enter` finds the client a seat in a match, a new one each time, and says which match it is."""
        self.observation_space = observation_space(max_legal, max_view)
        self.action_space = action_space(max_legal)
        self._client, self._enter, self._max_legal = client, enter, max_legal
        self._cursor: str | None = None
        self.match: Mapping[str, Any] = {}
        """The match as it was when the agent was last asked."""
        self._decision: Mapping[str, Any] | None = None
        self._sight = Sight("", ())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Enters a match, and waits until the agent is asked. Chance is the service's: a seed changes nothing."""
        super().reset(seed=seed)
        # What other matches have told before is passed over without their views.
        self._cursor = self._end(self._cursor)
        self.match = {"id": self._enter(self._client)}
        return self._until_asked(self._read())

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes the move at that place of the list."""
        if self._decision is None:
            raise RuntimeError("nothing is asked: reset")
        body = {"decision_id": self._decision["id"], "notation": self._sight.legal[int(action)]}
        try:
            known = self._ask("POST", f"/v1/matches/{self.match['id']}/moves", {"legal_moves": "notation"}, body)
        except ProblemError as error:
            if error.code not in OVERTAKEN:
                raise
            known = self._read()
        seen, said = self._until_asked(known)
        # A match that was called off ends without a result.
        outcome, is_off = self.match["outcome"], self.match["status"] == "aborted"
        reward = rewards_of(outcome)[self.match["your_seat"]] if outcome else 0.0
        return seen, reward, outcome is not None, is_off, said

    def _until_asked(self, known: Mapping[str, Any]) -> tuple[Observation, dict[str, Any]]:
        """What is observed once the agent is asked or the match is over."""
        while known["match"]["status"] not in ("finished", "aborted") and not known["decision"]:
            known = self._next(known["match"]["version"])
        self.match, self._decision = known["match"], known["decision"]
        legal = self._decision["legal_moves"]["notations"] if self._decision else ()
        self._sight = Sight(text_of(known["state"]), tuple(legal))
        return observed(self._sight, self._max_legal), told(self._sight)

    def _end(self, cursor: str | None) -> str | None:
        """Behind all that has been told up to now."""
        while True:
            page = self._get("/v1/me/events", limit=1000, **({} if cursor is None else {"after": cursor}))
            cursor = page.get("resume_cursor") or cursor
            if not page["next_cursor"]:
                return cursor

    def _next(self, version: int) -> Mapping[str, Any]:
        """How the match stands once it has gone on from a version."""
        while True:
            after = {} if self._cursor is None else {"after": self._cursor}
            page = self._get(
                "/v1/me/events", include="view,decision", legal_moves="notation", wait=WAIT, limit=1000, **after
            )
            self._cursor = page.get("resume_cursor", self._cursor)
            for item in reversed(page["items"]):
                if item["type"] == "resync":
                    return self._read()
                is_it = item.get("match_id") == self.match["id"] and item.get("match") is not None
                if is_it and item["version"] > version:
                    return {"decision": None, **item}

    def _read(self) -> Mapping[str, Any]:
        match: Mapping[str, Any] = self._get(f"/v1/matches/{self.match['id']}", legal_moves="notation")
        return match

    def _get(self, path: str, **params: Any) -> Any:
        return self._ask("GET", path, params)

    def _ask(self, method: str, path: str, params: Mapping[str, Any], body: Any = None) -> Any:
        # A request may be held for as long as it asks.
        http = self._client.core.get_httpx_client()
        return http.request(method, path, params=dict(params), json=body, timeout=WAIT + 30.0).json()
