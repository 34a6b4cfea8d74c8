#!/usr/bin/env bash
# The suites that play at random, at full size: takes much longer than tests/run.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

export SARSEN_CONFORMANCE_MATCHES="${SARSEN_CONFORMANCE_MATCHES:-10000}"
export PROPTEST_CASES="${PROPTEST_CASES:-20000}"
cargo test --locked --lib -- rules:: games::
