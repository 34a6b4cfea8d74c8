"""All seats of a sealed position, one after the other."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

from gymnasium import spaces
from pettingzoo import AECEnv

from .. import Client
from .sandbox import Position, Sandbox
from .spaces import MAX_LEGAL, MAX_VIEW, Observation, action_space, observation_space, observed, told


def agent_of(seat: int) -> str:
    """The name of the agent in a seat."""
    return f"seat_{seat}"


def seat_of(agent: str) -> int:
    """The seat of an agent."""
    return int(agent.removeprefix("seat_"))


class SandboxEnv(AECEnv[str, Any, Any]):
    """A game for agents `seat_0`, `seat_1` … Where several have something to decide at once, they are asked in this order,
    and none sees what those before it have decided but by the rules."""

    agents: list[str]
    agent_selection: str
    _skip_agent_selection: str | None

    def __init__(
        self, game: str, seats: int | None, client: Client, options: Mapping[str, Any], max_legal: int, max_view: int
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"{game}_v0", "render_modes": [], "is_parallelizable": True}
        self.render_mode = None
        self._sandbox = Sandbox(client)
        self._terms: dict[str, Any] = {"game": game, "seats": seats, "options": dict(options)}
        self._max_legal = max_legal
        self._position = self._sandbox.set_up(**self._terms)[0]
        self.possible_agents = [agent_of(seat) for seat in sorted(self._position.sights)]
        self.observation_spaces = {
            agent: observation_space(max_legal, max_view) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(max_legal) for agent in self.possible_agents}
        self._begin(self._position)

    @property
    def position(self) -> Position:
        """Where the game has come to."""
        return self._position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes: `Observation`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do: the place of a move in its list."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Sets the game up anew. Options of the game belong to the environment; those given here change nothing."""
        self._begin(self._sandbox.set_up(**self._terms, seed=seed)[0])

    def observe(self, agent: str) -> Any:
        """What an agent observes now, whoever is to act."""
        seen: Observation = observed(self._position.sights.get(seat_of(agent)), self._max_legal)
        return seen

    def step(self, action: Any) -> None:
        """Makes the move of `agent_selection`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._take(self._sandbox.step([(self._position, seat_of(agent), action)])[0])
        self._accumulate_rewards()

    def clone(self) -> Self:
        """The same game once more: what happens in one of them does not happen in the other. Sends nothing."""
        twin = copy.copy(self)
        twin.restore(self)
        return twin

    def restore(self, other: SandboxEnv) -> None:
        """Goes back, or on, to where a clone stands. Sends nothing."""
        self._position, self.agent_selection = other._position, other.agent_selection
        self.agents = list(other.agents)
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(self, name, dict(getattr(other, name)))
        self._skip_agent_selection = other._skip_agent_selection

    def render(self) -> None:
        """Shows nothing: pictures are the service's, of matches."""

    def close(self) -> None:
        """Nothing is held: the client is closed by whoever has made it."""

    def _begin(self, position: Position) -> None:
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._take(position)

    def _take(self, position: Position) -> None:
        self._position = position
        rewards = position.rewards or (0.0,) * len(self.possible_agents)
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, position.rewards is not None)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: told(position.sights.get(seat_of(agent))) for agent in self.agents}
        self.agent_selection = agent_of(position.to_act[0]) if position.to_act else self.agents[0]


def env(
    game: str,
    seats: int | None,
    client: Client,
    *,
    options: Mapping[str, Any] | None = None,
    max_legal: int = MAX_LEGAL,
    max_view: int = MAX_VIEW,
) -> SandboxEnv:
    """A game of a service as an environment of PettingZoo; `seats`: the fewest that the game allows if it is None."""
    return SandboxEnv(game, seats, client, options or {}, max_legal, max_view)
