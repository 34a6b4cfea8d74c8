// Answers that something between the client and the service gives, and requests that are lost there. `main.rs` gives the
// file of the document.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { ProblemError, Sarsen, ok } from "@sarsen/client";
import type { Options, Tokens } from "@sarsen/client";

const html = { headers: { "Content-Type": "text/html" } };
const STRANGE: (() => Response)[] = [
  () => Response.json({ message: "Internal error" }),
  () => Response.json({ match: {}, state: {} }),
  () => Response.json([]),
  () => new Response("<h1>Sign in to this network</h1>", html),
  () => new Response(null),
  () => Response.json({}, { status: 202 }),
  () => new Response(null, { status: 204 }),
];
/** The operations, beside the sandbox, that take no key and do no harm when they are repeated. */
const REPEATED_WITHOUT_KEY = ["/v1/players", "/v1/tokens/refresh", "/v1/tokens/exchange"];
const EVENT = 'id: 1.0\ndata: {"id":"1.0","version":1,"at":"2026-01-01T00:00:00Z","last":true,"event":{"type":"comet"}}\n\n';

/** The pauses that were asked for, in milliseconds; none is taken. Longer ones are deadlines of requests. */
let pauses: number[] = [];
const after = globalThis.setTimeout;
globalThis.setTimeout = ((run: () => void, milliseconds: number) => {
  if (milliseconds < 30_000) pauses.push(milliseconds);
  return after(run, milliseconds < 30_000 ? 0 : milliseconds);
}) as typeof setTimeout;

/** A client that gets each of these answers in turn, and the last one for ever; and the requests that it has sent. */
function line(answers: (() => Response)[], options: Options = {}): { client: Sarsen; requests: Request[] } {
  pauses = [];
  const requests: Request[] = [];
  const answer = async (request: Request): Promise<Response> => {
    requests.push(request);
    return answers[Math.min(requests.length, answers.length) - 1]!();
  };
  return { client: new Sarsen("http://service", { ...options, fetch: answer }), requests };
}

function fails(answer: Promise<unknown>, code: string, status: number): Promise<void> {
  return assert.rejects(answer, (error) => {
    assert(error instanceof ProblemError, String(error));
    assert.deepEqual([error.code, error.status], [code, status]);
    return true;
  });
}

// Strange answers are one error, and a session outlives them.
for (const answer of STRANGE) {
  const { status } = answer();
  const { client } = line([answer]);
  await fails(client.match("m_1"), "unexpected_answer", status);
  await fails(client.guest("Rowan"), "unexpected_answer", status);
  await fails(ok(client.api.GET("/v1/games")), "unexpected_answer", status);
  await fails(client.createInvite("m_1"), "unexpected_answer", status);
  assert.equal(client.tokens, undefined);

  const tokens: Tokens = { accessToken: "a", refreshToken: "r", expiresAt: Date.now() };
  const told: Tokens[] = [];
  const returning = line([answer], { tokens, onTokens: (it) => told.push(it) }).client;
  await fails(ok(returning.api.GET("/v1/me")), "unexpected_answer", status);
  assert.deepEqual([returning.tokens, told], [tokens, []]);
}
await fails(
  ok(line([STRANGE[3]!]).client.api.GET("/v1/games/{game}/rules", { params: { path: { game: "henge" } } })),
  "unexpected_answer",
  200,
);

// A stream waits for a stream.
for (const answer of STRANGE.filter((answer) => answer().status !== 204)) {
  const stream = (): Response => new Response(EVENT, { headers: { "Content-Type": "text/event-stream" } });
  const { client } = line([...Array<() => Response>(5).fill(answer), stream, () => new Response(null, { status: 204 })]);
  const ids: string[] = [];
  for await (const { id } of client.follow("m_1")) ids.push(id);
  assert.deepEqual(ids, ["1.0"]);
  assert(pauses.length === 6 && pauses[4]! > 4000 && pauses[5]! <= 1000, `${pauses}`);
}

// A stream that a newer one has displaced waits as long as it is asked to.
for (const [retry, least, most] of [
  [20_000, 20_000, 20_000],
  [5000, 0, 1000],
] as const) {
  const text = `retry: 500\n${EVENT}retry: ${retry}\n: a newer stream has taken the place of this one\n`;
  const stream = (): Response => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
  const { client } = line([stream, () => new Response(null, { status: 204 })]);
  for await (const { id } of client.follow("m_1")) assert.equal(id, "1.0");
  assert(pauses.length === 1 && pauses[0]! >= least && pauses[0]! <= most, `${pauses}`);
}

// Requests are repeated under their key, the others only if they were refused.
type Document = { paths: Record<string, { post?: { parameters?: unknown[] } }> };
const { paths } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Document;
const closed = (): Response => {
  throw new TypeError("fetch failed");
};
const refused = (status: number, headers: Record<string, string> = {}) => (): Response =>
  new Response("<h1>Bad gateway</h1>", { status, headers });
for (const [template, { post }] of Object.entries(paths)) {
  if (!post) continue;
  const takesKey = JSON.stringify(post.parameters ?? []).includes("IdempotencyKey");
  const mayRepeat = takesKey || REPEATED_WITHOUT_KEY.includes(template) || template.startsWith("/v1/sandbox/");
  const path = template.replace(/[{}]/g, "");
  for (const answer of [closed, refused(502), refused(503), refused(504)]) {
    const { client, requests } = line([answer]);
    await assert.rejects(client.api.POST(path as never, {} as never));
    assert.equal(requests.length, mayRepeat ? 4 : 1, path);
    const keys = new Set(requests.map(({ headers }) => headers.get("Idempotency-Key")));
    assert(keys.size === 1 && keys.has(null) !== mayRepeat, `${path}: ${[...keys]}`);
    assert(pauses.reduce((sum, pause) => sum + pause, 0) < 4000, `${pauses}`);
  }
  const { client, requests } = line([refused(429, { "Retry-After": "1" })]);
  await fails(client.api.POST(path as never, {} as never), "", 429);
  assert.equal(requests.length, 4, "what was refused was not done");
}

// A proxy may ask for a pause, but not for an hour.
for (const status of [502, 503, 504]) {
  await fails(line([refused(status, { "Retry-After": "7" })]).client.join("m_1"), "", status);
  assert(pauses.length === 3 && Math.min(...pauses) >= 7000, `${pauses}`);
  await fails(line([refused(status, { "Retry-After": "3600" })]).client.join("m_1"), "", status);
  assert.deepEqual(pauses, []);
}
