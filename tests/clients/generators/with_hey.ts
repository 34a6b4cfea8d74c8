// A client made by hey-api meets an event, a move and a problem code that are in no release: nothing throws, and each
// arrives as what it is. `generators.rs` gives the address of the service and the unknown code.

import assert from "node:assert/strict";

import { createMatch, createPlayer, getGame, getMatch, listMatchEvents, makeMove, streamMatch } from "./hey";
import type { MatchStreamItem } from "./hey";
import { client } from "./hey/client.gen";

function eventOf(item: MatchStreamItem): string {
  return "event" in item ? item.event.type : "";
}

async function main(base: string, unknownCode: string): Promise<void> {
  client.setConfig({ baseUrl: base });
  const guest = await createPlayer({ body: { name: "Rowan" }, throwOnError: true });
  client.setConfig({ auth: ({ type }) => (type === "http" ? guest.data.access_token : undefined) });
  const made = await createMatch({ body: { game: "thief_of_the_sacred_fire" }, throwOnError: true });
  const path = { match_id: made.data.match.id };

  const { data: view } = await getMatch({ path, throwOnError: true });
  const moves = view.decision?.legal_moves?.moves ?? [];
  assert.equal(moves[0]?.type, "fly");
  const body = { decision_id: view.decision?.id ?? "", move: moves[1]! };
  const moved = await makeMove({ path, body, throwOnError: true });
  assert.equal(moved.data.version, view.match.version + 1);

  const page = await listMatchEvents({ path, throwOnError: true });
  assert(page.data);
  assert(page.data.items.map(eventOf).includes("comet_began"));
  const followed: string[] = [];
  const { stream } = await streamMatch({ path, query: { limit: page.data.items.length }, sseMaxRetryAttempts: 1 });
  for await (const item of stream) {
    assert(item);
    followed.push(eventOf(item));
    if (followed.length === page.data.items.length) break;
  }
  assert.deepEqual(followed, page.data.items.map(eventOf));

  const { error } = await getGame({ path: { game: "chess" } });
  assert(error && "code" in error && error.code === unknownCode, JSON.stringify(error));
  console.log("nothing has thrown");
}

void main(process.argv[2] ?? "", process.argv[3] ?? "");
