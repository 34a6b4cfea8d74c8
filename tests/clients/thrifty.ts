// Counts what `play` asks for on a good line: one request a turn, and a stream. `main.rs` gives the address of the
// service.

import assert from "node:assert/strict";

import { Sarsen } from "@sarsen/client";

/** A player who moves at random, and what was asked for on the way. */
class Player {
  requests = 0;
  turns = 0;
  readonly client: Sarsen;

  constructor(base: string) {
    const counted = (request: Request, init: RequestInit): Promise<Response> => {
      this.requests++;
      return fetch(request, init);
    };
    this.client = new Sarsen(base, { fetch: counted });
  }

  async plays(matchId: string): Promise<void> {
    this.requests = 0;
    await this.client.play(matchId, ({ moves }) => {
      this.turns++;
      return moves[Math.floor(Math.random() * moves.length)]!;
    });
  }
}

const [base = ""] = process.argv.slice(2);
for (const game of ["absolution", "sacrifice_roulette", "thief_of_the_sacred_fire"] as const) {
  const [one, two] = [new Player(base), new Player(base)];
  await one.client.guest("Rowan");
  const { match } = await one.client.create({ game });
  const players = match.seats.length > 1 ? [one, two] : [one];
  if (players.length > 1) {
    await two.client.guest("Hazel");
    await two.client.join(match.id);
  }
  await Promise.all(players.map((player) => player.plays(match.id)));
  for (const { requests, turns } of players) {
    // The match at first, and the stream; one more where somebody has been quicker.
    assert(turns > 0 && requests <= turns + 3, `${game}: ${requests} requests in ${turns} turns`);
  }
}
