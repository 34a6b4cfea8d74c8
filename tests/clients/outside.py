"""An outside issuer, made with an independent library: tokens of every algorithm and of every kind that must be refused,
keys that rotate, floods of wrong key ids and an outage; the bound of wrong tokens; and a second device and a recovery by
this library.

usage: outside.py PROGRAM DIRECTORY SCRIPT, with the program of the service, an empty directory, and the script of
`outside.ts`"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from sarsen import Client, ProblemError

ISSUER = "https://id.acme.example/"
KEYS: dict[str, tuple[str, Any]] = {
    "rsa": ("RS256", rsa.generate_private_key(65537, 2048)),
    "ec": ("ES256", ec.generate_private_key(ec.SECP256R1())),
    "ed": ("EdDSA", ed25519.Ed25519PrivateKey.generate()),
    "small": ("RS256", rsa.generate_private_key(65537, 1024)),
    "p384": ("ES384", ec.generate_private_key(ec.SECP384R1())),
}
AS_JWK: dict[str, Any] = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "ES384": ECAlgorithm, "EdDSA": OKPAlgorithm}


def jwk(kid: str, published_as: str | None = None) -> dict[str, Any]:
    """The public half of a key, as an issuer publishes it."""
    algorithm, key = KEYS[kid]
    public = json.loads(AS_JWK[algorithm].to_jwk(key.public_key()))
    return {**public, "kid": published_as or kid, "alg": algorithm, "use": "sig"}


class Issuer:
    """A server of key sets on the loopback interface: what it answers can be changed, and how often it was asked."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = []
        self.away = False
        self.asked = 0
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked += 1
                body = json.dumps({"keys": issuer.keys}).encode()
                self.send_response(503 if issuer.away else 200)
                self.send_header("Cache-Control", "max-age=60")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks"


def claims(**changed: Any) -> dict[str, Any]:
    """The claims of a sound token but for what is changed; what is changed to None is left out."""
    now = int(time.time())
    sound = {"iss": ISSUER, "aud": "sarsen", "sub": "user-1", "iat": now, "exp": now + 300, "nickname": "Rowan"}
    return {name: value for name, value in {**sound, **changed}.items() if value is not None}


def token(kid: str, header: dict[str, Any] | None = None, **changed: Any) -> str:
    """A token signed by this key."""
    algorithm, key = KEYS[kid]
    return jwt.encode(claims(**changed), key, algorithm, headers={"kid": kid, **(header or {})})


def stray(number: int) -> str:
    """A sound token but for its key id, which no key has."""
    return jwt.encode(claims(), KEYS["ed"][1], "EdDSA", headers={"kid": f"wrong-{number}"})


def part(value: Any) -> str:
    """A part of a token that is put together by hand."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def confused(kid: str, encoding: serialization.Encoding) -> str:
    """A token whose HMAC is made with a public key, which everybody has."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public = KEYS[kid][1].public_key().public_bytes(encoding, form)
    message = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': kid})}.{part(claims())}"
    tag = hmac.new(public, message.encode(), hashlib.sha256).digest()
    return f"{message}.{base64.urlsafe_b64encode(tag).rstrip(b'=').decode()}"


def forbidden(issuer: Issuer) -> dict[str, str]:
    """Tokens of every kind that must be refused, by what is wrong with them."""
    now, good = int(time.time()), token("rsa")
    message, signature = good.rsplit(".", 1)
    other_key = jwt.encode(claims(), rsa.generate_private_key(65537, 2048), "RS256", headers={"kid": "rsa"})
    elsewhere = {"jku": issuer.url, "x5u": issuer.url, "jwk": jwk("ed")}
    wrong = {
        "none": jwt.encode(claims(), "", "none", headers={"kid": "rsa"}),
        "HS256 with a secret": jwt.encode(claims(), "s" * 32, "HS256", headers={"kid": "rsa"}),
        "HS256 with the public key as PEM": confused("rsa", serialization.Encoding.PEM),
        "HS256 with the public key as DER": confused("rsa", serialization.Encoding.DER),
        "PS256": jwt.encode(claims(), KEYS["rsa"][1], "PS256", headers={"kid": "rsa"}),
        "RS512": jwt.encode(claims(), KEYS["rsa"][1], "RS512", headers={"kid": "rsa"}),
        "ES384": token("p384"),
        "RSA with 1024 bits": token("small"),
        "another's key": other_key,
        "another's key that the header brings along": jwt.encode(
            claims(), KEYS["small"][1], "RS256", headers={"kid": "rsa", **elsewhere}
        ),
        "the key of another algorithm": jwt.encode(claims(), KEYS["ed"][1], "EdDSA", headers={"kid": "rsa"}),
        "no key id where there are several keys": jwt.encode(claims(), KEYS["ed"][1], "EdDSA"),
        "an unknown key id": jwt.encode(claims(), KEYS["ed"][1], "EdDSA", headers={"kid": "gone"}),
        "critical extensions": token("ed", {"crit": ["exp"]}),
        "the type of this service's own": token("ed", {"typ": "at+jwt"}),
        "no signature": f"{message}.",
        "another signature": f"{message}.{signature[::-1]}",
        "other claims under the signature": f"{message.split('.')[0]}.{part(claims(sub='user-2'))}.{signature}",
        "encrypted by its form": f"{good}.{signature}.{signature}",
        "text": "token",
        "too long": token("ed", filling="x" * 8192),
    }
    changes: dict[str, dict[str, Any]] = {
        "another issuer": {"iss": "https://id.acme.example"},
        "another audience": {"aud": "elsewhere"},
        "no audience": {"aud": None},
        "no subject": {"sub": None},
        "a long subject": {"sub": "x" * 256},
        "no end": {"exp": None},
        "expired": {"exp": now - 61},
        "endless": {"exp": now + 2 * 86_400},
        "no beginning": {"iat": None},
        "too old": {"iat": now - 700},
        "of the future": {"iat": now + 120},
        "not yet": {"nbf": now + 120},
    }
    for name, changed in changes.items():
        wrong[name] = token("ec", **changed)
    return wrong


