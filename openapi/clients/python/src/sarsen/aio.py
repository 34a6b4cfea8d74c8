"""The client with `await`, for asyncio and trio. The build makes `client.py` of it, the same without `await`."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Self, TypeVar

import anyio
import httpx

from . import play as shared
from .aio_table import AsyncTable
from .core.api.matches import get_match
from .core.api.play import make_move
from .core.api.players import create_player, exchange_token, pair_device, recover_player
from .core.api.pools import put_ticket
from .core.client import AuthenticatedClient
from .core.models import CreatePlayer, LoggedEvent, MatchStep, MatchView, MoveResult, OutsideToken, Pairing, Player
from .core.models import Recovery, SignedInPlayer, TicketWishes
from .core.types import UNSET, Unset
from .core.unions import Move, PlayerEvent
from .follow import SILENCE, STREAM, Follower
from .play import Page, Turn, ok
from .problems import ProblemError, expected
from .session import Tokens, backoff

T = TypeVar("T")
Events = AsyncGenerator[T, None]
OnTokens = Callable[[Tokens], None] | None
Policy = Callable[[Turn], Awaitable[Move | str]]
"""What decides in a match: given the turn, it answers with one of its moves or with a move's notation."""

KEYED = re.compile(r"/v1/(matches(?!.*/(invites|substitute/offer|review)$)|invites/|players$|tokens/(refresh|pair|recover|exchange)$|sandbox/)")
"""The paths of POSTs that may be repeated: they take effect once under their key, or twice does no harm."""
RETRIES = 3
RENEWALS = 2
"""Another request may have renewed a token long ago, and that one may have ended too."""
POOL_WAIT = 20
"""How long one request waits for a match of a pool, in seconds."""
LONGEST_PAUSE = 60.0
"""Where the service asks for a longer pause than this, in seconds, its problem is raised at once."""


class _Carrier(httpx.AsyncBaseTransport):
    """Carries every request to a response below 400, or raises: with a token that is good, under an idempotency key,
    and again where that may help."""

    def __init__(self, inner: httpx.AsyncBaseTransport, url: str, tokens: Tokens | None, on_tokens: OnTokens) -> None:
        self.tokens = tokens
        self._inner, self._on_tokens = inner, on_tokens
        self._refresh_url = httpx.URL(f"{url}/v1/tokens/refresh")
        self._renewing = anyio.Lock()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and KEYED.search(request.url.path):
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        may_repeat = request.method != "POST" or "Idempotency-Key" in request.headers
        bare = "Authorization" in request.headers or request.url == self._refresh_url
        tries, renewals = 0, 0
        while True:
            tokens = None if bare else self.tokens
            if tokens is not None:
                if tokens.is_ending():
                    tokens = await self._renewed(tokens)
                request.headers["Authorization"] = f"Bearer {tokens.access_token}"
            pause = backoff(tries, 0.25)
            failure: httpx.TransportError | ProblemError
            try:
                response = await self._inner.handle_async_request(request)
                if response.status_code >= 400 or request.headers.get("Accept") != STREAM:
                    await response.aread()
            except httpx.TransportError as error:
                failure, repeats = error, may_repeat
            else:
                if response.status_code < 400:
                    return response
                failure = ProblemError.of(response)
                if failure.status == 401 and tokens and tokens.refresh_token and renewals < RENEWALS:
                    renewals += 1
                    await self._renewed(tokens)
                    continue
                pause = pause if failure.retry_after is None else failure.retry_after + backoff(0, 0.1)
                repeats = failure.status == 429 or (may_repeat and failure.status in (502, 503, 504))
            if not repeats or pause > LONGEST_PAUSE or tries == RETRIES:
                raise failure
            tries, renewals = tries + 1, 0
            await anyio.sleep(pause)

    async def _renewed(self, used: Tokens) -> Tokens:
        """New tokens: made here, or by whoever was quicker while this request waited for its turn."""
        async with self._renewing:
            if self.tokens is None or self.tokens is used:
                body = {"refresh_token": used.refresh_token}
                limits = {"timeout": httpx.Timeout(30.0).as_dict()}
                request = httpx.Request("POST", self._refresh_url, json=body, extensions=limits)
                response = await self.handle_async_request(request)
                with expected(response):
                    tokens = Tokens.of(response.json())
                self.accept(tokens)
            return self.tokens or used

    def accept(self, tokens: Tokens) -> None:
        """Goes on with these tokens, and says so to whoever keeps them."""
        self.tokens = tokens
        if self._on_tokens is not None:
            self._on_tokens(tokens)

    async def aclose(self) -> None:
        await self._inner.aclose()


