"""All seats of a sealed position, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from gymnasium import spaces
from pettingzoo import ParallelEnv

from .. import Client
from .aec import SandboxEnv, agent_of, env
from .sandbox import Position
from .spaces import MAX_LEGAL, MAX_VIEW


class SandboxParallelEnv(ParallelEnv[str, Any, Any]):
    """A game in which all agents act at each step. Those with an empty mask have nothing to decide: whatever they do is
    ignored. Those that decide at once are taken in the order of their seats, and none knows of the others' choices."""

    def __init__(self, turns: SandboxEnv) -> None:
        self._turns = turns
        self.metadata = turns.metadata
        self.render_mode = None
        self.possible_agents = turns.possible_agents
        self.agents = list(self.possible_agents)
        self.observation_spaces, self.action_spaces = turns.observation_spaces, turns.action_spaces

    @property
    def position(self) -> Position:
        """Where the game has come to."""
        return self._turns.position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes: `Observation`."""
        return self._turns.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do: the place of a move in its list."""
        return self._turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Sets the game up anew."""
        self._turns.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observations(), dict(self._turns.infos)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Makes the moves of all agents that have something to decide."""
        asked = self.position
        for seat in asked.to_act:
            # What others have chosen meanwhile may have left nothing to choose, or something else.
            sight = self.position.sights.get(seat)
            if sight is None or sight.legal != asked.sights[seat].legal:
                continue
            self._turns.agent_selection = agent_of(seat)
            self._turns.step(actions[agent_of(seat)])
        turns = self._turns
        seen, told = self._observations(), dict(turns.infos)
        if turns.position.rewards is not None:
            self.agents = []
        return seen, dict(turns.rewards), dict(turns.terminations), dict(turns.truncations), told

    def clone(self) -> Self:
        """The same game once more. Sends nothing."""
        return type(self)(self._turns.clone())._with(self.agents)

    def restore(self, other: SandboxParallelEnv) -> None:
        """Goes back, or on, to where a clone stands. Sends nothing."""
        self._turns.restore(other._turns)
        self.agents = list(other.agents)

    def render(self) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Nothing is held."""

    def _with(self, agents: list[str]) -> Self:
        self.agents = list(agents)
        return self

    def _observations(self) -> dict[str, Any]:
        return {agent: self._turns.observe(agent) for agent in self.possible_agents}


def parallel_env(
    game: str,
    seats: int | None,
    client: Client,
    *,
    options: Mapping[str, Any] | None = None,
    max_legal: int = MAX_LEGAL,
    max_view: int = MAX_VIEW,
) -> SandboxParallelEnv:
    """A game of a service as a parallel environment of PettingZoo."""
    return SandboxParallelEnv(env(game, seats, client, options=options, max_legal=max_legal, max_view=max_view))
