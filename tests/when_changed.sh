#!/usr/bin/env bash
# Runs a command unless the files that it tests are those with which it last succeeded.
#
# usage: tests/when_changed.sh NAME FILES… -- COMMAND…      FILES: Git pathspecs
#
# tests/passed has a line for each NAME: the digest of FILES at the last success. Nothing else writes it; commit it with
# the change. Where Git cannot list the files the command runs. tests/full.sh runs what was skipped here.
set -euo pipefail
cd "$(dirname "$0")/.."

name=$1
shift
files=()
while [ "$1" != -- ]; do
  files+=("$1")
  shift
done
shift

# A file that Git knows and that is gone has no digest, which is a change too.
digest() {
  git ls-files -z --cached --others --exclude-standard -- "${files[@]}" | xargs -0r sha256sum | sha256sum | cut -c -64
}

now=$(digest 2>/dev/null) || now=
if [ -n "$now" ] && grep -qsx "$name $now" tests/passed; then
  echo "skipped: $name; its files are those with which it last passed (tests/passed)"
  exit
fi
echo "runs: $name; its files are not those with which it last passed (tests/passed)"
"$@"
if [ -n "$now" ]; then
  { grep -sv "^$name " tests/passed || true; echo "$name $now"; } | sort >tests/passed.new
  mv tests/passed.new tests/passed
fi
