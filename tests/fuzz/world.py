"""Players and matches for the fuzzer: every state a match can be in, made on demand through the API."""

import random
import threading
import time
from collections import deque

import requests

# Access tokens live fifteen minutes.
REFRESH_AFTER_SECONDS = 600
# The game that most matches are of.
USUAL_GAME = "contiguity"
# No more seats are tried: so many players there are.
MOST_SEATS = 3
# How many matches wait with a seat whose time has passed.
LATE_MATCHES = 24
# Rated matches that count: after 16 a rating is no longer provisional, and ten a day against one opponent count.
COUNTED_MATCHES = 20
# Rated matches that may be annulled.
SPARE_MATCHES = 4


class Player:
    """A guest whose access token is always good."""

    def __init__(self, world, name):
        self.world = world
        answer = world.post("/v1/players", {"name": name})
        self.id = answer["player"]["id"]
        self._keep(answer)

    def _keep(self, answer):
        self.last_token, self.refresh_token = answer["access_token"], answer["refresh_token"]
        self._fresh_until = time.monotonic() + REFRESH_AFTER_SECONDS

    @property
    def token(self):
        if time.monotonic() > self._fresh_until:
            self._keep(self.world.post("/v1/tokens/refresh", {"refresh_token": self.refresh_token}))
        return self.last_token


