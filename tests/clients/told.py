"""A receiver that verifies with the official package of Standard Webhooks everything that a real service sends to it, while
the secret is rotated.

usage: told.py SERVICE"""

from __future__ import annotations

import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any

import httpx
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

SERVICE = sys.argv[1]
EVENTS = ["match.started", "match.draw_offered", "match.ended"]
received: Queue[tuple[bytes, dict[str, str]]] = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        received.put((body, dict(self.headers)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def call(token: str | None, path: str, body: dict[str, Any] | None = None) -> Any:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.post(SERVICE + path, json=body, headers=headers).raise_for_status().json()


def verifies(secret: str, body: bytes, headers: dict[str, str]) -> bool:
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return False
    return True


def played(signs: list[str], others: list[str]) -> None:
    """Plays a match of the two, of which every message is verified by these secrets and by no other."""
    match = call(ann, "/v1/matches", {"game": "contiguity"})["match"]["id"]
    call(ben, f"/v1/matches/{match}/join", {})
    call(ben, f"/v1/matches/{match}/draw/offer")
    call(ben, f"/v1/matches/{match}/resign")
    types = []
    for _ in EVENTS:
        body, headers = received.get(timeout=15)
        assert all(verifies(secret, body, headers) for secret in signs), headers
        assert not any(verifies(secret, body, headers) for secret in others), headers
        assert not verifies(signs[0], body + b" ", headers)
        message: Any = Webhook(signs[0]).verify(body, headers)
        assert message["data"]["match_id"] == match
        types.append(message["type"])
    assert sorted(types) == sorted(EVENTS), types


def rotated(grace_seconds: int) -> str:
    return str(call(ann, f"{hook}/secret/rotate", {"grace_seconds": grace_seconds})["secret"])


server = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
ann, ben = (call(None, "/v1/players", {"name": name})["access_token"] for name in ("Ann", "Ben"))
made = call(ann, "/v1/me/webhooks", {"url": f"http://127.0.0.1:{server.server_port}/", "events": EVENTS})
hook, first = f"/v1/me/webhooks/{made['webhook']['id']}", made["secret"]
played([first], [])
second = rotated(3600)
played([first, second], [])
third = rotated(0)
played([third], [first, second])
assert received.empty()
