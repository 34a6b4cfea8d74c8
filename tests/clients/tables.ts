// Everything that can be done around a match, once: friends come with codes, moves are taken back, time and a seat are given
// away, and they play again. `main.rs` gives the address of the service.

import assert from "node:assert/strict";

import { ProblemError, Sarsen, ok } from "@sarsen/client";
import type { MatchView } from "@sarsen/client";

/** Makes the first legal move, if it is the client's turn; the match before it. */
async function moves(client: Sarsen, matchId: string): Promise<MatchView | undefined> {
  const before = await client.match(matchId);
  const { match, state, decision } = before;
  if (!state || !decision) return undefined;
  const legal = decision.legal_moves?.moves ?? [];
  await client.move({ match, state, decision, moves: legal }, legal[0]!);
  return before;
}

const [base = ""] = process.argv.slice(2);
const [rowan, hazel, elder] = [new Sarsen(base), new Sarsen(base), new Sarsen(base)];
await Promise.all([rowan.guest("Rowan"), hazel.guest("Hazel"), elder.guest("Elder")]);

// A match of two with a clock, for whoever has the code.
const clock = { initial_seconds: 600, first_move_seconds: null, on_timeout: "bot" as const };
const { match } = await rowan.create({ game: "contiguity", visibility: "private", clock });
assert.equal((await rowan.summary()).open, 1);
const invite = await rowan.createInvite(match.id, { seat: 1 });
assert.equal((await hazel.invitation(invite.code)).match.id, match.id);
assert.equal((await hazel.joinByInvite(invite.code)).match.your_seat, 1);

// Moves are taken back by consent.
let [one, two] = [rowan, hazel];
let before = await moves(one, match.id);
if (!before) {
  [one, two] = [two, one];
  before = await moves(one, match.id);
}
assert(before);
const { version } = before.match;
assert.equal((await one.offerTakeback(match.id, version)).takeback?.to_version, version);
assert.equal((await two.acceptTakeback(match.id)).takeback, null);
assert.deepEqual((await one.match(match.id)).state, before.state);
await moves(one, match.id);
await one.offerTakeback(match.id, version);
assert.equal((await two.declineTakeback(match.id)).takeback, null);

// A step of one's own turn is undone behind which there is no chance: Henge's second.
const alone = (await elder.create({ game: "henge" })).match.id;
await moves(elder, alone);
const chosen = await moves(elder, alone);
assert(chosen);
assert.deepEqual((await elder.undo(alone, chosen.match.version)).state, chosen.state);

// Time and a seat are given away, and they play again.
const given = (await rowan.giveTime(match.id, 1, 60)).match.seats[1]?.clock;
assert(given && given.bank_milliseconds > 600_000);
const isIt = (error: unknown): boolean => error instanceof ProblemError && error.code === "not_substituted";
await assert.rejects(rowan.comeBack(match.id), isIt);
const offer = await hazel.offerSubstitute(match.id, { expires_in_seconds: 600 });
assert.equal((await elder.joinByInvite(offer.code)).match.your_seat, 1);
await ok(rowan.api.POST("/v1/matches/{match_id}/resign", { params: { path: { match_id: match.id } } }));
const again = (await rowan.rematch(match.id)).match;
assert.notEqual(again.id, match.id);
assert.equal((await elder.summary()).invites, 1);
assert.equal((await elder.decline(again.id)).match.status, "aborted");
