"""A bot for Contiguity that tries each of its moves in the sandbox: it wins where it can, and else brings its pieces into
as few groups as it can without letting the other side win at once. It plays so many matches against a player who moves at
random: python bot.py http://127.0.0.1:8080 10

The bot plays as the bot account whose token is in SARSEN_TOKEN; without one it makes an account for itself.
"""

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

from sarsen import Client, Turn, ok
from sarsen.core.api.players import create_bot_account
from sarsen.core.models import BotAccountName, CreateContiguityMatch
from sarsen.pettingzoo import Position, Sandbox


def groups(position: Position) -> int:
    """Into how many groups the pieces of whoever has moved fall."""
    return min((event["groups"] for event in position.events if event["type"] == "piece_moved"), default=6)


def threat(sandbox: Sandbox, position: Position) -> int:
    """The fewest groups that an answer leads to."""
    if not position.to_act:
        return 6
    seat = position.to_act[0]
    answers = [(position, seat, index) for index in range(len(position.sights[seat].legal))]
    return min(groups(reached) for reached in sandbox.step(answers, views="none"))


def choose(sandbox: Sandbox, turn: Turn) -> str:
    """The notation of a move."""
    seat = turn.decision.seat
    # Nothing is hidden in Contiguity, so what may be true of a view is what is true.
    now = sandbox.imagine("contiguity", turn.state.to_dict(), seat)[0]
    legal = now.sights[seat].legal
    reached = sandbox.step([(now, seat, index) for index in range(len(legal))], views="none")
    best = sorted(range(len(legal)), key=lambda index: (groups(reached[index]), random.random()))
    if groups(reached[best[0]]) > 1:
        best = [index for index in best[:4] if threat(sandbox, reached[index]) > 1] or best
    return legal[best[0]]


def account(owner: Client) -> str:
    """The token of a new bot account."""
    made = ok(create_bot_account.sync(client=owner.core, body=BotAccountName(name="Tries all")))
    return made.credential.secret


def main(base: str, matches: int) -> None:
    won = 0
    with Client(base) as other, ThreadPoolExecutor(1) as threads:
        other.guest("Moves at random")
        bot = Client.from_token(base, os.environ.get("SARSEN_TOKEN") or account(other))
        for _ in range(matches):
            match = bot.create(CreateContiguityMatch(game="contiguity")).match.id
            other.join(match)
            playing = threads.submit(other.play, match, lambda turn: random.choice(turn.moves))
            view = bot.play(match, lambda turn: choose(Sandbox(bot), turn)).match
            playing.result()
            won += view.outcome is not None and view.outcome.standings[view.your_seat or 0].verdict == "won"
    print(f"won {won} of {matches}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
