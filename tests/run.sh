#!/usr/bin/env bash
# Installs what the tests need and runs all of them. What is given goes to `cargo test`.
#
# The environment variables that tests, benchmarks and fuzzing read; `tests/environment.rs` holds the list complete.
#
# How much is played at random (tests/full.sh sets what takes hours):
#   SARSEN_CONFORMANCE_MATCHES   matches of each plan of the laws, and of the suites beside them; each has its own number
#   SARSEN_SIZES_MATCHES         matches in which Absolution's longest lists and largest states are looked for: 50
#   SARSEN_ROULETTE_MATCHES      matches of Sacrifice Roulette measured for each number of seats: 500
#   SARSEN_PLAYER_GAMES          games that each player of Absolution plays to find its share of games won: 500
#   PROPTEST_CASES               cases of each property; a few have their own number, else 256
#
# How much fails over (tests/full.sh failover sets what takes a quarter of an hour):
#   SARSEN_FAILOVER=whole        plays all plans of tests/api/failover, not only the small one
#
# How much is carried from store to store (tests/full.sh upkeep sets 10,000):
#   SARSEN_UPKEEP_MATCHES        matches of all games that are exported, imported and checked: 40
#
# How strong bots are (tests/full.sh bots sets what takes an hour):
#   SARSEN_STRENGTH=whole        plays all games of the table in tests/bots, not only a few of each row
#
# How many play beside bots (tests/full.sh bots-load sets what takes minutes):
#   SARSEN_BOTS_LOAD=whole       200 matches with bots beside 64 people, the times of a person's moves, and whole matches
#                                against the levels that think
#
# How many clocks run out at once (tests/full.sh clocks sets 1,000):
#   SARSEN_CLOCKS_MATCHES        matches whose time is over in the same second: 24
#
# How long an outage is (tests/full.sh clocks sets what takes minutes):
#   SARSEN_OUTAGE=whole          a minute, where an ordinary run starts the program again at once; and an instance is killed
#                                before 200 clocks run out, not 8
#
# How much the client libraries play (tests/full.sh clients sets 20):
#   SARSEN_CLIENT_ROUNDS         times that each library plays all games: 1
#
# What is recorded:
#   SARSEN_GOLDEN=write          rewrites the golden playthroughs in tests/golden (`text`: writes them whole to target/golden)
#                                and what programs see of the client libraries, where their version has risen
#
# Benchmarks (`cargo bench --bench http -- gauge`; the others take flags):
#   BENCH_STORES                 stores that are measured: embedded,redis
#   BENCH_CLIENTS                numbers of clients at once: 1,16,64
#   BENCH_PAIRS                  pairs of windows that are compared: 5
#   BENCH_WINDOW_MILLIS          about how long a window lasts: 800
#   BENCH_MOVES                  moves of a match: 60
#
# Fuzzing (tests/fuzz.sh):
#   SARSEN_FUZZ_EXAMPLES         examples of each operation: 300
#   SARSEN_FUZZ_SEED             repeats or varies a run: 1
#   SARSEN_FUZZ_ARGS             more arguments for `schemathesis run`
#
# What a build is told: SARSEN_BUILD_COMMIT, the commit that `sarsen_build_info` names (deploy/Containerfile).
#
# What the processes of one run tell each other, set by no one else: SARSEN_COMMIT_UNTIL_KILLED (tests/store/kill.rs),
# SARSEN_FUZZ_BASE and SARSEN_FUZZ_ANSWERS (tests/fuzz.sh).
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
# The pages for people are clicked through in it (tests/browser).
need chromium chromium
# What the client libraries are tried with (tests/clients); what they need beyond goes into the target folder.
need node nodejs
need npm npm
need python3 python3
python3 -c 'import ensurepip, venv' 2>/dev/null || install python3-venv

if [ $# -gt 0 ]; then
  exec cargo test --locked "$@"
fi

# What stores promise is mostly waited for, so more of that suite runs at once than there are cores. All others compute, or
# see to it that nobody waits for long, and have the machine as `cargo test` gives it.
cargo test --locked --test store -- --test-threads "$((2 * $(nproc)))"
mapfile -t others < <(cargo metadata --locked --no-deps --format-version 1 | jq -r '
  .packages[] | select(.name == "sarsen") | .targets[] | select(.test and .name != "store") |
  if .kind[0] == "lib" then "--lib" else "--\(.kind[0])=\(.name)" end')
cargo test --locked "${others[@]}"
cargo test --locked --doc
