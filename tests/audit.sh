#!/usr/bin/env bash
# Audits the dependencies: licences, duplicates, sources and known vulnerabilities (cargo-deny with .cargo/deny.toml), and
# unused dependencies (cargo-machete).
#
# Both tools are pinned and compiled once into a folder of their own, without optimisation, which would take minutes. The
# script prints "not run" for a check that this machine cannot do, and fails on every finding.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLS=${XDG_CACHE_HOME:-$HOME/.cache}/sarsen-tools

tool() { # tool NAME VERSION: installs NAME at this version into $TOOLS/bin, or prints that it is not run
    [ "$("$TOOLS/bin/$1" --version 2>/dev/null | grep -o '[0-9.]*$')" = "$2" ] && return
    # Keeps the caller's target folder clean.
    if ! env -u CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0 timeout 1800 \
        cargo install --debug --quiet --locked --force --root "$TOOLS" --version "$2" "$1"; then
        echo "not run: $1 $2 cannot be installed here in half an hour"
        return 1
    fi
}

if tool cargo-machete 0.9.2; then
    "$TOOLS/bin/cargo-machete"
fi

if tool cargo-deny 0.20.2; then
    # With what only the tests of a member need.
    deny() { "$TOOLS/bin/cargo-deny" --locked --workspace "$@"; }
    deny check --hide-inclusion-graph bans licenses sources
    if fetched=$(timeout 60 "$TOOLS/bin/cargo-deny" --locked fetch db 2>&1); then
        deny check --hide-inclusion-graph --disable-fetch advisories
    else
        echo "not run: cargo deny check advisories, for their database cannot be reached: ${fetched##*$'\n'}"
    fi
fi
