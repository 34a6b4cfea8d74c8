#!/usr/bin/env bash
# Runs the random suites at full size (hours, where tests/run.sh takes minutes), builds with the oldest Rust version that
# Cargo.toml names, compares openapi.json with the newest tag, and runs the clients' suite, which tests/run.sh may skip.
# 10,000 matches for each number of seats; of Henge 10,000 over all tables, and 360 for each plan of the laws.
#
# usage: tests/full.sh [NAME…]     NAME: a module such as games::henge, or one of these, which run by name only:
#   failover   plays while masters and instances fail, on the system's Redis and on the server of today that tests/run.sh
#              installs; prints losses and times without service (15 minutes each)
#   transfer     transfers 10,000 matches of all games from the embedded store to Redis and back, and checks each store
#   bots       plays the table of bot strength and of the ladder; prints shares with intervals and the cost of searches
#              (two hours of one core). `bots henge` plays the rows whose names begin so. Reviews more matches of bots
#   bots-load  plays 200 matches with bots beside 64 people, compares a person's moves beside eight hard searches, and
#              those of 64 people beside 100 reviews, with those beside none, and plays all games against medium and hard
#              bots (half an hour of an idle machine)
#   notifications   compares a person's moves, and until the other is told of them, beside 200 receivers of webhooks that
#              hang with those beside none, tells 10,000 turns and prints time and memory, and loses half of the requests
#              (20 minutes)
#   clocks     lets 1,000 clocks expire in one second on three instances, of which one dies, and prints the delays; kills
#              the program as 200 clocks expire; plays the table of outages, 0.5 to 20 s, with processes (20 minutes)
#   clients    generates clients with openapi-generator in nine languages and plays with four of them (15 minutes), and has
#              both client libraries play all games 20 times through a bad connection (minutes)
#   oldest     builds with the oldest Rust version
set -euo pipefail
cd "$(dirname "$0")/.."

build_with_oldest_rust() {
  local oldest toolchain
  oldest="$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)"
  toolchain="$(rustup toolchain list 2>/dev/null | grep -oE "^${oldest//./\\.}(\.[0-9]+)?-[^ ]+" | head -n 1 || true)"
  if [ -z "$toolchain" ]; then
    echo "not run: build with Rust $oldest, which is not installed (rustup toolchain install $oldest)"
    return
  fi
  # In a folder of its own: the other toolchain's output stays usable.
  CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/oldest" rustup run "$toolchain" cargo build --locked --workspace
}

if [ "${1:-}" = oldest ]; then
  build_with_oldest_rust
  exit
fi

if [ "${1:-}" = transfer ]; then
  SARSEN_TRANSFER_MATCHES="${SARSEN_TRANSFER_MATCHES:-10000}" exec cargo test --locked --test program -- --exact --show-output \
    transfer::round_trip::everything_goes_to_redis_and_back
fi

if [ "${1:-}" = bots ]; then
  SARSEN_STRENGTH="${2:-whole}" exec cargo test --release --locked --test program -- --show-output \
    bots::the_levels_are_as_strong_as_they_are_to_be bots::review
fi

if [ "${1:-}" = bots-load ]; then
  SARSEN_BOTS_LOAD=whole exec cargo test --release --locked --test api -- --show-output \
    --test-threads 1 bots_load
fi

if [ "${1:-}" = notifications ]; then
  SARSEN_NOTIFICATIONS_LOAD=whole exec cargo test --release --locked --test api -- --show-output \
    --test-threads 1 notifications_load
fi

if [ "${1:-}" = clocks ]; then
  SARSEN_CLOCKS_MATCHES="${SARSEN_CLOCKS_MATCHES:-1000}" SARSEN_OUTAGE=whole \
    exec cargo test --locked --test api -- --show-output clocks::clocks_that_run_out_at_once outages::
fi

if [ "${1:-}" = clients ]; then
  packages=(default-jdk-headless libgoogle-gson-java)
  root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  dpkg -s "${packages[@]}" >/dev/null 2>&1 || {
    "${root[@]}" apt-get update -qq
    "${root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  }
  SARSEN_GENERATORS=whole cargo test --locked --test clients -- --show-output generated
  SARSEN_CLIENT_ROUNDS="${SARSEN_CLIENT_ROUNDS:-20}" exec cargo test --locked --test clients -- --show-output bad_line
fi

if [ "${1:-}" = failover ]; then
  for server in "${SARSEN_REDIS_SERVER:-redis-server}" \
    "${SARSEN_REDIS_TODAY:-$PWD/target/redis-today/bin/valkey-server}"; do
    command -v "$server" >/dev/null || { echo "no $server: tests/run.sh installs it" >&2; exit 1; }
    SARSEN_REDIS_SERVER="$server" SARSEN_FAILOVER=whole cargo test --locked --test api -- --exact --show-output \
      failover::what_was_acknowledged_outlives_failovers
  done
  exit
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

if [ $# -eq 0 ]; then
  build_with_oldest_rust
  # Says with which tag openapi.json was compared, or that there is none.
  cargo test --locked --test program -- --show-output openapi::compatible
  tests/run.sh --workspace --test clients
fi

for suite in "${@:-${!matches[@]}}"; do
  SARSEN_CONFORMANCE_MATCHES="${SARSEN_CONFORMANCE_MATCHES:-${matches[$suite]}}" \
    cargo test --locked --package "sarsen-${suite%%::*}" --lib -- --show-output "${suite#*::}"
done
