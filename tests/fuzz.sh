#!/usr/bin/env bash
# Fuzzes a running server with Schemathesis, by the committed OpenAPI document; or one function, with cargo-fuzz.
#
# usage: tests/fuzz.sh [EXAMPLES]      examples of each operation; the variables are listed at the head of tests/run.sh
#        tests/fuzz.sh examples        the document's own examples alone: a few minutes less
#        tests/fuzz.sh TARGET SECONDS  TARGET: a file of tests/fuzz/targets without its ending
#
# A target writes new inputs to target/fuzz and leaves the committed corpus alone. An input that fails is in
# tests/fuzz/artifacts; add it to the corpus with the fix, for `cargo test` gives every file there to the same function.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -f "tests/fuzz/targets/${1:-}.rs" ]; then
    if ! cargo fuzz --version >/dev/null 2>&1 || ! rustup run nightly rustc --version >/dev/null 2>&1; then
        echo "not run: $1 needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz)"
        exit
    fi
    mkdir -p "target/fuzz/corpus/$1"
    # The same versions as in the workspace.
    cp Cargo.lock tests/fuzz/Cargo.lock
    exec rustup run nightly cargo fuzz run --fuzz-dir tests/fuzz --target-dir target/fuzz "$1" \
        "target/fuzz/corpus/$1" "tests/fuzz/corpus/$1" -- -max_total_time="${2:-60}"
fi

PHASES=examples,coverage,fuzzing,stateful
EXAMPLES=${1:-${SARSEN_FUZZ_EXAMPLES:-300}}
if [ "$EXAMPLES" = examples ]; then
    PHASES=examples
    EXAMPLES=1
fi
# Who asks: a player, a stranger to all matches, or nobody, without a token.
export SARSEN_FUZZ_CALLER=${SARSEN_FUZZ_CALLER:-player}
export SARSEN_FUZZ_SEED=${SARSEN_FUZZ_SEED:-1}
VENV=${XDG_CACHE_HOME:-$HOME/.cache}/sarsen-fuzz
DIR=$(mktemp -d)
SERVER=

finish() {
    if [ -n "$SERVER" ]; then
        kill "$SERVER" 2>/dev/null || true
        wait "$SERVER" 2>/dev/null || true
    fi
    rm -rf "$DIR"
}
trap finish EXIT

WANTED="schemathesis==4.32.5 openapi-spec-validator==0.9.0"
if [ "$(cat "$VENV/wanted" 2>/dev/null)" != "$WANTED" ]; then
    python3 -m venv --clear "$VENV"
    # shellcheck disable=SC2086
    "$VENV/bin/pip" install --quiet --disable-pip-version-check $WANTED
    echo "$WANTED" >"$VENV/wanted"
fi

"$VENV/bin/openapi-spec-validator" openapi/openapi.json

# Shares the build of the tests: without their features Cargo compiles all crates again.
cargo test --locked --workspace --no-run --test program
# One player sends everything, so limits are off, or as high as they can be.
UNBOUNDED=()
for limit in guests-per-minute writes-per-minute reads-per-minute sandbox-steps-per-minute hints-per-minute \
    invites-per-minute tables-per-minute open-matches-per-player hosted-matches-per-player bot-matches-per-player \
    connections-per-address streams-per-address streams-per-player program-writes-per-minute codes-per-minute \
    exchanges-per-minute reviews-per-day; do
    UNBOUNDED+=("--$limit" off)
done
for limit in sessions-per-player tokens-per-player bot-accounts-per-player contacts-per-player reports-per-day; do
    UNBOUNDED+=("--$limit" 1000)
done
target/debug/sarsen --listen 127.0.0.1:0 --data-dir "$DIR/data" --vapid-key="$(target/debug/sarsen keys vapid)" \
    --vapid-subject mailto:push@example.org "${UNBOUNDED[@]}" >"$DIR/out" 2>"$DIR/log" &
SERVER=$!
for _ in $(seq 300); do
    [ -s "$DIR/out" ] && break
    kill -0 "$SERVER" 2>/dev/null || { cat "$DIR/log" >&2; exit 1; }
    sleep 0.1
done
SARSEN_FUZZ_BASE=$(awk 'NR == 1 { print $NF }' "$DIR/out")
SARSEN_FUZZ_OPERATOR=$(target/debug/sarsen admin token --data-dir "$DIR/data" \
    --scopes admin:read,admin:moderate,admin:operate)
export SARSEN_FUZZ_BASE SARSEN_FUZZ_OPERATOR SARSEN_FUZZ_ANSWERS="$DIR/answers.json"

FAILED=0
# shellcheck disable=SC2086
PYTHONPATH=tests/fuzz PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=hooks \
    "$VENV/bin/schemathesis" --config-file tests/fuzz/schemathesis.toml run openapi/openapi.json \
    --url "$SARSEN_FUZZ_BASE" --checks all --phases "$PHASES" --max-examples "$EXAMPLES" --seed "$SARSEN_FUZZ_SEED" \
    --generation-database none --request-timeout 20 --continue-on-failure ${SARSEN_FUZZ_ARGS:-} || FAILED=1

# Only who may do everything, often enough, is answered everything.
if [ "$PHASES" != examples ] && [ "$SARSEN_FUZZ_CALLER" = player ]; then
    python3 tests/fuzz/answered.py openapi/openapi.json "$SARSEN_FUZZ_ANSWERS" || FAILED=1
fi
kill -0 "$SERVER" || { echo "the server has died" >&2; FAILED=1; }
if grep -E ' ERROR ' "$DIR/log"; then
    echo "the server logged failures" >&2
    FAILED=1
fi
exit "$FAILED"
