#!/usr/bin/env bash
# The suites that play at random, at full size: takes hours where tests/run.sh takes minutes.
# 10,000 matches for each number of seats; of Henge 10,000 over all tables, and 360 for each plan of the laws.
# `tests/full.sh NAME…` runs the suites of these modules only, such as games::henge.
# `tests/full.sh failover` plays while masters and instances fail, and prints what was lost and how long nobody could
# move: about a quarter of an hour. It is run by its name only.
# `tests/full.sh upkeep` carries 10,000 matches of all games from the embedded store to Redis and back, and checks each
# store: some minutes. It is run by its name only too.
# `tests/full.sh bots` plays the table of bots' strength and prints shares with their intervals, and what searches cost:
# about an hour of one core. It is run by its name only too.
# `tests/full.sh bots-load` plays 200 matches with bots beside 64 people, compares a person's moves beside eight hard
# searches with those beside none, and plays all games to their end against medium and hard bots: some minutes of an idle
# machine. It is run by its name only too.
# `tests/full.sh clocks` lets 1,000 clocks run out in the same second on three instances, of which one dies, and prints how
# late each was seen to; kills the program on each store for a minute, after which nobody is flagged; and kills it as 200
# clocks run out. Some minutes, by its name only.
# `tests/full.sh clients` has both client libraries play all games 20 times through a bad line: some minutes, by its name
# only.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = upkeep ]; then
  SARSEN_UPKEEP_MATCHES="${SARSEN_UPKEEP_MATCHES:-10000}" exec cargo test --locked --test upkeep -- --exact --show-output \
    round_trip::everything_goes_to_redis_and_back
fi

if [ "${1:-}" = bots ]; then
  SARSEN_STRENGTH=whole CARGO_PROFILE_DEV_OPT_LEVEL=3 exec cargo test --locked --test bots -- --exact --show-output \
    the_levels_are_as_strong_as_they_are_to_be
fi

if [ "${1:-}" = bots-load ]; then
  SARSEN_BOTS_LOAD=whole CARGO_PROFILE_DEV_OPT_LEVEL=3 exec cargo test --locked --test api -- --show-output \
    --test-threads 1 bots_load
fi

if [ "${1:-}" = clocks ]; then
  SARSEN_CLOCKS_MATCHES="${SARSEN_CLOCKS_MATCHES:-1000}" SARSEN_OUTAGE=whole CARGO_PROFILE_DEV_OPT_LEVEL=3 \
    exec cargo test --locked --test api -- --show-output clocks::clocks_that_run_out_at_once outages::
fi

if [ "${1:-}" = clients ]; then
  SARSEN_CLIENT_ROUNDS="${SARSEN_CLIENT_ROUNDS:-20}" exec cargo test --locked --test clients -- --show-output bad_line
fi

if [ "${1:-}" = failover ]; then
  SARSEN_FAILOVER=whole exec cargo test --locked --test api -- --exact --show-output \
    failover::what_was_acknowledged_outlives_failovers
fi

export PROPTEST_CASES="${PROPTEST_CASES:-20000}"
# Matches for each number of seats in which the longest legal lists are looked for.
export SARSEN_SIZES_MATCHES="${SARSEN_SIZES_MATCHES:-100000}" SARSEN_ROULETTE_MATCHES="${SARSEN_ROULETTE_MATCHES:-100000}"

declare -A matches=(
  [rules::]=10000
  [games::fixture]=50000
  [games::stonehenge]=10000
  [games::contiguity]=10000
  [games::absolution]=40000
  [games::sacrifice_roulette]=40000
  [games::thief_of_the_sacred_fire]=10000
  [games::henge]=360
  [matches::tests::any_order]=300
)

# A game that is not named here.
for game in src/games/*/; do
  : "${matches[games::$(basename "$game")]:=10000}"
done

for suite in "${@:-${!matches[@]}}"; do
  SARSEN_CONFORMANCE_MATCHES="${SARSEN_CONFORMANCE_MATCHES:-${matches[$suite]}}" \
    cargo test --locked --lib -- --show-output "$suite"
done
