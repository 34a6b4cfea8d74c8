"""Who one is at the service: tokens, and how long to wait before trying again."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tokens:
    """A session: what to keep in order to come back as the same player. Or a program's token, which is never refreshed."""

    access_token: str
    refresh_token: str
    expires_at: float
    """When the access token ends, in seconds since 1970 by this machine's clock."""

    @classmethod
    def of(cls, body: dict[str, Any]) -> Tokens:
        """The tokens of an answer to `createPlayer` or `refreshTokens`."""
        ends = time.time() + body["access_token_expires_in_seconds"]
        return cls(body["access_token"], body["refresh_token"], ends)

    @classmethod
    def of_program(cls, token: str) -> Tokens:
        """The token of a program, `sarsen_pat_…`: of a player or of a bot account."""
        return cls(token, "", math.inf)

    def is_ending(self) -> bool:
        """Whether the access token ends within half a minute."""
        return self.expires_at - time.time() < 30.0


def backoff(tries: int, first: float, longest: float = 30.0) -> float:
    """How long to wait after so many failures: twice as long each time, and never the same for all clients."""
    return min(longest, first * 2.0 ** min(tries, 16)) * random.uniform(0.5, 1.0)
