"""What Schemathesis cannot know: who calls, and which matches, decisions and tokens there are.

Hooks put values that exist in the place of made-up ones, for some of the valid requests only: the rest, and every
request that Schemathesis made invalid on purpose, stay as they were made, apart from two things that would hurt the run
itself. `revokeTokens` and the like always get a throw-away token, and nothing is waited for.
"""

import atexit
import itertools
import json
import os
from collections import Counter, defaultdict
from datetime import UTC, datetime
from types import SimpleNamespace

import jsonschema_rs
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import StatefulPhaseData
from world import USUAL_GAME, Player, World

world = World(os.environ["SARSEN_FUZZ_BASE"], int(os.environ["SARSEN_FUZZ_SEED"]))
chance = world.random
with open("openapi/openapi.json", encoding="utf-8") as file:
    document = json.load(file)
components = document["components"]
SUBSCRIBE = document["paths"]["/v1/me/push-subscriptions"]["post"]
PUSH_SUBSCRIPTION = SUBSCRIBE["requestBody"]["content"]["application/json"]["example"]
LINES = {
    operation: jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})
    for operation, name in (
        ("listMatchEvents", "EventOrStep"), ("listMyEvents", "PlayerEvent"), ("listResults", "MatchResult"),
    )
}
answers = defaultdict(Counter)
# Two requests under one key have to be the same request, which made-up ones never are.
keys = itertools.count()

# In which states a match takes the operation.
FITTING = {
    "joinMatch": ["joinable", "private_joinable"],
    "leaveMatch": ["joined"],
    "startMatch": ["full"],
    "abortMatch": ["open", "full", "private"],
    "giveEntropy": ["open", "joined", "full"],
    "resignMatch": ["my_turn", "their_turn", "bidding", "draw_offered"],
    "offerDraw": ["my_turn", "their_turn"],
    "acceptDraw": ["draw_offered"],
    "declineDraw": ["draw_offered", "draw_offered_by_me"],
    "exportMatch": ["finished", "finished_elsewhere"],
    "getHint": ["hinted"],
    "adjudicateMatch": ["organised"],
    "giveTime": ["timed"],
    "acceptTakeback": ["takeback_offered"],
    "declineTakeback": ["takeback_offered"],
    "declineInvitation": ["invited"],
    "declineRematch": ["rematch_called"],
    "removePlayer": ["full"],
    "reserveSeat": ["open"],
    "undoMove": ["undoable"],
    "offerTakeback": ["moved"],
    "makePlan": ["moved"],
}
# Bodies that fit such a match.
BODIES = {
    "getHint": [{"level": "easy"}],
    "giveTime": [{"seat": 1, "seconds": 60}],
    "adjudicateMatch": [
        {"reason": "thorn", "abort": True}, {"reason": "thorn", "outcome": {"ranks": [1, 2], "verdict": "won"}},
    ],
}
# The same of bodies that name where the match is.
PRESENT = {
    "undoMove": lambda id: {"to_version": world.read(id, world.me)["undo"]["to_version"]},
    "offerTakeback": lambda id: {"to_version": world.read(id, world.me)["match"]["version"] - 1},
    "makePlan": lambda id: world.plan(id),
    "reserveSeat": lambda id: {"player_id": world.third.id},
}


# Operations that spoil a player or a match for later cases.
ENDS_SOMETHING = [
    "banPlayer", "unbanPlayer", "renamePlayer", "deletePlayer", "deleteBotAccount", "deleteMatch", "abortMatchAsOperator",
    "blockPlayer", "unrankPlayer",
]
# Who asks.
CALLER = os.environ["SARSEN_FUZZ_CALLER"]
OPERATOR = os.environ["SARSEN_FUZZ_OPERATOR"]
OPERATOR_PLAYER = SimpleNamespace(token=OPERATOR)


