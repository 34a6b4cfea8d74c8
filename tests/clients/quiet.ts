// A stream on which nothing happens, through a proxy that ends each connection after a heartbeat: the client is back
// within a second each time. Only where connections fail does it stay away longer and longer.

import assert from "node:assert/strict";

import { Sarsen } from "@sarsen/client";

const [ENDED, FAILED] = [12, 5];

/** The pauses that were asked for, in milliseconds; none is taken. Longer ones are deadlines of requests. */
const pauses: number[] = [];
const after = globalThis.setTimeout;
globalThis.setTimeout = ((run: () => void, milliseconds: number) => {
  if (milliseconds < 30_000) pauses.push(milliseconds);
  return after(run, milliseconds < 30_000 ? 0 : milliseconds);
}) as typeof setTimeout;

let connections = 0;
async function answer(): Promise<Response> {
  connections++;
  if (connections <= ENDED) return new Response(": \n\n", { headers: { "Content-Type": "text/event-stream" } });
  // One that fails is tried three times again before the stream counts it.
  if (connections <= ENDED + 4 * FAILED) return Response.json({ code: "overloaded" }, { status: 503 });
  return new Response(null, { status: 204 });
}

const client = new Sarsen("http://service", { fetch: answer });
for await (const event of client.follow("m_1")) assert.fail(event.id);
const [quiet, failed] = [pauses.slice(0, ENDED), pauses.slice(ENDED).filter((_, at) => at % 4 === 3)];
assert(Math.max(...quiet) <= 1000, `away for ${quiet} ms behind connections that had worked`);
assert(failed.length === FAILED && failed.at(-1)! > 4000, `pauses of ${failed} ms behind ones that had not`);
