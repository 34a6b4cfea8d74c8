"""Client of Sarsen, a headless game service: `Client`, or `AsyncClient` for asyncio and trio.

`sarsen.core` is made from the service's document: `core.models` has everything that is sent and answered, `core.api`
every operation, by tag. Give those `client.core`, and unwrap what they return with `ok`.
"""

from .aio import AsyncClient
from .aio_table import AsyncTable
from .client import Client
from .core.unions import MatchEvent, Move, PlayerEvent, View
from .play import Turn, ok
from .problems import ProblemError
from .session import Tokens
from .table import Table
from .webhook import verify

__all__ = ["AsyncClient", "AsyncTable", "Client", "MatchEvent", "Move", "PlayerEvent"]
__all__ += ["ProblemError", "Table", "Tokens", "Turn", "View", "ok", "verify"]
