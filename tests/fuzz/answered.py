"""Says how often each operation answered what, and fails if one never answered 2xx.

usage: answered.py DOCUMENT ANSWERS
"""

import json
import sys

document, answers = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
operations = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
missing = []
for operation in operations:
    counts = answers.get(operation, {})
    if not any(status.startswith("2") for status in counts):
        missing.append(operation)
    print(f"{operation:20}", "  ".join(f"{status}: {count}" for status, count in counts.items()))
print(f"{len(operations)} operations, {sum(sum(counts.values()) for counts in answers.values())} answers")
if missing:
    sys.exit(f"never answered 2xx: {', '.join(missing)}")
