"""Every game as an environment: passes PettingZoo's own tests, can be cloned, and plays many games a request. `main.rs`
gives the address of the service."""

from __future__ import annotations

import random
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from pettingzoo.test import api_test, parallel_api_test

from sarsen import Client
from sarsen.core.models import CreateContiguityMatch
from sarsen.pettingzoo import MatchEnv, VectorEnv, env, parallel_env

GAMES = ["contiguity", "thief_of_the_sacred_fire", "absolution", "sacrifice_roulette", "henge"]


def passes_the_tests_of_pettingzoo(client: Client, game: str) -> None:
    with warnings.catch_warnings():
        # They recommend arrays; a view is a text.
        warnings.simplefilter("ignore")
        api_test(env(game, None, client), num_cycles=20)
        parallel_api_test(parallel_env(game, None, client), num_cycles=20)


def plays_to_the_end(client: Client, game: str) -> None:
    """And a clone with the same choices comes to the same end; one with others does not touch it."""
    choice = random.Random(7)
    game_env = env(game, None, client, options={"turn_limit": 30} if game == "contiguity" else {})
    game_env.reset(seed=3)
    begun, chosen = game_env.clone(), []
    while any(not ended for ended in game_env.terminations.values()):
        seen = game_env.observe(game_env.agent_selection)
        assert game_env.observation_space(game_env.agent_selection).contains(seen)
        chosen.append(choice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        game_env.step(chosen[-1])
    again = begun.clone()
    begun.step(chosen[0])
    for action in chosen:
        again.step(action)
    assert (again.rewards, again.position.sights) == (game_env.rewards, game_env.position.sights)
    begun.restore(game_env)
    assert begun.rewards == game_env.rewards and begun.position == game_env.position
    print(f"{game}: {len(chosen)} moves, rewards {game_env.position.rewards}")


def plays_many_at_once(client: Client, game: str) -> None:
    choice = np.random.default_rng(5)
    vector = VectorEnv(game, None, client, 70)
    seen, infos = vector.reset(seed=2)
    again = VectorEnv(game, None, client, 70)
    again.reset(seed=2)
    assert [at.sights for at in again.positions] == [at.sights for at in vector.positions]
    for _ in range(3):
        masks = seen["action_mask"]
        assert masks.sum(axis=1).tolist() == [len(legal) for legal in infos["legal"]]
        actions = np.array([choice.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, ends, cut, infos = vector.step(actions)
        assert len(seen["view"]) == len(infos["seat"]) == rewards.size == ends.size == 70 and not cut.any()


def plays_a_match(client: Client, base: str) -> None:
    """Against a client that plays at random."""
    choice = random.Random(9)

    with Client(base) as other, ThreadPoolExecutor(1) as threads:
        other.guest("Hazel")

        def enter(mine: Client) -> str:
            terms = CreateContiguityMatch.from_dict({"game": "contiguity", "options": {"turn_limit": 20}})
            match_id = mine.create(terms).match.id
            other.join(match_id)
            threads.submit(other.play, match_id, lambda turn: random.choice(turn.moves))
            return match_id

        match = MatchEnv(client, enter)
        for _ in range(2):
            (seen, told), ended = match.reset(), False
            while not ended:
                assert match.observation_space.contains(seen) and told["legal"]
                seen, reward, ended, is_off, told = match.step(choice.randrange(len(told["legal"])))
                assert not is_off
            print(f"a match: reward {reward}")


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        client.guest("Rowan")
        for game in GAMES:
            passes_the_tests_of_pettingzoo(client, game)
            plays_to_the_end(client, game)
            plays_many_at_once(client, game)
        plays_a_match(client, sys.argv[1])
