"""What goes wrong: answers of failure as exceptions with a stable code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import httpx

from .core.errors import UnexpectedStatus


class ProblemError(Exception):
    """An answer of failure. Branch on `code`, and treat a code that you do not know by its `status`.

    `core.models.ProblemCode` has the codes of this release; they compare equal to these strings. A failure that the
    service did not describe, such as a proxy's page, has the code `""`. An answer below 400 that does not fit the
    document, such as a sign-in page of a network, has the code `"unexpected_answer"`; the session stays as it was.
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

    @classmethod
    def unexpected(cls, response: httpx.Response) -> ProblemError:
        """The problem of an answer below 400 that does not fit the document."""
        kind = response.headers.get("Content-Type", "no content type")
        detail = f"{response.status_code} with {kind} does not fit the document"
        return cls(response.status_code, {"code": "unexpected_answer", "title": "Unexpected answer", "detail": detail})


@contextlib.contextmanager
def expected(response: httpx.Response) -> Iterator[None]:
    """Raises `unexpected_answer` if parsing this answer fails. No operation answers with HTML."""
    try:
        if response.headers.get("Content-Type", "").startswith("text/html"):
            raise ValueError("HTML")
        yield
    except (AttributeError, KeyError, TypeError, ValueError, UnexpectedStatus) as error:
        raise ProblemError.unexpected(response) from error
