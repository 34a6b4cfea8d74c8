// Plays whole matches with the TypeScript client through a proxy that loses, refuses and invents, and checks that
// nothing is missed. `main.rs` gives the addresses of the proxy and the service, and the code that the proxy invents.

import assert from "node:assert/strict";

import { ProblemError, Sarsen, ok } from "@sarsen/client";
import type { LoggedEvent, PlayerEvent, Schemas, Tokens, Turn } from "@sarsen/client";

const GAMES: Schemas["CreateMatch"][] = [
  // At random it goes on until the limit.
  { game: "contiguity", options: { turn_limit: 100 } },
  { game: "thief_of_the_sacred_fire" },
  { game: "absolution" },
  { game: "sacrifice_roulette" },
  { game: "henge", seats: 2 },
];

/** Makes any of the moves that it knows: the proxy puts one of a type that nobody knows before all others. */
class RandomPolicy {
  turns = 0;

  readonly decide = (turn: Turn): Schemas["Move"] => {
    this.turns++;
    const moves = turn.moves.filter((move) => (move.type as string) !== "fly");
    assert.equal(moves.length, turn.moves.length - 1);
    const move = moves[Math.floor(Math.random() * moves.length)];
    assert(move);
    return move;
  };
}

/** What a watcher shows of an event: a union is narrowed by `type`, and what is unknown is ignored. */
function shown({ event }: LoggedEvent): string {
  switch (event.type) {
    case "move_made":
      return `${event.seat}: ${event.notation ?? "?"}`;
    case "match_ended":
      return event.outcome.ending;
    default:
      return "";
  }
}

function hasEnded(item: PlayerEvent, matchId: string): boolean {
  if (item.type !== "step" || item.match_id !== matchId) return false;
  return item.events.some(({ event }) => event.type === "match_ended");
}

async function follow(client: Sarsen, matchId: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of client.follow(matchId)) events.push(event);
  return events;
}

async function inbox(client: Sarsen, matchId: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const item of client.inbox()) {
    if (item.type === "step") numbers.push(Number(item.id));
    if (hasEnded(item, matchId)) break;
  }
  return numbers;
}

async function plays(proxy: string, direct: string, terms: Schemas["CreateMatch"]): Promise<void> {
  const began = Date.now();
  const kept: Tokens[] = [];
  // The first seat is a bot account's, which has nothing but its token.
  const owner = new Sarsen(direct);
  await owner.guest("Owner");
  const account = await ok(owner.api.POST("/v1/me/bots", { body: { name: "Rowan's engine" } }));
  assert.equal(account.player.kind, "bot");
  const [one, two] = [Sarsen.fromToken(proxy, account.credential.secret), new Sarsen(proxy)];
  const watcher = new Sarsen(proxy, { onTokens: (tokens) => kept.push(tokens) });
  await Promise.all([two.guest("Hazel"), watcher.guest("Elder")]);
  const { match } = await one.create(terms);
  const players = match.seats.length > 1 ? [one, two] : [one];
  if (players.length > 1) await two.join(match.id);
  const policies = players.map(() => new RandomPolicy());
  const [followed, numbers, ...views] = await Promise.all([
    follow(watcher, match.id),
    inbox(one, match.id),
    ...players.map((player, at) => player.play(match.id, policies[at]!.decide)),
  ]);

  const tokens = kept.at(-1);
  assert(tokens && views.every((view) => view.match.outcome !== null));
  const logged = await follow(new Sarsen(direct, { tokens }), match.id);
  assert.deepEqual(followed.map(({ id }) => id), logged.map(({ id }) => id), "what was followed is the log");
  assert.deepEqual(numbers, numbers.map((_, at) => numbers[0]! + at), "no notice is missed or told twice");
  const turns = policies.reduce((sum, policy) => sum + policy.turns, 0);
  const moves = followed.filter((event) => event.event.type === "move_made");
  assert(turns > 1 && moves.length >= turns, `${moves.length} moves of ${turns} turns`);
  assert(followed.some(({ event }) => (event.type as string) === "comet_began"), "an unknown event arrives");
  assert(shown(followed.at(-1)!).length > 0, "the last event is the end");
  console.log(`${terms.game}: ${followed.length} events, ${turns} turns, ${(Date.now() - began) / 1000} s`);
}

async function problems(base: string, code: string): Promise<void> {
  const answer = ok(new Sarsen(base).api.GET("/v1/games/{game}", { params: { path: { game: "chess" } } }));
  const isIt = (error: unknown): boolean => error instanceof ProblemError && error.code === code && error.status === 404;
  await assert.rejects(answer, isIt);
}

async function pages(proxy: string): Promise<void> {
  const client = new Sarsen(proxy);
  await client.guest("Alder");
  const made: string[] = [];
  for (let at = 0; at < 7; at++) made.push((await client.create({ game: "contiguity" })).match.id);
  const listed: string[] = [];
  const page = (cursor: { cursor?: string }): Promise<Schemas["MatchPage"]> =>
    ok(client.api.GET("/v1/matches", { params: { query: { mine: true, limit: 2, ...cursor } } }));
  for await (const match of client.paginate(page)) listed.push(match.id);
  assert.deepEqual(listed.sort(), made.sort(), "each match was made once, though answers were lost, and is listed once");
}

const [proxy = "", direct = "", unknownCode = ""] = process.argv.slice(2);
await Promise.all([
  problems(direct, "game_not_found"),
  problems(proxy, unknownCode),
  pages(proxy),
  ...GAMES.map((terms) => plays(proxy, direct, terms)),
]);