def refused(status: int, code: str, call: Any, *arguments: Any) -> ProblemError:
    """The problem that a call must end with."""
    try:
        call(*arguments)
    except ProblemError as problem:
        assert (problem.status, problem.code) == (status, code), (problem, arguments)
        return problem
    raise AssertionError(f"{arguments} were let in")


def exchanges(base: str, issuer: Issuer) -> None:
    """Signs in by every algorithm, and by nothing else."""
    with Client(base) as rowan:
        first = rowan.exchange("acme", token("rsa"), device="Laptop")
        assert first.name == "Rowan"
        kept = rowan.tokens
        assert kept
        for kid in ("ec", "ed"):
            with Client(base) as again:
                assert again.exchange("acme", token(kid, aud=["other", "sarsen"])).id == first.id
        with Client(base) as other:
            assert other.exchange("acme", token("ed", sub="user-2", nickname=None)).name.startswith("Player ")
        ignored = token("ed", {"jku": "http://127.0.0.1:1/", "x5u": "http://127.0.0.1:1/", "jwk": jwk("rsa")})
        assert Client(base).exchange("acme", ignored).id == first.id
        for what, wrong in forbidden(issuer).items():
            print("refused:", what)
            refused(401, "outside_token_invalid", Client(base).exchange, "acme", wrong)
        refused(404, "issuer_not_found", Client(base).exchange, "other", token("rsa"))
        problem = refused(503, "issuer_unavailable", lambda: once(base, "away", token("rsa")))
        assert problem.retry_after and problem.retry_after <= 30
        assert rowan.tokens == kept, "what is refused to others ends no session"


def once(base: str, issuer: str, outside: str) -> None:
    """An exchange that is not repeated."""
    answer = httpx.post(f"{base}/v1/tokens/exchange", json={"issuer": issuer, "token": outside})
    if answer.status_code >= 400:
        raise ProblemError.of(answer)


def rotates(base: str, issuer: Issuer) -> None:
    """A new key counts at once, one that vanished no more; a flood of wrong ones asks once; an outage ends nothing."""
    _, old = KEYS["ed"]
    KEYS["next"] = ("EdDSA", ed25519.Ed25519PrivateKey.generate())
    time.sleep(30.5)  # What the unknown key ids above have made it ask.
    issuer.keys = [jwk("rsa"), jwk("ec"), jwk("next")]
    once(base, "acme", token("next"))
    stopped = jwt.encode(claims(), old, "EdDSA", headers={"kid": "ed"})
    before = issuer.asked
    with ThreadPoolExecutor(32) as pool:
        flood = [stray(number) for number in range(300)]
        for call in [pool.submit(once, base, "acme", outside) for outside in [stopped, *flood]]:
            refused(401, "outside_token_invalid", call.result)
    assert issuer.asked == before, f"a flood of wrong key ids made {issuer.asked - before} requests within half a minute"
    issuer.away = True
    for kid in ("rsa", "ec", "next"):
        once(base, "acme", token(kid))


def bounded(base: str, issuer: Issuer) -> None:
    """An address may send three tokens that do not count, here with unknown key ids; those that do cost nothing, and
    others go on."""

    def exchange(http: httpx.Client, outside: str) -> httpx.Response:
        return http.post(f"{base}/v1/tokens/exchange", json={"issuer": "acme", "token": outside})

    with httpx.Client() as here, httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as there:
        good = [exchange(here, token("rsa")).status_code for _ in range(5)]
        assert good == [201, 200, 200, 200, 200], good
        asked = issuer.asked
        bad = [exchange(here, stray(number)) for number in range(5)]
        assert issuer.asked <= asked + 1, f"the issuer was asked {issuer.asked - asked} times"
        assert [answer.status_code for answer in bad] == [401, 401, 401, 429, 429], bad
        assert bad[-1].json()["code"] == "rate_limited" and int(bad[-1].headers["Retry-After"]) > 0
        assert exchange(here, token("rsa")).status_code == 429, "a right one is not told from a wrong one"
        assert exchange(there, token("rsa")).status_code == 200
        assert exchange(there, "token").status_code == 401


