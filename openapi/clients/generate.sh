#!/usr/bin/env bash
# Makes typescript/src/document.ts, the core of the TypeScript client, from the committed document. To be run whenever
# openapi.json has changed; tests/clients fails where it was not. (Python's core is made when its package is built.)
# usage: openapi/clients/generate.sh [FILE]      FILE: what to write instead
set -euo pipefail
cd "$(dirname "$0")"

kit="${CARGO_TARGET_DIR:-$(cd ../.. && pwd)/target}/tmp/clients"
./kit.sh "$kit"
"$kit/typescript/node_modules/.bin/openapi-typescript" ../openapi.json --default-non-nullable=false \
    --output "${1:-typescript/src/document.ts}" > /dev/null
