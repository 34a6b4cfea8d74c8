#!/usr/bin/env python3
"""The processor time of the service and of Redis, and the trips to it, for each kind of work: "A million players" in
deploy/OPERATIONS.md.

    python3 tests/bench/capacity.py target/dist/sarsen [PLAYERS]

It starts a Redis server and the service on this machine, and stops both. Latency means nothing while other programs run;
processor time does.
"""

import http.client, http.server, json, os, subprocess, sys, tempfile, threading, time

WIN = ["2c-2d", "30b-10b", "29b-30b", "30d-19d", "2d-30d"]
POOL = [{"id": "duels", "game": "contiguity", "seats": {"min": 2, "max": 2}, "preset": "live-5-5", "rated": True}]
TICKET = "/v1/pools/duels/ticket"
PORT, REDIS, HOOK = 18990, 18991, 18992


class Hook(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    heard = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        Hook.heard += 1
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Api:
    def __init__(self, token=None):
        self.headers = {"authorization": f"Bearer {token}"} if token else {}
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT)

    def call(self, method, path, body=None):
        headers = dict(self.headers, **({"content-type": "application/json"} if body is not None else {}))
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (method, path, answer.status, text[:300])
        return json.loads(text) if text else None


def redis(*words):
    return subprocess.run(["redis-cli", "-p", str(REDIS), *words], capture_output=True, text=True, check=True).stdout


def spent(service):
    threads = [f"/proc/{service.pid}/task/{task}/schedstat" for task in os.listdir(f"/proc/{service.pid}/task")]
    nanoseconds = sum(int(open(thread).read().split()[0]) for thread in threads)
    info = dict(line.split(":", 1) for line in redis("info").splitlines() if ":" in line)
    processor = float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
    # A trip to the store is one read of a socket, however many commands it carries.
    return nanoseconds / 1e9, processor, int(info["total_reads_processed"]), int(info["used_memory"])


class Measured:
    """Prints what a number of operations took, without what the service takes when nobody asks for anything."""

    idle = (0.0, 0.0, 0.0)

    def __init__(self, service, what, number):
        self.service, self.what, self.number = service, what, number

    def __enter__(self):
        self.before, self.began = spent(self.service), time.time()

    def __exit__(self, *failed):
        if failed[0]:
            return
        took, after = time.time() - self.began, spent(self.service)
        used = [(after[at] - self.before[at] - Measured.idle[at] * took) / self.number for at in range(3)]
        service, store, trips = 1e6 * used[0], 1e6 * used[1], used[2]
        memory = (after[3] - self.before[3]) / self.number
        figures = f"service {service:7.0f} us  redis {store:6.0f} us  trips {trips:5.1f}  {memory:7.0f} B"
        print(f"{self.what:34} {self.number:6}  {figures}", flush=True)


class Match:
    """A match of two who make the moves of WIN."""

    def __init__(self, match, players):
        self.path = f"/v1/matches/{match}"
        self.view = players[0].call("GET", f"{self.path}?legal_moves=none")["match"]
        seat = self.view["your_seat"]
        self.by_seat = {seat: players[0], 1 - seat: players[1]}
        self.left = list(WIN)

    def play(self, moves):
        for _ in range(moves):
            seat = self.view["to_act"][0]
            move = {"decision_id": f"{self.view['version']}.{seat}", "notation": self.left.pop(0)}
            self.view = self.by_seat[seat].call("POST", f"{self.path}/moves?legal_moves=none", move)["match"]


def pair(players):
    """Has all of them play now, and waits until nobody waits any more."""
    for player in players:
        player.call("PUT", TICKET, {})
    while redis("zcard", "sarsen:1:{mm}:p:duels") != "0\n" or redis("hlen", "sarsen:1:{mm}:made") != "0\n":
        time.sleep(0.5)


def matches_of(players):
    found = {}
    for player in players:
        found.setdefault(player.call("GET", TICKET)["match_id"], []).append(player)
    return [Match(match, two) for match, two in found.items()]


def main():
    binary, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    directory = tempfile.mkdtemp()
    pools = os.path.join(directory, "pools.json")
    json.dump(POOL, open(pools, "w"))
    store = subprocess.Popen(["redis-server", "--port", str(REDIS), "--save", "", "--appendonly", "yes", "--dir", directory,
                              "--maxmemory-policy", "noeviction"], stdout=subprocess.DEVNULL)
    time.sleep(1)
    off = [f"--{what}-per-minute=off" for what in ("guests", "writes", "reads")]
    key = subprocess.run([binary, "keys", "new"], capture_output=True, text=True, check=True).stdout.strip()
    service = subprocess.Popen([binary, "--token-keys", key, "--listen", f"127.0.0.1:{PORT}", "--store", "redis", "--redis-url",
                                f"redis://127.0.0.1:{REDIS}", "--data-dir", directory, "--pools", pools, "--log", "error",
                                "--connections-per-address", "off", "--outbound-allow-http", "--outbound-allow-networks",
                                "127.0.0.0/8", *off])
    threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", HOOK), Hook).serve_forever, daemon=True).start()
    try:
        for _ in range(100):
            try:
                Api().call("GET", "/readyz")
                break
            except (OSError, AssertionError):
                time.sleep(0.2)
        players = []
        with Measured(service, "new player", count):
            for number in range(count):
                made = Api().call("POST", "/v1/players", {"name": f"Player {number}"})
                players.append(Api(made["access_token"]))
                players[-1].id = made["player"]["id"]
        before = spent(service)
        time.sleep(10)
        after = spent(service)
        Measured.idle = tuple((after[at] - before[at]) / 10 for at in range(3))
        idle = Measured.idle
        print(f"idle: service {1000 * idle[0]:.1f} ms, redis {1000 * idle[1]:.1f} ms, {idle[2]:.0f} trips a second")
        apart = {"rating_range": {"min": 9000, "max": 9001}}
        with Measured(service, "ticket that waits", count):
            for player in players:
                player.call("PUT", TICKET, apart)
        with Measured(service, "ticket that is renewed", count):
            for player in players:
                player.call("PUT", TICKET, apart)
        with Measured(service, "ticket renewed, paired, match made", count):
            pair(players)
        matches = matches_of(players)
        moves = len(matches) * (len(WIN) - 1)
        with Measured(service, "move", moves):
            for match in matches:
                match.play(len(WIN) - 1)
        with Measured(service, "last move, and the rating", len(matches)):
            for match in matches:
                match.play(1)
            time.sleep(3)
        with Measured(service, "read of a match", 5 * len(matches)):
            for match in matches:
                for _ in range(5):
                    match.by_seat[0].call("GET", f"{match.path}?legal_moves=none")
        hook = {"url": f"http://127.0.0.1:{HOOK}/", "events": ["match.turn_started"]}
        for player in players:
            player.call("POST", "/v1/me/webhooks", hook)
        time.sleep(12)
        pair(players)
        matches = matches_of(players)
        time.sleep(6)
        heard = Hook.heard
        with Measured(service, "move that a webhook tells", moves):
            for match in matches:
                match.play(len(WIN) - 1)
            time.sleep(8)
        print(f"webhooks heard: {Hook.heard - heard}")
        length = int(redis("llen", "sarsen:1:{r:contiguity.2.live}:log"))
        stored = int(redis("memory", "usage", "sarsen:1:{r:contiguity.2.live}:log", "samples", "0"))
        print(f"log of ratings: {stored / length:.0f} B a match")
    finally:
        service.terminate()
        service.wait()
        store.terminate()
        store.wait()


main()