def pairs(base: str) -> None:
    """Two devices, a wiped one, and linked accounts, each by one call of the library."""
    with Client(base) as desk, Client(base) as phone:
        player = desk.guest("Wren", device="Desk")
        code = desk.pairing_code()
        assert phone.pair(code.code.lower(), device="Phone").id == player.id
        refused(404, "wrong_code", Client(base).pair, code.code)
        listed = desk.sessions()
        assert [session.device for session in listed] == ["Desk", "Phone"] and listed[0].current
        key = desk.recovery_key()
        desk.end_session(listed[1].id)
        desk.end_other_sessions()
        with Client(base) as wiped:
            assert wiped.recover(key, device="New phone").id == player.id
        identity = desk.link_identity("acme", token("rsa", sub="wren"))
        assert [linked.id for linked in desk.identities()] == [identity.id]
        refused(409, "identity_taken", desk.link_identity, "acme", token("rsa"))
        with Client(base) as by_account:
            assert by_account.exchange("acme", token("ec", sub="wren")).id == player.id
        more = desk.link_identity("acme", token("rsa", sub="wren-2"))
        refused(409, "limit_reached", desk.link_identity, "acme", token("rsa", sub="wren-3"))
        desk.unlink_identity(more.id)
        desk.unlink_identity(identity.id)
        assert not desk.identities()


def links(base: str, script: Path) -> None:
    """The library for TypeScript signs in and links an account too."""
    tokens = [token("rsa", sub="lark"), token("ec", sub="lark"), token("ed", sub="lark-2")]
    subprocess.run(["node", script, base, *tokens], check=True)


def operates(program: str, directory: Path, base: str) -> None:
    """An operator sees and unlinks identities; a deleted player's account is free again."""
    command = [program, "admin", "token", "--scopes", "admin:read,admin:moderate", "--label", "test"]
    made = subprocess.run([*command, "--data-dir", directory / "data"], capture_output=True, text=True, check=True)
    operator = {"Authorization": f"Bearer {made.stdout.split()[-1]}"}
    with Client(base) as robin:
        player = robin.exchange("acme", token("rsa", sub="robin", nickname="Robin"))
        (identity,) = robin.identities()
        at = f"{base}/v1/admin/players/{player.id}"
        shown = httpx.get(at, headers=operator).json()["identities"]
        assert [(linked["id"], linked["issuer"]) for linked in shown] == [(identity.id, "acme")]
        path = f"{at}/identities/{identity.id}"
        for _ in range(2):
            assert httpx.delete(path, params={"reason": "test"}, headers=operator).json()["identities"] == []
        assert not robin.identities()
        linked = robin.link_identity("acme", token("rsa", sub="robin"))
        assert linked.id == identity.id
        tokens = robin.tokens
        assert tokens
        gone = {"Authorization": f"Bearer {tokens.access_token}"}
        assert httpx.delete(f"{base}/v1/me", params={"confirm": player.id}, headers=gone).status_code == 204
        with Client(base) as anew:
            assert anew.exchange("acme", token("rsa", sub="robin")).id != player.id


@contextmanager
def service(program: str, data: Path, issuers: Path, exchanges: str) -> Iterator[str]:
    """Runs a service with a bound of exchanges; its address."""
    words = [program, "--listen", "127.0.0.1:0", "--data-dir", str(data), "--issuers", str(issuers)]
    words += ["--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8", "--identities-per-player", "2"]
    for bound in ("guests", "writes", "reads"):
        words += [f"--{bound}-per-minute", "off"]
    running = subprocess.Popen([*words, "--exchanges-per-minute", exchanges], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout
        yield running.stdout.readline().split()[-1]
    finally:
        running.kill()
        running.wait()


def main(program: str, directory: Path, script: Path) -> None:
    issuer = Issuer()
    issuer.keys = [jwk("rsa"), jwk("ec"), jwk("ed"), jwk("small"), jwk("p384")]
    issuer.keys += [{"kty": "oct", "kid": "oct", "k": "c2VjcmV0", "alg": "HS256"}]
    common = {"iss": ISSUER, "aud": ["sarsen"], "algorithms": ["RS256", "ES256", "EdDSA"], "name_claim": "nickname"}
    issuers = [
        {"name": "acme", "jwks": issuer.url, **common},
        {"name": "away", "jwks": "http://127.0.0.1:1/jwks", **common},
    ]
    listed = directory / "issuers.json"
    listed.write_text(json.dumps(issuers))
    with service(program, directory / "bounded", listed, "3") as base:
        bounded(base, issuer)
    with service(program, directory / "data", listed, "off") as base:
        exchanges(base, issuer)
        pairs(base)
        links(base, script)
        operates(program, directory, base)
        rotates(base, issuer)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
