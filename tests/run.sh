#!/usr/bin/env bash
# Installs what the tests need and runs all of them.
#
# The suites that play at random take their size from the environment; `tests/full.sh` runs them at full size.
set -euo pipefail
cd "$(dirname "$0")/.."

need() { # need PROGRAM PACKAGE: installs a program from the system's packages where it is missing
    command -v "$1" >/dev/null && return
    local root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}

need redis-server redis-server
need redis-cli redis-tools
need curl curl
need jq jq

cargo test --locked "$@"
