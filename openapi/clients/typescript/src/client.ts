import createClient, { type Client } from "openapi-fetch";

import { Carrier, type Tokens } from "./carrier.js";
import type { components, paths } from "./document.js";
import { type LoggedEvent, type PlayerEvent, follow, isResync } from "./follow.js";
import { ProblemError, expect } from "./problem.js";
import { type KeyOptions, Table, at, keyed, ok } from "./table.js";

/** Everything that is sent and answered, by its name in the document: `Schemas["ContiguityView"]`. */
export type Schemas = components["schemas"];
export type Match = Schemas["Match"];
export type MatchView = Schemas["MatchView"];
export type MoveResult = Schemas["MoveResult"];

export interface Options {
  /** A session that was kept. */
  tokens?: Tokens;
  /** Told whenever there are new tokens: keep them, in order to come back. */
  onTokens?: (tokens: Tokens) => void;
  /** Sends a request; `fetch` if left out. */
  fetch?: (request: Request, init: RequestInit) => Promise<Response>;
  /** Milliseconds after which a request that is no stream is given up and sent again; 30,000 if left out. */
  timeout?: number;
}

export interface DeviceOptions extends KeyOptions {
  /** The name by which the player knows this device in the list of sessions. */
  device?: string;
}

export interface PlayOptions {
  /** The invite code of a private match. */
  invite?: string;
  /** Ends it. */
  signal?: AbortSignal;
}

export interface FollowOptions extends PlayOptions {
  /** Go on behind this event; all of them if left out. */
  after?: string;
}

export interface PoolOptions extends Readonly<Schemas["TicketWishes"]> {
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** What one is asked, and all that may be known. */
export interface Turn {
  readonly match: Match;
  readonly state: NonNullable<MatchView["state"]>;
  readonly decision: Schemas["Decision"];
  /** The legal moves; ignore those of a type that you do not know. */
  readonly moves: readonly Schemas["Move"][];
}

/** All that an answer to a turn needs of it: what a queue of moves keeps. */
export interface Asked {
  readonly match: { readonly id: string };
  readonly decision: { readonly id: string };
}

/** What decides in a match: given the turn, it answers with one of its moves or with a move's notation. */
export type Policy = (turn: Turn) => Schemas["Move"] | string | Promise<Schemas["Move"] | string>;

/** How a match stands, and what the caller is asked: as it was read, moved in, or followed. */
type Known = MatchView | MoveResult | Schemas["MatchStep"];

/** Problems of a move that mean that the match has gone on meanwhile: look again. */
const OVERTAKEN: readonly string[] = ["stale_decision", "not_your_turn", "out_of_time", "match_over", "conflict"];

/** One player at one service, or a spectator as long as there are no tokens. */
export class Sarsen extends Table {
  override readonly api: Client<paths>;
  readonly #carrier: Carrier;
  readonly #baseUrl: string;

