"""Says how often each operation answered what, and fails if one that is not exempt never answered 2xx.

usage: answered.py DOCUMENT ANSWERS
"""

import json
import sys

# Operations that answer no 2xx in this run: the server knows no outside issuer, so nobody has an identity.
EXEMPT = {"exchangeToken", "linkIdentity", "getIdentity"}

document, answers = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
operations = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
missing = []
for operation in operations:
    counts = answers.get(operation, {})
    succeeded = any(status.startswith("2") for status in counts)
    if operation in EXEMPT and succeeded:
        sys.exit(f"{operation} is no exemption any more")
    if not succeeded and operation not in EXEMPT:
        missing.append(operation)
    print(f"{operation:20}", "  ".join(f"{status}: {count}" for status, count in counts.items()))
print(f"{len(operations)} operations, {sum(sum(counts.values()) for counts in answers.values())} answers")
if missing:
    sys.exit(f"never answered 2xx: {', '.join(missing)}")
