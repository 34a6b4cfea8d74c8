"""Answers that something between the client and the service gives, and requests that are lost there. `main.rs` gives the
file of the document."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator

import anyio
import httpx

from sarsen import AsyncClient, Client, ProblemError, Tokens, ok
from sarsen.core.api.games import get_game_rules, list_games
from sarsen.core.api.players import get_me

STRANGE: list[httpx.Response] = [
    httpx.Response(200, json={"message": "Internal error"}),
    httpx.Response(200, json={"match": {}, "state": {}}),
    httpx.Response(200, json=[]),
    httpx.Response(200, html="<h1>Sign in to this network</h1>"),
    httpx.Response(200),
    httpx.Response(202, json={}),
    httpx.Response(204),
    httpx.Response(302, headers={"Location": "http://portal/"}),
]
REPEATED_WITHOUT_KEY = ["/v1/players", "/v1/tokens/refresh", "/v1/tokens/exchange"]
"""The operations, beside the sandbox, that take no key and do no harm when they are repeated."""

EVENT = 'id: 1.0\ndata: {"id": "1.0", "version": 1, "at": "2026-01-01T00:00:00Z", "last": true, "event": {"type": "comet"}}\n\n'


class Line:
    """Answers with each of these in turn and with the last one for ever; notes requests and pauses."""

    def __init__(self, *answers: httpx.Response | httpx.TransportError) -> None:
        self.answers, self.requests = list(answers), list[httpx.Request]()
        self.pauses: list[float] = []
        setattr(time, "sleep", self.pauses.append)
        setattr(anyio, "sleep", self.pause)

    async def pause(self, delay: float) -> None:
        self.pauses.append(delay)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, httpx.TransportError):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def client(self, tokens: Tokens | None = None, on_tokens: Callable[[Tokens], None] | None = None) -> Client:
        return Client("http://service", tokens=tokens, on_tokens=on_tokens, transport=httpx.MockTransport(self.answer))

    def async_client(self) -> AsyncClient:
        return AsyncClient("http://service", transport=httpx.MockTransport(self.answer))


@contextlib.contextmanager
def fails(code: str, status: int) -> Iterator[None]:
    try:
        yield
    except ProblemError as error:
        assert (error.code, error.status) == (code, status), error
    else:
        raise AssertionError(f"{code} is raised")


def strange_answers_are_one_error() -> None:
    for answer in STRANGE:
        with Line(answer).client() as client:
            calls: list[Callable[[], object]] = [
                lambda: client.match("m_1"),
                lambda: client.guest("Rowan"),
                lambda: ok(list_games.sync(client=client.core)),
                lambda: client.create_invite("m_1"),
            ]
            for call in calls:
                with fails("unexpected_answer", answer.status_code):
                    call()
            assert client.tokens is None
    with Line(STRANGE[3]).client() as client, fails("unexpected_answer", 200):
        ok(get_game_rules.sync("henge", client=client.core))


async def strange_answers_are_one_error_with_await() -> None:
    for answer in STRANGE:
        async with Line(answer).async_client() as client:
            with fails("unexpected_answer", answer.status_code):
                await client.match("m_1")


def a_session_outlives_a_strange_refresh() -> None:
    for answer in STRANGE:
        kept = Tokens("a", "r", time.time())
        told: list[Tokens] = []
        with Line(answer).client(kept, told.append) as client:
            with fails("unexpected_answer", answer.status_code):
                ok(get_me.sync(client=client.core))
            assert client.tokens == kept and told == []


def a_stream_waits_for_a_stream() -> None:
    for answer in [answer for answer in STRANGE if answer.status_code != 204]:
        stream = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=EVENT)
        line = Line(*[answer] * 5, stream, httpx.Response(204))
        with line.client() as client:
            assert [event.id for event in client.follow("m_1")] == ["1.0"]
        assert len(line.pauses) == 6 and line.pauses[4] > 4.0 and line.pauses[5] <= 1.0, line.pauses


def a_displaced_stream_waits_as_long_as_it_is_asked_to() -> None:
    for retry, least, most in [(60_000, 60.0, 60.0), (5000, 0.0, 1.0)]:
        content = f"retry: 500\n{EVENT}retry: {retry}\n: a newer stream has taken the place of this one\n"
        line = Line(httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=content), httpx.Response(204))
        with line.client() as client:
            assert [event.id for event in client.follow("m_1")] == ["1.0"]
        assert len(line.pauses) == 1 and least <= line.pauses[0] <= most, line.pauses


def keyed_requests_are_repeated(document: str) -> None:
    with open(document, encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    posts = {path: methods["post"] for path, methods in paths.items() if "post" in methods}
    failures: list[httpx.Response | httpx.TransportError] = [httpx.RemoteProtocolError("closed"), httpx.ReadTimeout("late")]
    failures += [httpx.Response(status, html="<h1>Bad gateway</h1>") for status in (502, 503, 504)]
    for path, operation in posts.items():
        takes_key = any("IdempotencyKey" in json.dumps(it) for it in operation.get("parameters", []))
        may_repeat = takes_key or path in REPEATED_WITHOUT_KEY or path.startswith("/v1/sandbox/")
        for answer in failures:
            line = Line(answer)
            with line.client() as client, contextlib.suppress(ProblemError, httpx.TransportError):
                client.core.get_httpx_client().post(path.replace("{", "").replace("}", ""))
            assert len(line.requests) == (4 if may_repeat else 1), f"{path}: {len(line.requests)} requests"
            keys = {request.headers.get("Idempotency-Key") for request in line.requests}
            assert len(keys) == 1 and (None not in keys) == may_repeat, f"{path}: {keys}"
            assert sum(line.pauses) < 4.0, line.pauses
        line = Line(httpx.Response(429, headers={"Retry-After": "1"}))
        with line.client() as client, fails("", 429):
            client.core.get_httpx_client().post(path.replace("{", "").replace("}", ""))
        assert len(line.requests) == 4, "what was refused was not done"


def a_proxy_may_ask_for_a_pause() -> None:
    for status in (502, 503, 504):
        line = Line(httpx.Response(status, headers={"Retry-After": "7"}))
        with line.client() as client, fails("", status):
            client.join("m_1")
        assert len(line.pauses) == 3 and min(line.pauses) >= 7.0, line.pauses
        line = Line(httpx.Response(status, headers={"Retry-After": "3600"}))
        with line.client() as client, fails("", status):
            client.join("m_1")
        assert line.pauses == [], "an hour is too long"


if __name__ == "__main__":
    strange_answers_are_one_error()
    asyncio.run(strange_answers_are_one_error_with_await())
    a_session_outlives_a_strange_refresh()
    a_stream_waits_for_a_stream()
    a_displaced_stream_waits_as_long_as_it_is_asked_to()
    keyed_requests_are_repeated(sys.argv[1])
    a_proxy_may_ask_for_a_pause()
