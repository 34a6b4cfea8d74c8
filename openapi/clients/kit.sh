#!/usr/bin/env bash
# Prepares in DIRECTORY what the client libraries are made and checked with: Python and npm packages from the registries,
# each in the one version that python/kit.txt and typescript/package-lock.json name. Prepared once, until these change.
# usage: openapi/clients/kit.sh DIRECTORY
set -euo pipefail
clients="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$1"
cd "$1"

wanted="$(cat "$clients/kit.sh" "$clients"/python/kit.txt "$clients"/typescript/package{,-lock}.json | sha256sum)"
[ "$(cat prepared 2>/dev/null)" != "$wanted" ] || exit 0

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed" >&2; exit 1; }
node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))' ||
    { echo "Node.js 20 or newer is needed" >&2; exit 1; }

rm -rf prepared python typescript
{
    python3 -m venv python
    python/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement "$clients/python/kit.txt"
} &
python=$!

mkdir typescript
cp "$clients"/typescript/package{,-lock}.json typescript/
# Scripts of packages are not run: none of these needs one, and ours would build what is not there yet.
npm ci --prefix typescript --ignore-scripts --no-audit --no-fund --loglevel=error
wait "$python"

echo "$wanted" > prepared
