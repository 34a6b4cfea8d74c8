"""What goes wrong: answers of failure as exceptions with a stable code."""

from __future__ import annotations

from typing import Any

import httpx


class ProblemError(Exception):
    """An answer of failure. Branch on `code`, and treat a code that you do not know by its `status`.

    `core.models.ProblemCode` has the codes of this release; they compare equal to these strings. An answer that is no
    problem of the service, such as a proxy's page, has the code `""`.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.body = body
        """All that the service said."""
        self.code = str(body.get("code", ""))
        self.title = str(body.get("title", f"HTTP {status}"))
        self.detail = str(body.get("detail", ""))
        self.rule: str | None = body.get("rule")
        """The ruling of the game that decides."""
        self.retry_after = retry_after
        """After how many seconds trying again makes sense, if the service said so."""
        super().__init__(f"{self.code or status}: {self.detail or self.title}")

    @classmethod
    def of(cls, response: httpx.Response) -> ProblemError:
        """The problem of a response that was read."""
        try:
            body = response.json()
        except ValueError:
            body = {}
        after = response.headers.get("Retry-After", "")
        pause = float(after) if after.isdigit() else None
        return cls(response.status_code, body if isinstance(body, dict) else {}, pause)
