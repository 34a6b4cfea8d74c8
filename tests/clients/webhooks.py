"""`verify` beside the official package of Standard Webhooks: what that signs is good, and nothing else is."""

import json
from datetime import UTC, datetime, timedelta

from sarsen import verify
from standardwebhooks.webhooks import Webhook

SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
BODY = json.dumps({"type": "match.turn_started", "timestamp": "2026-11-22T00:00:00.000Z", "data": {"seat": 1}})


def signed(age: timedelta = timedelta()) -> dict[str, str]:
    at = datetime.now(UTC) - age
    signature = "v1,AAAA " + Webhook(SECRET).sign("msg_1", at, BODY)
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}


good = signed()
for body in (BODY, BODY.encode()):
    told = verify(body, good, SECRET)
    assert (told.type_, told.to_dict()["data"]) == ("match.turn_started", {"seat": 1})
wrong: list[tuple[str, dict[str, str], str]] = [
    (BODY + " ", good, SECRET),
    (BODY, {**good, "Webhook-Id": "msg_2"}, SECRET),
    (BODY, {**good, "webhook-timestamp": "1"}, SECRET),
    (BODY, {**good, "webhook-signature": "v1,"}, SECRET),
    (BODY, {}, SECRET),
    (BODY, good, "whsec_AAAA"),
    (BODY, signed(timedelta(minutes=6)), SECRET),
    (BODY, signed(timedelta(minutes=-6)), SECRET),
]
for body, headers, secret in wrong:
    try:
        verify(body, headers, secret)
    except ValueError:
        continue
    raise AssertionError((body, headers, secret))
