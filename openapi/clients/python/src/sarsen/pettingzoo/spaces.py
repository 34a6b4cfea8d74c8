"""What is observed and what is done, in all environments alike."""

from __future__ import annotations

import string
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .sandbox import Sight

MAX_LEGAL = 2048
"""How many legal moves an action can choose from, unless an environment is made with another number."""
MAX_VIEW = 262_144
"""The most characters of a view, unless an environment is made with another number."""


class Observation(TypedDict):
    """What a seat observes."""

    view: str
    """What it may see, as JSON."""
    action_mask: NDArray[np.int8]
    """1 for each of its legal moves, which stand first: action `n` is the `n`-th of them. Those beyond the mask cannot be
    chosen."""


def action_space(max_legal: int) -> spaces.Discrete:
    """The actions: places in the list of legal moves."""
    return spaces.Discrete(max_legal)


def observation_space(max_legal: int, max_view: int) -> spaces.Dict:
    """What is observed: `Observation`."""
    view = spaces.Text(max_length=max_view, min_length=0, charset=string.printable)
    return spaces.Dict({"view": view, "action_mask": spaces.MultiBinary(max_legal)})


def observed(sight: Sight | None, max_legal: int) -> Observation:
    """What a seat observes that knows this."""
    mask = np.zeros(max_legal, dtype=np.int8)
    if sight is not None:
        mask[: len(sight.legal)] = 1
    return {"view": sight.view if sight else "", "action_mask": mask}


def told(sight: Sight | None) -> dict[str, Any]:
    """What is told beside an observation: the legal moves in the game's notation."""
    return {"legal": list(sight.legal) if sight else []}
