#!/usr/bin/env bash
# Installs into DIRECTORY the Python and npm packages that build and check the client libraries, in the versions of
# python/kit.txt and typescript/package-lock.json. Runs again only after these change.
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
# Without scripts: no package needs one, and ours would build before its sources are there.
npm ci --prefix typescript --ignore-scripts --no-audit --no-fund --loglevel=error
wait "$python"

echo "$wanted" > prepared
