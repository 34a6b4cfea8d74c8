// Everything that can be done around a match, once: friends come with codes, moves are taken back, time and a seat are given
// away, they play again, ask for hints, plan, signal and agree on a draw. `main.rs` gives the address of the service.

import assert from "node:assert/strict";

import { ProblemError, Sarsen } from "@sarsen/client";
import type { MatchView, Turn } from "@sarsen/client";

function turnOf({ match, state, decision }: MatchView): Turn | undefined {
  return state && decision ? { match, state, decision, moves: decision.legal_moves?.moves ?? [] } : undefined;
}

/** Makes the first legal move, if it is the client's turn; the match before it. */
async function moves(client: Sarsen, matchId: string): Promise<MatchView | undefined> {
  const before = await client.match(matchId);
  const turn = turnOf(before);
  if (!turn) return undefined;
  await client.move(turn, turn.moves[0]!);
  return before;
}

function refused(answer: Promise<unknown>, ...codes: string[]): Promise<void> {
  return assert.rejects(answer, (error) => error instanceof ProblemError && codes.includes(error.code));
}

const [base = ""] = process.argv.slice(2);
const [rowan, hazel, elder] = [new Sarsen(base), new Sarsen(base), new Sarsen(base)];
const [first, second, asked] = await Promise.all([rowan.guest("Rowan"), hazel.guest("Hazel"), elder.guest("Elder")]);

// A match of two with a clock, for whoever has the code.
const clock = { initial_seconds: 600, first_move_seconds: null, on_timeout: "bot" as const };
const { match } = await rowan.create({ game: "contiguity", visibility: "private", clock });
assert.equal((await rowan.summary()).open, 1);
assert.equal((await rowan.reserveSeat(match.id, 1, asked.id)).match.seats[1]?.reserved_for?.id, asked.id);
await elder.decline(match.id);
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
await refused(rowan.comeBack(match.id), "not_substituted");
const offer = await hazel.offerSubstitute(match.id, { expires_in_seconds: 600 });
assert.equal((await elder.joinByInvite(offer.code)).match.your_seat, 1);
assert.equal((await rowan.resign(match.id)).match.status, "finished");
const again = (await rowan.rematch(match.id)).match;
assert.notEqual(again.id, match.id);
assert.equal((await elder.summary()).invites, 1);
assert.equal((await elder.decline(again.id)).match.status, "aborted");

// They find each other in the lobby and in a pool, and read what rated matches have made of it.
const open = (await rowan.create({ game: "contiguity" })).match.id;
assert((await hazel.lobby("contiguity")).some((it) => it.id === open));
assert(!(await rowan.lobby()).some((it) => it.id === open));
await rowan.leave(open);
assert((await rowan.pools()).some((it) => it.id === "contiguity-live"));
const [ours, theirs] = await Promise.all([rowan, hazel].map((client) => client.playNow("contiguity-live")));
assert.equal(ours?.match.status, "playing");
assert.equal(ours.match.id, theirs?.match.id);
await refused(rowan.leavePool("contiguity-live"), "already_matched");
await rowan.leavePool("contiguity-correspondence");
await rowan.resign(ours.match.id);
await refused(rowan.matchRatings(ours.match.id), "not_found");
assert.deepEqual(await rowan.playerRatings(first.id), []);
assert.deepEqual((await rowan.ratingHistory(first.id, "contiguity.2.live")).items, []);
assert((await rowan.leaderboards()).some((it) => it.id === "contiguity.2.live"));
assert.deepEqual((await rowan.leaderboard("contiguity.2.live")).items, []);
await refused(rowan.leaderboardPlayer("contiguity.2.live", first.id), "player_not_found");

// A program that was ended repeats what it had kept, under the same keys, and it takes effect once.
const created = () => rowan.create({ game: "contiguity", hints: true }, { key: "kept: create" });
const kept = (await created()).match.id;
assert.equal((await created()).match.id, kept);
for (const _ of [1, 2]) assert.equal((await hazel.join(kept, {}, { key: "kept: join" })).match.your_seat, 1);
await refused(hazel.join(kept, { seat: 1 }, { key: "kept: join" }), "idempotency_key_reused");
for (const client of [rowan, hazel]) {
  const turn = turnOf(await client.match(kept));
  if (!turn) continue;
  const asked = { match: { id: kept }, decision: { id: turn.decision.id } };
  const moved = () => client.move(asked, turn.moves[0]!, { key: "kept: move" });
  assert.equal((await moved()).version, (await moved()).version);
}

// They ask for hints, plan, and agree on a draw.
[one, two] = (await rowan.match(kept)).decision ? [rowan, hazel] : [hazel, rowan];
const { notation } = await one.hint(kept, "easy");
await refused(two.claim(kept, 0), "claim_too_early", "claim_not_possible");
const tree = [{ when: [notation], then: [notation] }];
const made = await two.makePlan(kept, { version: (await two.match(kept)).match.version, tree });
assert.deepEqual([made.tree, (await two.plan(kept)).tree], [tree, tree]);
assert.equal((await two.dropPlan(kept)).state, "none");
await rowan.offerDraw(kept);
assert.deepEqual((await hazel.declineDraw(kept)).match.draw_agreed_by, []);
await hazel.offerDraw(kept);
assert.equal((await rowan.acceptDraw(kept)).match.status, "finished");

// An organiser settles a match of a league, and reads the results.
const places = [{ seat: 0, player_id: first.id }, { seat: 1, player_id: second.id }];
const board = (await elder.create({ game: "contiguity", seat: null, places, tags: ["cup"] })).match.id;
await rowan.join(board);
await hazel.join(board);
const ruled = await elder.adjudicate(board, { outcome: { ranks: [1, 2], verdict: "won" }, reason: "seat 1 was late" });
assert.equal(ruled.match.outcome?.ending, "adjudicated");
assert.deepEqual((await elder.results("cup")).map((it) => it.match_id), [board]);
assert.equal((await hazel.results("cup", asked.id))[0]?.outcome.standings[1]?.verdict, "lost");
assert.deepEqual(await rowan.results("other-cup"), []);

// They signal, and leave.
const vote = (await rowan.create({ game: "absolution", seats: 2 })).match.id;
await hazel.join(vote);
assert.equal((await rowan.signal(vote, "ready day 2 great")).notation, "ready day 2 great");
const left = (await rowan.create({ game: "contiguity" })).match.id;
assert.equal((await rowan.leave(left)).match.your_seat, null);

// A second device joins by a code, one that was wiped comes back by a key, and sessions are ended.
const [phone, wiped] = [new Sarsen(base), new Sarsen(base)];
const { code } = await elder.pairingCode();
assert.equal((await phone.pair(code, { device: "Phone" })).id, asked.id);
await refused(new Sarsen(base).pair(code), "wrong_code");
const [, ofPhone] = await elder.sessions();
assert.equal(ofPhone?.device, "Phone");
await elder.endSession(ofPhone.id);
const recoveryKey = await elder.recoveryKey();
assert.equal((await wiped.recover(recoveryKey)).id, asked.id);
await wiped.endOtherSessions();
assert.equal((await wiped.sessions()).length, 1);
await refused(wiped.exchange("acme", "token"), "issuer_not_found");
await refused(wiped.linkIdentity("acme", "token"), "issuer_not_found");
assert.deepEqual(await wiped.identities(), []);
await wiped.unlinkIdentity("0".repeat(64));