@schemathesis.auth(refresh_interval=None)
class Caller:
    """Sends an operator's token to what is for operators, and else that of the one who asks."""

    def get(self, case, context):
        if CALLER == "nobody":
            return None
        if case.operation.path.startswith("/v1/admin"):
            return OPERATOR
        with world.lock:
            return world.retry(lambda: (world.me if CALLER == "player" else world.stranger).token)

    def set(self, case, token, context):
        if token is not None:
            case.headers = case.headers or {}
            # The one of this moment: a run is longer than a token lives.
            case.headers["Authorization"] = f"Bearer {self.get(case, context)}"


def operation_id(case):
    return case.operation.definition.raw.get("operationId")


def valid(case, location):
    return case.meta is not None and not case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context, case, kwargs):
    # Requests with a method that the address does not take.
    if case.method.upper() != case.operation.method.upper():
        return
    with world.lock:
        me = world.me
        world.retry(lambda: fill(case, operation_id(case)))
        if world.me is not me and case.headers.get("Authorization") == f"Bearer {me.last_token}":
            case.headers["Authorization"] = f"Bearer {world.me.token}"


def fill(case, operation):
    ends_it = operation in ("revokeTokens", "deleteMe", "endSession")
    if ends_it and case.headers.get("Authorization") in [f"Bearer {who.token}" for who in (world.me, world.stranger)]:
        elder = Player(world, "Elder")
        case.headers["Authorization"] = f"Bearer {elder.token}"
        if operation == "endSession" and valid(case, ParameterLocation.PATH):
            case.path_parameters["session_id"] = world.call("GET", "/v1/me", player=elder)["session_id"]
        if operation == "deleteMe" and valid(case, ParameterLocation.QUERY):
            case.query["confirm"] = elder.id
    if operation in ENDS_SOMETHING and valid(case, ParameterLocation.PATH):
        # Neither players nor matches that others of the run need; what a deletion confirms no schema says.
        if "match_id" in case.path_parameters:
            kind, id = "match_id", world.open()
        else:
            kind, id = "player_id", world.bot() if operation == "deleteBotAccount" else Player(world, "Elder").id
        case.path_parameters[kind] = id
        if "confirm" in (case.query or {}) and valid(case, ParameterLocation.QUERY):
            case.query["confirm"] = id
        return
    if operation in ("listMatchEvents", "listMyEvents", "streamMatch", "streamMyEvents"):
        bound_events(case, operation)
    if "Idempotency-Key" in case.headers and valid(case, ParameterLocation.HEADER):
        case.headers["Idempotency-Key"] = f"thorn-{next(keys)}"
    if "wait" in (case.query or {}) and valid(case, ParameterLocation.QUERY):
        case.query["wait"] = 0
    path, body = valid(case, ParameterLocation.PATH), valid(case, ParameterLocation.BODY)
    if case.meta is not None and not body:
        case.body = without_null(case.body)
    if operation == "makeMove" and body and isinstance(case.body, dict):
        choose_form(case)
    if operation == "stepPositions" and body and isinstance(case.body, dict):
        choose_forms(case)
    if body and isinstance(case.body, dict) and case.body.get("events"):
        # The list of types is open in the document; only types that the service knows are taken.
        case.body["events"] = ["match.turn_started"]
    if body and isinstance(case.body, dict) and operation in ("replayDeliveries", "replayDeliveriesAsOperator"):
        # Deliveries of the last three days are replayed.
        case.body["since"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    if operation == "listMatches" and valid(case, ParameterLocation.QUERY):
        # Only matches that are being played wait for a turn; what two parameters mean together no schema says.
        if str(case.query.get("my_turn")).lower() == "true" and "status" in case.query:
            case.query["status"] = "playing"
    if operation == "revokeOperatorToken" and body and isinstance(case.body, dict):
        # The audit shows Schemathesis the id of the token that it sends itself.
        case.body["token_id"] = f"o_{chance.getrandbits(128):032x}"
    # Stateful scenarios bring values from one answer to the next request by themselves.
    if case.meta is None or isinstance(case.meta.phase.data, StatefulPhaseData):
        return
    if "match_id" in case.path_parameters and path and chance.random() < 0.9:
        fill_match(case, operation)
    if operation == "getPlayer" and path and chance.random() < 0.7:
        case.path_parameters["player_id"] = chance.choice([world.me, world.other]).id
    if operation in ("getGame", "getGameRules", "getBoard", "getGlossary") and path and chance.random() < 0.7:
        case.path_parameters["game"] = chance.choice(list(world.games))
    if operation == "getBoard" and valid(case, ParameterLocation.QUERY):
        # A digest made up names no edition.
        case.query.pop("edition", None)
    if operation == "getProblem" and path and chance.random() < 0.7:
        case.path_parameters["code"] = chance.choice(["stale_decision", "illegal_move"])
    if operation == "refreshTokens" and body and chance.random() < 0.7:
        case.body = {"refresh_token": Player(world, "Elder").refresh_token}
    if operation in ("pairDevice", "recoverPlayer") and body and chance.random() < 0.7:
        # A code or key of somebody else: each one used is a session more.
        elder = Player(world, "Elder")
        what, name = {"pairDevice": ("pairing-codes", "code"), "recoverPlayer": ("recovery-key", "recovery_key")}[operation]
        case.body = {name: world.post(f"/v1/me/{what}", None, elder)[name]}
    if operation == "getLeaderboardPlayer" and path and chance.random() < 0.7:
        case.path_parameters.update(board=f"{USUAL_GAME}.2.correspondence", player_id=world.me.id)
    if operation in ("renameBotAccount", "listBotTokens") and path and chance.random() < 0.7:
        case.path_parameters["player_id"] = world.bot()
    if operation == "resendDelivery" and path and chance.random() < 0.7:
        case.path_parameters.update(world.delivery("/v1/me", world.me))
    if operation == "resendDeliveryAsOperator" and path and chance.random() < 0.7:
        case.path_parameters.update(world.delivery("/v1/admin", OPERATOR_PLAYER))
    if operation == "createPushSubscription" and body and chance.random() < 0.7:
        case.body = {**case.body, **{name: PUSH_SUBSCRIPTION[name] for name in ("endpoint", "keys")}}
    if operation == "testPushSubscription" and path and chance.random() < 0.7:
        case.path_parameters["subscription_id"] = world.post("/v1/me/push-subscriptions", PUSH_SUBSCRIPTION, world.me)["id"]
    if "If-None-Match" in case.headers and valid(case, ParameterLocation.HEADER) and chance.random() < 0.3:
        case.headers["If-None-Match"] = "*"


def without_null(value):
    """Something else that does not fit in the place of each null: a property that may be missing may be null too."""
    if isinstance(value, dict):
        return {key: [{}] if part is None else without_null(part) for key, part in value.items()}
    return [without_null(part) for part in value] if isinstance(value, list) else value


def choose_forms(case):
    # A step names its move in one way; the schema does not say so.
    for step in case.body.get("steps", []):
        given = [form for form in ("move", "notation", "index") if step.get(form) is not None]
        for form in given[1:]:
            del step[form]
        if not given:
            step["index"] = 0


def bound_events(case, operation):
    # A page waits 30 seconds at most, a stream 86,400 or for ever: the schema cannot tell them apart, and nobody here has
    # the time. Only requests that end at once ask for streams.
    if valid(case, ParameterLocation.QUERY):
        case.query["wait"] = 0
        if valid(case, ParameterLocation.HEADER):
            # The addresses of streams do not look at it. The others stream events too, which the document does not say.
            forms = ["application/json", "application/x-ndjson"]
            streams = operation in ("streamMatch", "streamMyEvents")
            case.headers["Accept"] = chance.choice([*forms, "text/event-stream"] if streams else forms)
    elif str(case.query.get("wait")).isdecimal():
        case.query["wait"] = 0


def fill_match(case, operation):
    id = None
    if operation == "makeMove":
        return fill_move(case)
    if valid(case, ParameterLocation.QUERY) and chance.random() < 0.7:
        # The caller seldom holds the seat that was made up.
        (case.query or {}).pop("as_seat", None)
    # Only a few cases have the time to wait for a bot.
    if operation == "comeBack" and chance.random() < 0.1:
        id = world.replaced()
    elif operation == "getMatchRatings" and chance.random() < 0.7:
        id = chance.choice(world.rated_matches)
    elif operation == "annulMatch" and chance.random() < 0.7:
        id = world.annullable()
    elif chance.random() < 0.7:
        if operation == "claimAbsence":
            id = world.late()
            if id and valid(case, ParameterLocation.BODY):
                case.body = {"seat": 1}
        elif operation in FITTING:
            id = world.states[chance.choice(FITTING[operation])]()
            if operation in BODIES and valid(case, ParameterLocation.BODY):
                case.body = dict(chance.choice(BODIES[operation]))
            if operation in PRESENT and valid(case, ParameterLocation.BODY):
                case.body = PRESENT[operation](id)
            if operation in ("removePlayer", "reserveSeat"):
                case.path_parameters["seat"] = "1"
    id = id or chance.choice(world.pool)
    case.path_parameters["match_id"] = id
    if operation == "joinMatch" and valid(case, ParameterLocation.BODY) and chance.random() < 0.7:
        case.body = {"seat": None, "entropy": "thorn", "invite": world.invite(id)}
    if operation in ("getMatchVersion", "getMatchVersionPicture") and chance.random() < 0.8:
        case.path_parameters["version"] = str(chance.randint(1, 4))


def choose_form(case):
    # Exactly one of `move` and `notation` is given. Schemas can say it only in ways that client generators choke on.
    forms = [form for form in ("move", "notation") if case.body.get(form) is not None]
    if len(forms) == 2:
        left_out = chance.choice(forms)
        case.body = {key: value for key, value in case.body.items() if key != left_out}
    elif not forms:
        case.body = {**case.body, "notation": "pass"}


def fill_move(case):
    if chance.random() < 0.2:
        case.path_parameters["match_id"] = chance.choice(world.pool)
        return
    id = world.states[chance.choice(["my_turn", "bidding", "my_turn_elsewhere", "my_turn_elsewhere"])]()
    case.path_parameters["match_id"] = id
    if not valid(case, ParameterLocation.BODY) or not isinstance(case.body, dict):
        return
    decision = world.read(id, world.me)["decision"]
    body = {"decision_id": decision["id"]}
    choice = chance.random()
    if choice < 0.5:
        body["move"] = chance.choice(decision["legal_moves"]["moves"])
    elif choice < 0.7:
        body["notation"] = world.call("GET", f"/v1/matches/{id}?legal_moves=notation", player=world.me)["decision"][
            "legal_moves"
        ]["notations"][0]
    else:
        body = {**case.body, **body}
    case.body = body


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() == case.operation.method.upper():
        with world.lock:
            answers[operation_id(case)][response.status_code] += 1


@schemathesis.deserializer("text/event-stream")
def data_of_events(context, response):
    """The document's schema is that of the data of each event, as clients read them, and not of the event around it."""
    lines = response.content.decode().split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


@schemathesis.check
def json_lines_conformance(ctx, response, case):
    """Each line of a JSON lines answer fits the schema documented for it."""
    if "application/x-ndjson" not in response.headers.get("content-type", [""])[0]:
        return
    part = LINES[operation_id(case)]
    for line in filter(None, response.content.decode().split("\n")):
        error = next(part.iter_errors(json.loads(line)), None)
        if error is not None:
            raise AssertionError(f"a line does not conform to its schema: {error.message}")


@atexit.register
def write_answers():
    with open(os.environ["SARSEN_FUZZ_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump({operation: dict(sorted(counts.items())) for operation, counts in sorted(answers.items())}, file)
