#!/usr/bin/env bash
# Builds the release binary with fat LTO and PGO: target/dist/sarsen.
#
# The first build is instrumented and played with (`train` in tests/bench/http.rs); the second is optimized with that
# profile. `cargo build --profile dist` alone gives a slower server sooner. To compare two binaries, run
# `cargo bench --bench http -- compare --before ONE --after OTHER`.
#
# It takes about half an hour on two cores and needs Linux, a redis-server to train on, and llvm-profdata of the LLVM that
# rustc was built with (rustup: component llvm-tools; Debian: llvm-<version>). Training is random and ends by the clock, so
# builds are not reproducible to the byte. Flags for rustc come from RUSTFLAGS only.
set -euo pipefail
cd "$(dirname "$0")/.."

told() { # told NAME: prints a field of rustc -vV
  rustc -vV | sed -n "s/^$1: //p"
}
fail() { # fail WHY
  echo "deploy/build.sh: $1" >&2
  exit 1
}
host="$(told host)"
llvm="$(told 'LLVM version')"
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
counts="$target/counts"
# It would override RUSTFLAGS.
unset CARGO_ENCODED_RUSTFLAGS

[[ "$target" != *[[:space:]]* ]] || fail 'the path of the target folder has a space in it, which RUSTFLAGS cannot have'
command -v redis-server >/dev/null || fail 'there is no redis-server'
profdata="$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata"
[ -x "$profdata" ] || profdata="$(command -v "llvm-profdata-${llvm%%.*}")" || fail "there is no llvm-profdata of LLVM $llvm"

build() { # build FOLDER FLAG: with one more flag for the server, but not for build scripts and macros
  CARGO_TARGET_DIR="$1" RUSTFLAGS="${RUSTFLAGS:-} $2" cargo build --locked --profile dist --bin sarsen --target "$host"
}

rm -rf "$counts"
build "$target/counting" "-Cprofile-generate=$counts"
# The training client need not be fast.
LLVM_PROFILE_FILE="$counts/%p.profraw" \
  cargo bench --locked --profile dev --bench http -- train --service "$target/counting/$host/dist/sarsen"
"$profdata" merge --output "$counts/all.profdata" "$counts"/*.profraw
build "$target" "-Cprofile-use=$counts/all.profdata"
install -D "$target/$host/dist/sarsen" "$target/dist/sarsen"
