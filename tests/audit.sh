#!/usr/bin/env bash
# Audits what the service depends on: licences, duplicates, origins and known vulnerabilities (cargo-deny, as
# .cargo/deny.toml says), and dependencies that nothing uses (cargo-machete).
#
# Both tools are pinned, and compiled once into a folder of their own, which may take five minutes each. What cannot be
# done here is named as not run; what is found fails.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLS=${XDG_CACHE_HOME:-$HOME/.cache}/sarsen-tools

tool() { # tool NAME VERSION: has NAME at this version in $TOOLS/bin, or says that it is not run
    [ "$("$TOOLS/bin/$1" --version 2>/dev/null | grep -o '[0-9.]*$')" = "$2" ] && return
    # A target directory from outside is not disturbed by what is compiled here.
    if ! env -u CARGO_TARGET_DIR timeout 300 cargo install --quiet --locked --force --root "$TOOLS" --version "$2" "$1"; then
        echo "not run: $1 $2 cannot be installed here in five minutes"
        return 1
    fi
}

if tool cargo-machete 0.9.2; then
    "$TOOLS/bin/cargo-machete"
fi

if tool cargo-deny 0.20.2; then
    deny() { "$TOOLS/bin/cargo-deny" --locked "$@"; }
    deny check --hide-inclusion-graph bans licenses sources
    if fetched=$(timeout 60 "$TOOLS/bin/cargo-deny" --locked fetch db 2>&1); then
        deny check --hide-inclusion-graph --disable-fetch advisories
    else
        echo "not run: cargo deny check advisories, for their database cannot be reached: ${fetched##*$'\n'}"
    fi
fi