class AsyncClient(AsyncTable):
    """One player at one service, or a spectator as long as there are no tokens. Tasks may share it."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: Tokens | None = None,
        on_tokens: OnTokens = None,
        timeout: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`on_tokens` is told whenever there are new tokens: keep them, in order to come back. `timeout` in seconds."""
        base_url = base_url.rstrip("/")
        self._carrier = _Carrier(transport or httpx.AsyncHTTPTransport(), base_url, tokens, on_tokens)
        self._http = httpx.AsyncClient(base_url=base_url, transport=self._carrier, timeout=timeout)
        core = AuthenticatedClient(base_url=base_url, token="", raise_on_unexpected_status=True)
        self.core = core.set_async_httpx_client(self._http)
        """For the operations of `sarsen.core.api`."""

    @classmethod
    def from_token(
        cls, base_url: str, token: str, *, timeout: float = 30.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> Self:
        """A program that speaks by a token of its own, `sarsen_pat_…`: for a player, or as a bot account."""
        return cls(base_url, tokens=Tokens.of_program(token), timeout=timeout, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.aclose()

    @property
    def tokens(self) -> Tokens | None:
        """The session, if there is one."""
        return self._carrier.tokens

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._http.aclose()

    async def guest(self, name: str, *, device: str | Unset = UNSET) -> Player:
        """Makes a player from a name, and goes on as that player."""
        body = CreatePlayer(name=name, device=device)
        return self._signed_in(ok(await create_player.asyncio(client=self.core, body=body)))

    async def pair(self, code: str, *, device: str | Unset = UNSET, key: str | Unset = UNSET) -> Player:
        """Goes on as the player whose other device shows this code. `key`: the idempotency key, a new one if left out."""
        body = Pairing(code=code, device=device)
        return self._signed_in(ok(await pair_device.asyncio(client=self.core, body=body, idempotency_key=key)))

    async def recover(self, recovery_key: str, *, device: str | Unset = UNSET, key: str | Unset = UNSET) -> Player:
        """Goes on as the player whose recovery key this is. `key`: the idempotency key, a new one if left out."""
        body = Recovery(recovery_key=recovery_key, device=device)
        return self._signed_in(ok(await recover_player.asyncio(client=self.core, body=body, idempotency_key=key)))

    async def exchange(self, issuer: str, token: str, *, device: str | Unset = UNSET) -> Player:
        """Goes on as the player who is linked to the account that a token of an outside issuer is about, or a new one."""
        body = OutsideToken(issuer=issuer, token=token, device=device)
        return self._signed_in(ok(await exchange_token.asyncio(client=self.core, body=body)))

    def _signed_in(self, answer: SignedInPlayer) -> Player:
        self._carrier.accept(Tokens.of(answer.to_dict()))
        return answer.player

    async def match(self, match_id: str, *, invite: str | Unset = UNSET) -> MatchView:
        """A match with its state and the caller's decision."""
        view: MatchView = ok(await get_match.asyncio(match_id, client=self.core, invite=invite))
        return view

    async def move(self, turn: Turn, answer: Move | str, *, key: str | Unset = UNSET) -> MoveResult:
        """Answers a turn with a move or its notation. `key`: the idempotency key, a new one if left out."""
        body = shared.move_body(answer, turn.decision.id)
        return ok(await make_move.asyncio(turn.match.id, client=self.core, body=body, idempotency_key=key))

    async def signal(self, match_id: str, signal: Move | str) -> MoveResult:
        """Makes a move that needs no turn, or its notation."""
        return ok(await make_move.asyncio(match_id, client=self.core, body=shared.move_body(signal)))

    async def paginate(self, fetch: Callable[[str | Unset], Awaitable[Page[T]]]) -> AsyncIterator[T]:
        """The items of all pages of a list; `fetch` gets the cursor of a page, at first none."""
        cursor: str | Unset = UNSET
        while True:
            page = await fetch(cursor)
            for item in page.items:
                yield item
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    def follow(self, match_id: str, *, after: str | None = None, invite: str | None = None) -> Events[LoggedEvent]:
        """The events of a match from `after` on (all, if left out), each once and in order, until the match is over.

        Connections that are lost are made again. After an event of type `resync`, forget what you were told.
        """
        return self._stream(shared.match_follower(match_id, after, invite))

    def inbox(self, *, after: str | None = None) -> Events[PlayerEvent]:
        """What happens in all matches of the caller, without end."""
        return self._stream(shared.inbox_follower(after))

    async def play_now(self, pool: str, wishes: TicketWishes | None = None) -> MatchView:
        """Waits in a pool until the service has paired the caller: the match has started. Whoever gives up may
        `leave_pool`; a ticket of a live pool lapses after a minute."""
        while True:
            body = wishes or TicketWishes()
            ticket = ok(await put_ticket.asyncio(pool, client=self.core, body=body, wait=POOL_WAIT))
            if ticket.match_id is not None:
                return await self.match(ticket.match_id)

    async def play(self, match_id: str, policy: Policy, *, invite: str | Unset = UNSET) -> MatchView:
        """Plays a match to its end, and waits for its start if need be: asks `policy` whenever it is one's turn.

        One request a turn: the answer to a move has the next decision in it, and what others do comes by a stream.
        """
        known: shared.Known = await self.match(match_id, invite=invite)
        async with contextlib.AsyncExitStack() as stack:
            steps: Events[MatchStep] | None = None
            while not shared.is_over(known.match):
                turn = shared.turn_of(known)
                if turn is not None:
                    try:
                        known = await self.move(turn, await policy(turn))
                    except ProblemError as error:
                        if error.code not in shared.OVERTAKEN:
                            raise
                        known = await self.match(match_id, invite=invite)
                else:
                    if steps is None:
                        steps = self._stream(shared.step_follower(match_id, invite or None))
                        stack.push_async_callback(steps.aclose)
                    async for step in steps:
                        if shared.is_news(step, known.match):
                            known = step
                            break
                    else:
                        known = await self.match(match_id, invite=invite)
        return MatchView(known.match, known.state, known.last_move, known.undo, known.takeback, known.decision or None)

    async def _stream(self, follower: Follower[T]) -> Events[T]:
        limits = httpx.Timeout(30.0, read=SILENCE)
        while True:
            failure: Exception | None = None
            try:
                headers, params = follower.headers, follower.params
                stream = self._http.stream("GET", follower.path, headers=headers, params=params, timeout=limits)
                async with stream as answer:
                    if answer.status_code == 204:
                        return
                    if not answer.headers.get("Content-Type", "").startswith(STREAM):
                        raise ProblemError.unexpected(answer)
                    async for text in answer.aiter_text():
                        for item in follower.feed(text):
                            yield item
            except (httpx.TransportError, ProblemError) as error:
                failure = error
            await anyio.sleep(follower.pause(failure))
