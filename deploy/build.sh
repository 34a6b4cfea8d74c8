#!/usr/bin/env bash
# Builds the server as it is shipped: target/dist/sarsen.
#
# It is built twice. The first build counts what it runs while it is played with (`train` in tests/bench/http.rs). The
# second is optimized by those counts: what runs most is made fast and put close together, and what was never run is made
# small. Both do the same; `cargo build --profile dist` alone makes a server that is slower, and sooner there. What came of
# it is seen with `cargo bench --bench http -- compare --before THE_ONE --after THE_OTHER`.
#
# It takes about half an hour of two cores, and needs Linux and, beside what `cargo build` does, a redis-server to play on
# and llvm-profdata of the LLVM that rustc was built with: rustup has it in the component llvm-tools, Debian in
# llvm-<version>. What is played is drawn at random and ends by the clock, so no two builds are the same to the byte.
# Flags for rustc are taken from RUSTFLAGS, and from nowhere else.
set -euo pipefail
cd "$(dirname "$0")/.."

told() { # told NAME: what rustc says of itself
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
# It would count instead of RUSTFLAGS.
unset CARGO_ENCODED_RUSTFLAGS

[[ "$target" != *[[:space:]]* ]] || fail 'the path of the target folder has a space in it, which RUSTFLAGS cannot have'
command -v redis-server >/dev/null || fail 'there is no redis-server'
profdata="$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata"
[ -x "$profdata" ] || profdata="$(command -v "llvm-profdata-${llvm%%.*}")" || fail "there is no llvm-profdata of LLVM $llvm"

build() { # build FOLDER FLAG: with one more flag for the server, and not for what only runs while it is built
  CARGO_TARGET_DIR="$1" RUSTFLAGS="${RUSTFLAGS:-} $2" cargo build --locked --profile dist --bin sarsen --target "$host"
}

rm -rf "$counts"
build "$target/counting" "-Cprofile-generate=$counts"
# Who plays need not be fast, and is soon built so.
LLVM_PROFILE_FILE="$counts/%p.profraw" \
  cargo bench --locked --profile dev --bench http -- train --service "$target/counting/$host/dist/sarsen"
"$profdata" merge --output "$counts/all.profdata" "$counts"/*.profraw
build "$target" "-Cprofile-use=$counts/all.profdata"
install -D "$target/$host/dist/sarsen" "$target/dist/sarsen"