  constructor(baseUrl: string, options: Options = {}) {
    super();
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    const send = options.fetch ?? ((request: Request, init: RequestInit) => fetch(request, init));
    this.#carrier = new Carrier(this.#baseUrl, options.tokens, options.onTokens, send, options.timeout ?? 30_000);
    this.api = createClient<paths>({ baseUrl: this.#baseUrl, fetch: (request) => this.#carrier.carry(request) });
    this.api.use({ onResponse: (it) => expect(`${it.request.method} ${it.schemaPath}`, it.response) });
  }

  /** A program that speaks by a token of its own, `sarsen_pat_…`: for a player, or as a bot account. */
  static fromToken(baseUrl: string, token: string, options: Omit<Options, "tokens" | "onTokens"> = {}): Sarsen {
    const tokens = { accessToken: token, refreshToken: "", expiresAt: Infinity };
    return new Sarsen(baseUrl, { ...options, tokens });
  }

  /** The session, if there is one. */
  get tokens(): Tokens | undefined {
    return this.#carrier.tokens;
  }

  /** Makes a player from a name, and goes on as that player. */
  guest(name: string, { device }: { device?: string } = {}): Promise<Schemas["Player"]> {
    const body = { name, ...(device === undefined ? {} : { device }) };
    return this.#signedIn(ok(this.api.POST("/v1/players", { body })));
  }

  /** Goes on as the player whose other device shows this code. */
  pair(code: string, { device, ...options }: DeviceOptions = {}): Promise<Schemas["Player"]> {
    const body = { code, ...(device === undefined ? {} : { device }) };
    return this.#signedIn(ok(this.api.POST("/v1/tokens/pair", { params: keyed(options), body })));
  }

  /** Goes on as the player whose recovery key this is. */
  recover(recoveryKey: string, { device, ...options }: DeviceOptions = {}): Promise<Schemas["Player"]> {
    const body = { recovery_key: recoveryKey, ...(device === undefined ? {} : { device }) };
    return this.#signedIn(ok(this.api.POST("/v1/tokens/recover", { params: keyed(options), body })));
  }

  /** Goes on as the player who is linked to the account that a token of an outside issuer is about, or as a new one. */
  exchange(issuer: string, token: string, { device }: { device?: string } = {}): Promise<Schemas["Player"]> {
    const body = { issuer, token, ...(device === undefined ? {} : { device }) };
    return this.#signedIn(ok(this.api.POST("/v1/tokens/exchange", { body })));
  }

  async #signedIn(answer: Promise<Schemas["SignedInPlayer"]>): Promise<Schemas["Player"]> {
    const signedIn = await answer;
    this.#carrier.accept(signedIn);
    return signedIn.player;
  }

  /** A match with its state and the caller's decision. */
  match(matchId: string, { invite, signal }: PlayOptions = {}): Promise<MatchView> {
    const params = { ...at(matchId), query: invite === undefined ? {} : { invite } };
    return ok(this.api.GET("/v1/matches/{match_id}", { params, ...(signal ? { signal } : {}) }));
  }

  /** Answers a turn, or one that was kept, with a move or its notation. */
  move({ match, decision }: Asked, answer: Schemas["Move"] | string, options: KeyOptions = {}): Promise<MoveResult> {
    const chosen = typeof answer === "string" ? { notation: answer } : { move: answer };
    const body = { decision_id: decision.id, ...chosen };
    const params = { ...at(match.id), ...keyed(options) };
    return ok(this.api.POST("/v1/matches/{match_id}/moves", { params, body }));
  }

  /** The items of all pages of a list; `fetchPage` gets the cursor of a page, at first none. */
  async *paginate<T>(
    fetchPage: (cursor: { cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
  ): AsyncGenerator<T, void, undefined> {
    for (let cursor: { cursor?: string } = {}; ; ) {
      const page = await fetchPage(cursor);
      yield* page.items;
      if (page.next_cursor === null) return;
      cursor = { cursor: page.next_cursor };
    }
  }

  /**
   * The events of a match, each once and in order, until the match is over. Connections that are lost are made again.
   * After an event of type `resync`, forget what you were told.
   */
  follow(matchId: string, { after, invite, signal }: FollowOptions = {}): AsyncGenerator<LoggedEvent, void, undefined> {
    const query = invite === undefined ? {} : { invite };
    return follow<LoggedEvent>(this.#carrier, this.#streamOf(matchId, query), after, signal);
  }

  /** What happens in all matches of the caller, without end. */
  inbox({ after, signal }: Omit<FollowOptions, "invite"> = {}): AsyncGenerator<PlayerEvent, void, undefined> {
    return follow<PlayerEvent>(this.#carrier, `${this.#baseUrl}/v1/me/stream`, after, signal);
  }

  /**
   * Waits in a pool until the service has paired the caller: the match has started. Whoever gives up may `leavePool`; a
   * ticket of a live pool lapses after a minute.
   */
  async playNow(pool: string, { signal, ...wishes }: PoolOptions = {}): Promise<MatchView> {
    const params = { path: { pool_id: pool }, query: { wait: 20 } };
    for (;;) {
      const request = { params, body: wishes, ...(signal ? { signal } : {}) };
      const ticket = await ok(this.api.PUT("/v1/pools/{pool_id}/ticket", request));
      if (ticket.match_id !== null) return this.match(ticket.match_id, signal ? { signal } : {});
    }
  }

  /**
   * Plays a match to its end, waiting for its start if need be: asks `policy` whenever it is the caller's turn. One
   * request a turn: the answer to a move has the next decision in it, and what others do comes by a stream.
   */
  async play(matchId: string, policy: Policy, options: PlayOptions = {}): Promise<MatchView> {
    let known: Known = await this.match(matchId, options);
    let steps: AsyncGenerator<Schemas["MatchStep"], void, undefined> | undefined;
    try {
      while (!["finished", "aborted"].includes(known.match.status)) {
        options.signal?.throwIfAborted();
        const turn = turnOf(known);
        if (turn) {
          try {
            known = await this.move(turn, await policy(turn));
          } catch (error) {
            if (!(error instanceof ProblemError && OVERTAKEN.includes(error.code))) throw error;
            known = await this.match(matchId, options);
          }
        } else {
          steps ??= this.#steps(matchId, options);
          let next = await steps.next();
          while (!next.done && !isNews(next.value, known.match)) next = await steps.next();
          known = next.done ? await this.match(matchId, options) : next.value;
        }
      }
      const { match, state, last_move, undo, takeback, decision = null } = known;
      return { match, state, last_move, undo, takeback, decision };
    } finally {
      await steps?.return();
    }
  }

  /** A match with all that the caller needs to play it, beginning with how it stands. */
  #steps(matchId: string, { invite, signal }: PlayOptions): AsyncGenerator<Schemas["MatchStep"], void, undefined> {
    const query = { include: "view,decision", ...(invite === undefined ? {} : { invite }) };
    return follow(this.#carrier, this.#streamOf(matchId, query), undefined, signal);
  }

  #streamOf(matchId: string, query: Record<string, string>): string {
    return `${this.#baseUrl}/v1/matches/${encodeURIComponent(matchId)}/stream?${new URLSearchParams(query)}`;
  }
}

/** Whether a step makes what is known of a match out of date. */
function isNews(step: Schemas["MatchStep"], match: Match): boolean {
  return step.version > match.version || step.events.some(isResync);
}

function turnOf({ match, state, decision }: Known): Turn | undefined {
  return state && decision ? { match, state, decision, moves: decision.legal_moves?.moves ?? [] } : undefined;
}
