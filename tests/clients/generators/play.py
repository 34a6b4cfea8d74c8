"""A client that openapi-generator made for Python plays a match, and meets an event, a move, a problem code and properties
that are in no release. Arguments: the service, a proxy that invents them, and the invented code."""

import sys
import time
from collections.abc import Callable

import sarsen_api as sarsen


def client(base: str, token: str | None = None) -> sarsen.ApiClient:
    return sarsen.ApiClient(sarsen.Configuration(host=base, access_token=token))


def code(call: Callable[[], object]) -> str:
    try:
        call()
    except sarsen.ApiException as told:
        return sarsen.Problem.from_json(told.body).code
    raise AssertionError("no problem")


def create(api: sarsen.ApiClient) -> sarsen.MatchView:
    terms = sarsen.CreateThiefOfTheSacredFireMatch(game="thief_of_the_sacred_fire")
    return sarsen.MatchesApi(api).create_match(sarsen.CreateMatch(terms))


def whole(api: sarsen.ApiClient) -> str:
    """Makes a match for one and plays it to its end."""
    view = create(api)
    assert isinstance(view.state.actual_instance, sarsen.ThiefOfTheSacredFireView), view.state
    decision, turns = view.decision, 0
    while decision:
        moves = decision.legal_moves.moves
        body = sarsen.MakeMove(decision_id=decision.id, move=moves[turns % len(moves)])
        decision = sarsen.PlayApi(api).make_move(view.match.id, body).decision
        turns += 1
    record = sarsen.MatchesApi(api).export_match(view.match.id)
    assert turns > 3 and len(record.steps) > turns and record.outcome.ending, turns
    print(f"{turns} turns, {record.outcome.ending}")
    return view.match.id


def others(api: sarsen.ApiClient) -> None:
    """Plays the begin of every other game beside a bot, and reads what is shown and what has happened."""
    for game in ["contiguity", "absolution", "sacrifice_roulette", "henge"]:
        name = game.title().replace("_", "")
        bot = sarsen.GivenPlace(seat=1, bot="easy")
        terms = getattr(sarsen, f"Create{name}Match")(game=game, seats=2, places=[bot])
        view, turns = sarsen.MatchesApi(api).create_match(sarsen.CreateMatch(terms)), 0
        while turns < 12 and view.match.status == "playing":
            if view.decision:
                moves = view.decision.legal_moves.moves
                assert not isinstance(moves[0].actual_instance, sarsen.OtherMove), moves[0]
                body = sarsen.MakeMove(decision_id=view.decision.id, move=moves[turns % len(moves)])
                sarsen.PlayApi(api).make_move(view.match.id, body)
                turns += 1
            else:
                time.sleep(0.01)
            view = sarsen.MatchesApi(api).get_match(view.match.id)
        assert type(view.state.actual_instance).__name__ == f"{name}View", view.state
        items = sarsen.EventsApi(api).list_match_events(view.match.id).items
        events = [item.actual_instance.event.actual_instance for item in items]
        assert turns > 3 and len(events) > turns, (game, turns, len(events))
        assert not any(isinstance(event, sarsen.OtherMatchEvent) for event in events), events


def strange(api: sarsen.ApiClient, match_id: str, unknown: str) -> None:
    moves = [move.actual_instance for move in create(api).decision.legal_moves.moves]
    assert isinstance(moves[0], sarsen.OtherMove) and moves[0].type == "fly", moves[0]
    assert not isinstance(moves[1], sarsen.OtherMove), moves[1]
    page = sarsen.EventsApi(api).list_match_events(match_id)
    events = [item.actual_instance.event.actual_instance for item in page.items]
    others = [event for event in events if isinstance(event, sarsen.OtherMatchEvent)]
    assert [other.type for other in others] == ["comet_began"], others
    assert code(lambda: sarsen.GamesApi(api).get_game("chess")) == unknown


def main(base: str, proxy: str, unknown: str) -> None:
    token = sarsen.PlayersApi(client(base)).create_player(sarsen.CreatePlayer(name="Rowan")).access_token
    api = client(base, token)
    match_id = whole(api)
    others(api)
    assert code(lambda: sarsen.MatchesApi(api).get_match("m_" + 32 * "0")) == "match_not_found"
    assert sarsen.GamesApi(api).list_games().items[0].mode
    strange(client(proxy, token), match_id, unknown)
    print("nothing has failed")


main(*sys.argv[1:])
