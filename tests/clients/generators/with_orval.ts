// A client made by orval meets an event, a move and a problem code that are in no release: nothing throws, and each
// arrives as what it is. `generators.rs` gives the address of the service and the unknown code.

import assert from "node:assert/strict";

import { createMatch, createPlayer, getGame, getMatch, listMatchEvents, makeMove, streamMatch } from "./orval/sarsen";
import type { EventPage, MatchStreamItem } from "./orval/sarsen";

function eventOf(item: MatchStreamItem): string {
  return "event" in item ? item.event.type : "";
}

async function main(unknownCode: string): Promise<void> {
  const guest = await createPlayer({ name: "Rowan" });
  assert("access_token" in guest.data);
  const options = { headers: { Authorization: `Bearer ${guest.data.access_token}` } };
  const made = await createMatch({ game: "thief_of_the_sacred_fire" }, options);
  assert("match" in made.data);
  const { id } = made.data.match;

  const view = await getMatch(id, {}, options);
  assert(view.data && "decision" in view.data);
  const moves = view.data.decision?.legal_moves?.moves ?? [];
  assert.equal(moves[0]?.type, "fly");
  const body = { decision_id: view.data.decision?.id ?? "", move: moves[1]! };
  const moved = await makeMove(id, body, {}, options);
  assert("version" in moved.data && moved.data.version === view.data.match.version + 1, JSON.stringify(moved.data));

  // Of an operation that can answer with JSON lines too it hands out the response, whatever was asked for.
  const listed = await listMatchEvents(id, {}, options);
  assert("stream" in listed);
  const page: EventPage = JSON.parse(await listed.stream.text());
  const types = page.items.map(eventOf);
  assert(types.includes("comet_began"));
  // Its streams are texts that come when they end: one that is to be read as it comes wants an `EventSource`.
  const streamed = await streamMatch(id, { limit: types.length }, options);
  assert(streamed.status === 200 && String(streamed.data).includes("comet_began"));

  const missing = await getGame("chess");
  assert(missing.data && "code" in missing.data && String(missing.data.code) === unknownCode, JSON.stringify(missing));
  console.log("nothing has thrown");
}

void main(process.argv[3] ?? "");
