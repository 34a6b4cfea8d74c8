"""Many positions of a game at once, a request for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .. import Client
from .sandbox import Position, Sandbox
from .spaces import MAX_LEGAL, MAX_VIEW, action_space, observation_space, observed


class VectorEnv(GymnasiumVectorEnv[Any, Any, NDArray[Any]]):
    """`count` games, in each of which whoever is to act observes and acts. A game that ends is followed by a new one in the
    same step.

    Rewards are those of the seat that has acted. `infos` has lists with an entry for each game: `seat`, who is to act now;
    `legal`, its moves in the game's notation; `position`, sealed; and `rewards`, those of all seats where a game has ended
    in this step, else None.
    """

    def __init__(
        self,
        game: str,
        seats: int | None,
        client: Client,
        count: int,
        *,
        options: Mapping[str, Any] | None = None,
        max_legal: int = MAX_LEGAL,
        max_view: int = MAX_VIEW,
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = count
        self.single_observation_space = observation_space(max_legal, max_view)
        self.single_action_space = action_space(max_legal)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._sandbox = Sandbox(client)
        self._terms: dict[str, Any] = {"game": game, "seats": seats, "options": dict(options or {}), "views": "actor"}
        self._max_legal = max_legal
        self._positions: list[Position] = []

    @property
    def positions(self) -> Sequence[Position]:
        """Where the games have come to."""
        return tuple(self._positions)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Sets all games up anew, each otherwise: `seed` is one for all of them."""
        if not (seed is None or isinstance(seed, int)):
            raise TypeError("one seed is for all games")
        self._positions = self._new(self.num_envs, seed)
        return self._observations(), self._infos([None] * self.num_envs)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Makes a move in each game."""
        seats = [at.to_act[0] for at in self._positions]
        steps = zip(self._positions, seats, actions, strict=True)
        self._positions = self._sandbox.step(steps, views="actor")
        ends = [at.rewards for at in self._positions]
        fresh = iter(self._new(sum(end is not None for end in ends), None))
        self._positions = [at if at.rewards is None else next(fresh) for at in self._positions]
        rewards = np.array([end[seat] if end else 0.0 for end, seat in zip(ends, seats, strict=True)])
        terminations = np.array([end is not None for end in ends])
        return self._observations(), rewards, terminations, np.zeros(self.num_envs, dtype=np.bool_), self._infos(ends)

    def _new(self, count: int, seed: int | None) -> list[Position]:
        return self._sandbox.set_up(**self._terms, seed=seed, count=count) if count else []

    def _observations(self) -> dict[str, Any]:
        seen = [observed(at.sights[at.to_act[0]], self._max_legal) for at in self._positions]
        masks = np.stack([one["action_mask"] for one in seen])
        return {"action_mask": masks, "view": tuple(one["view"] for one in seen)}

    def _infos(self, ends: Sequence[tuple[float, ...] | None]) -> dict[str, Any]:
        acting = [(at.to_act[0], at) for at in self._positions]
        return {
            "seat": [seat for seat, _ in acting],
            "legal": [list(at.sights[seat].legal) for seat, at in acting],
            "position": [at.sealed for _, at in acting],
            "rewards": list(ends),
        }
