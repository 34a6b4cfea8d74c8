"""For those who train and try bots: every game of a service as an environment of PettingZoo and Gymnasium.

- `env` and `parallel_env` play all seats of a sealed position, which lives with the client and not on the service: it is
  cloned and restored at no cost.
- `VectorEnv` plays many positions at once, a request for all of them.
- `MatchEnv` plays a seat of real matches, against whoever sits in the others.

Needs the extra `pettingzoo`: `pip install sarsen[pettingzoo]`.
"""

from .aec import SandboxEnv, env
from .live import MatchEnv
from .parallel import SandboxParallelEnv, parallel_env
from .sandbox import Position, Sandbox, Sight
from .spaces import MAX_LEGAL, MAX_VIEW, Observation
from .vector import VectorEnv

__all__ = [
    "MAX_LEGAL",
    "MAX_VIEW",
    "MatchEnv",
    "Observation",
    "Position",
    "Sandbox",
    "SandboxEnv",
    "SandboxParallelEnv",
    "Sight",
    "VectorEnv",
    "env",
    "parallel_env",
]
