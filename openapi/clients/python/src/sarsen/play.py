"""What both clients share above requests: typed answers, pages, and the turns of a match that is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from .core.models import Decision, LoggedEvent, MakeMove, Match, MatchStatus, MatchStep, MatchView, MoveResult
from .core.models import PlayerEventPage, Problem, ResyncEvent
from .core.types import UNSET, Unset
from .core.unions import Move, PlayerEvent, View
from .follow import Follower

T = TypeVar("T")
Item = TypeVar("Item", covariant=True)
Known = MatchView | MoveResult | MatchStep
"""What tells how a match stands and what the caller is asked."""

OVERTAKEN = frozenset({"stale_decision", "not_your_turn", "out_of_time", "match_over", "conflict"})
"""Problems of a move that mean that the match has gone on meanwhile: look again."""


class Page(Protocol[Item]):
    """A page of any list."""

    @property
    def items(self) -> Sequence[Item]: ...
    @property
    def next_cursor(self) -> str | None: ...


@dataclass(frozen=True)
class Turn:
    """What one is asked, and all that may be known."""

    match: Match
    state: View
    decision: Decision

    @property
    def moves(self) -> list[Move]:
        """The legal moves. Those of a later release's kinds are among them as `OtherMove`."""
        return (self.decision.legal_moves.moves or []) if self.decision.legal_moves else []


def ok(answer: T | Problem | None) -> T:
    """What an operation of the core has returned; its problems were raised before."""
    if answer is None or isinstance(answer, Problem):
        raise TypeError(f"the service answered with {answer!r}, which the document does not name")
    return answer


def turn_of(known: Known) -> Turn | None:
    """The caller's turn, if there is one."""
    if not known.decision or known.state is None:
        return None
    return Turn(known.match, known.state, known.decision)


def is_over(match: Match) -> bool:
    """Whether nothing can happen in the match any more."""
    return match.status in (MatchStatus.FINISHED, MatchStatus.ABORTED)


def move_body(move: Move | str, decision_id: str | Unset = UNSET) -> MakeMove:
    """A move or its notation, as the answer to a decision or as a signal."""
    if isinstance(move, str):
        return MakeMove(decision_id=decision_id, notation=move)
    return MakeMove(decision_id=decision_id, move=move)


def match_follower(match_id: str, after: str | None, invite: str | None) -> Follower[LoggedEvent]:
    """Follows a match."""
    return Follower(f"/v1/matches/{match_id}/stream", LoggedEvent.from_dict, after, invite=invite)


def step_follower(match_id: str, invite: str | None) -> Follower[MatchStep]:
    """Follows a match with all that the caller needs to play it, beginning with how it stands."""
    follows = {"include": "view,decision", "invite": invite}
    return Follower(f"/v1/matches/{match_id}/stream", MatchStep.from_dict, None, **follows)


def inbox_follower(after: str | None) -> Follower[PlayerEvent]:
    """Follows the caller's inbox. A page parses what the stream sends: the same union."""

    def parse(item: dict[str, Any]) -> PlayerEvent:
        return PlayerEventPage.from_dict({"items": [item], "next_cursor": None}).items[0]

    return Follower("/v1/me/stream", parse, after)

def is_news(step: MatchStep, match: Match) -> bool:
    """Whether a step makes what is known of a match out of date."""
    return step.version > match.version or any(isinstance(told.event, ResyncEvent) for told in step.events)
