"""Verification of webhooks, by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Mapping

from .core.models import Notification


def verify(body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance_seconds: float = 300) -> Notification:
    """Returns the notification in the `body` of a webhook, as it was received. Raises a ValueError unless `secret` has
    signed it, not long ago: then answer 400. A delivery may come twice: its `webhook-id` tells."""
    named = {name.lower(): value for name, value in headers.items()}
    message, sent, signatures = (named.get(f"webhook-{part}", "") for part in ("id", "timestamp", "signature"))
    raw = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = hmac.digest(key, f"{message}.{sent}.".encode() + raw, "sha256")
    expected = b"v1," + base64.b64encode(signed)
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures.split(" ")):
        raise ValueError("no signature of the webhook fits")
    if abs(time.time() - int(sent)) > tolerance_seconds:
        raise ValueError("the webhook is too old, or from the future")
    return Notification.from_dict(json.loads(raw))