class World:
    """`me` is the player whose token the fuzzer sends; the others give it company."""

    def __init__(self, base, seed):
        self.base = base
        self.random = random.Random(seed)
        self.lock = threading.RLock()
        self.session = requests.Session()
        offered = self.call("GET", "/v1/games")["items"]
        # The numbers of seats with which each game is tried.
        self.games = {
            game["id"]: list(range(game["min_seats"], min(game["max_seats"], MOST_SEATS) + 1)) for game in offered
        }
        self.states = {
            "open": self.open,
            "joinable": self.joinable,
            "joined": self.joined,
            "full": self.full,
            "my_turn": self.my_turn,
            "their_turn": self.their_turn,
            "bidding": self.bidding,
            "draw_offered": self.draw_offered,
            "draw_offered_by_me": self.draw_offered_by_me,
            "finished": self.finished,
            "aborted": self.aborted,
            "private": self.private,
            "private_joinable": self.private_joinable,
            "watched": self.watched,
            "elsewhere": self.elsewhere,
            "my_turn_elsewhere": self.my_turn_elsewhere,
            "finished_elsewhere": self.finished_elsewhere,
            "hinted": self.hinted,
            "organised": self.organised,
            "timed": self.timed,
            "takeback_offered": self.takeback_offered,
            "invited": self.invited,
            "rematch_called": self.rematch_called,
            "moved": self.moved,
            "undoable": self.undoable,
        }
        self.settle()

    def settle(self):
        """Makes new players and their matches."""
        self.me, self.other, self.third, self.stranger = (
            Player(self, name) for name in ("Rowan", "Hazel", "Alder", "Rue")
        )
        self.pool = [make() for make in self.states.values() for _ in range(2)]
        self.late_matches = deque((self._late(), time.monotonic()) for _ in range(LATE_MATCHES))
        self.rated_matches = [self._rated(i) for i in range(COUNTED_MATCHES + SPARE_MATCHES)]

    def retry(self, make):
        """Calls `make`, a second time with new players if an earlier case spoiled the old ones: a block, a lost session."""
        try:
            return make()
        except RuntimeError:
            self.settle()
            return make()

    # Requests.

    def call(self, method, path, body=None, player=None):
        headers = {"Authorization": f"Bearer {player.token}"} if player else {}
        answer = self.session.request(method, self.base + path, json=body, headers=headers, timeout=30)
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def post(self, path, body=None, player=None):
        return self.call("POST", path, body, player)

    def read(self, id, player):
        return self.call("GET", f"/v1/matches/{id}", player=player)

    def create(self, player, **fields):
        return self.post("/v1/matches", {"game": USUAL_GAME, **fields}, player)["match"]["id"]

    def join(self, id, player, **fields):
        self.post(f"/v1/matches/{id}/join", fields, player)
        return id

    def act(self, id, what, player):
        self.post(f"/v1/matches/{id}/{what}", None, player)
        return id

    def move(self, id, player):
        """Makes a random move."""
        decision = self.read(id, player)["decision"]
        move = self.random.choice(decision["legal_moves"]["moves"])
        self.post(f"/v1/matches/{id}/moves", {"decision_id": decision["id"], "move": move}, player)

    # States of matches. Each answers the id of a match that is in it.

    def open(self):
        return self.create(self.me)

    def joinable(self):
        return self.create(self.other, start=self.random.choice(["when_full", "manual"]))

    def joined(self):
        return self.join(self.create(self.other, start="manual"), self.me)

    def full(self):
        return self.join(self.create(self.me, start="manual"), self.other, entropy="oak, ash and thorn")

    def playing(self, **fields):
        return self.join(self.create(self.me, **fields), self.other)

    def options(self):
        return {"bidding": self.random.random() < 0.3, "jump": self.random.choice(["flying", "short"])}

    def _with_turn(self, id, mine):
        seen = self.read(id, self.me)
        if (seen["decision"] is not None) != mine:
            self.move(id, self.me if seen["decision"] else self.other)
            seen = self.read(id, self.me)
            if (seen["decision"] is not None) != mine:
                return None
        return id

    def _turn(self, mine, **fields):
        while True:
            if id := self._with_turn(self.playing(**fields), mine):
                return id

    def my_turn(self):
        return self._turn(True, options=self.options())

    def their_turn(self):
        return self._turn(False, options=self.options())

    def bidding(self):
        return self._turn(True, options={"bidding": True})

    def draw_offered(self):
        return self.act(self.playing(), "draw/offer", self.other)

    def draw_offered_by_me(self):
        return self.act(self.playing(), "draw/offer", self.me)

    def finished(self):
        id = self.playing(options=self.options())
        self.move(id, self.me if self.read(id, self.me)["decision"] else self.other)
        return self.act(id, "resign", self.random.choice([self.me, self.other]))

    def aborted(self):
        return self.act(self.open(), "abort", self.me)

    def private(self):
        return self.create(self.me, visibility="private")

    def private_joinable(self):
        return self.create(self.other, visibility="private")

    def hinted(self):
        return self._turn(True, hints=True)

    def organised(self):
        return self.join(self.join(self.create(self.me, seat=None, tags=["thorn"]), self.other), self.third)

    def timed(self):
        return self.playing(clock={"initial_seconds": 3600})

    def takeback_offered(self):
        id = self.their_turn()
        self.move(id, self.other)
        version = self.read(id, self.me)["match"]["version"]
        self.post(f"/v1/matches/{id}/takeback", {"to_version": version - 1}, self.other)
        return id

    def moved(self):
        """Just by `me`, whose turn is over."""
        id = self.my_turn()
        self.move(id, self.me)
        return id if self.read(id, self.me)["decision"] is None else self.moved()

    def undoable(self):
        while True:
            id = self.create(self.me, game="henge", seats=1)
            for _ in range(30):
                self.move(id, self.me)
                if self.read(id, self.me)["undo"]:
                    return id

    def plan(self, id):
        """The body of a plan for what the other player may do next."""
        seen = self.call("GET", f"/v1/matches/{id}?legal_moves=notation", player=self.other)
        first, then = self.random.sample(seen["decision"]["legal_moves"]["notations"], 2)
        return {"version": seen["match"]["version"], "tree": [{"when": [first], "then": [then]}]}

    def invited(self):
        return self.create(self.other, places=[{"seat": 1, "player_id": self.me.id}])

    def rematch_called(self):
        return self.act(self.finished(), "rematch", self.other)

    def replaced(self):
        """A match in which a bot plays for `me`, whose time has run out. Takes some seconds."""
        clock = {"delay_seconds": 1, "first_move_seconds": 60, "on_timeout": "bot", "takeover_bot": "easy"}
        id = self.playing(clock=clock)
        self.post(f"/v1/matches/{id}/clock/give", {"seat": 1, "seconds": 300}, self.me)
        # A first turn has a time of its own.
        self._somebody_moves(id)
        self._somebody_moves(id)
        for _ in range(100):
            if self.read(id, self.me)["match"]["seats"][0]["substituted"]:
                return id
            if self.read(id, self.other)["decision"]:
                self.move(id, self.other)
            time.sleep(0.1)
        raise RuntimeError("no bot took over in ten seconds")

    def watched(self):
        return self.join(self.create(self.other), self.third)

    # Of other games.

    def elsewhere(self):
        game = self.random.choice([game for game in self.games if game != USUAL_GAME and self.games[game]])
        seats = self.random.choice(self.games[game])
        id = self.create(self.me, game=game, seats=seats)
        for player in (self.other, self.third)[: seats - 1]:
            self.join(id, player)
        for _ in range(self.random.randint(0, 8)):
            self._somebody_moves(id)
        return id

    def _somebody_moves(self, id):
        for player in (self.me, self.other, self.third):
            if self.read(id, player)["decision"] is not None:
                self.move(id, player)
                return

    def my_turn_elsewhere(self):
        while True:
            id = self.elsewhere()
            for _ in range(30):
                if self.read(id, self.me)["decision"] is not None:
                    return id
                self._somebody_moves(id)

    def finished_elsewhere(self):
        id = self.my_turn_elsewhere()
        for player in (self.me, self.other, self.third):
            if self.read(id, self.me)["match"]["status"] == "finished":
                break
            self.act(id, "resign", player)
        return id

    def _late(self):
        return self._turn(False, move_time_seconds=1)

    def late(self):
        """A match in which the other player's time has passed, if one is ripe."""
        id, since = self.late_matches.popleft()
        self.late_matches.append((self._late(), time.monotonic()))
        return id if time.monotonic() - since > 1.5 else None

    def _rated(self, number):
        other = (self.other, self.third)[number % 2]
        id = self.join(self.create(self.me, rated=True, clock={"delay_seconds": 86400}), other)
        # A match does not count if the loser has not moved.
        self._somebody_moves(id)
        self._somebody_moves(id)
        return self.act(id, "resign", self.random.choice([self.me, other]))

    def annullable(self):
        """A rated match, the rating of which is computed already."""
        self.rated_matches.append(self._rated(0))
        return self.rated_matches.pop(COUNTED_MATCHES)

    def bot(self):
        return self.post("/v1/me/bots", {"name": "Elder's engine"}, self.me)["player"]["id"]

    def delivery(self, owner, player):
        """The path parameters of a delivery; `owner` is `/v1/me` or `/v1/admin`."""
        path = f"{owner}/webhooks"
        hooks = [hook["id"] for hook in self.call("GET", path, player=player)["items"]]
        terms = {"url": "https://hook.example/thorn", "events": ["match.ended"]}
        hook = hooks[0] if hooks else self.post(path, terms, player)["webhook"]["id"]
        for _ in range(20):
            if found := self.call("GET", f"{path}/{hook}/deliveries", player=player)["items"]:
                return {"webhook_id": hook, "delivery_id": found[0]["id"]}
            self.post(f"{path}/{hook}/test", None, player)
            time.sleep(0.5)
        raise RuntimeError("no delivery was attempted in ten seconds")

    def invite(self, id):
        """The invite code of a private match, whoever made it."""
        for player in (self.me, self.other):
            answer = self.session.get(
                f"{self.base}/v1/matches/{id}", headers={"Authorization": f"Bearer {player.token}"}, timeout=30
            )
            if answer.ok and answer.json()["match"]["invite_code"]:
                return answer.json()["match"]["invite_code"]
        return None
