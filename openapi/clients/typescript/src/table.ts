import type { Client } from "openapi-fetch";

import type { components, paths } from "./document.js";

type Schemas = components["schemas"];
type MatchView = Schemas["MatchView"];

export interface KeyOptions {
  /** The idempotency key: one that was kept repeats a request that may have been lost. A new one if left out. */
  key?: string;
}

export interface PageOptions {
  /** The place to go on from: the `next_cursor` of the page before. */
  cursor?: string;
  /** The most items of a page. */
  limit?: number;
}

/** What is done around a match besides moving, one call for each operation. Every client has it. */
export abstract class Table {
  /** Every operation of the document, typed: `ok(sarsen.api.GET("/v1/games"))`. */
  abstract readonly api: Client<paths>;

  /** Makes a match. */
  create(terms: Schemas["CreateMatch"], options: KeyOptions = {}): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches", { params: keyed(options), body: terms }));
  }

  /** Takes a seat. */
  join(matchId: string, request: Schemas["JoinRequest"] = {}, options: KeyOptions = {}): Promise<MatchView> {
    const params = { ...at(matchId), ...keyed(options) };
    return ok(this.api.POST("/v1/matches/{match_id}/join", { params, body: request }));
  }

  /** The newest open matches that the caller could join. */
  async lobby(game?: string): Promise<Schemas["Match"][]> {
    const query = { joinable: true, ...(game === undefined ? {} : { game }) };
    return (await ok(this.api.GET("/v1/matches", { params: { query } }))).items;
  }

  /** The pools for playing now. */
  async pools(): Promise<Schemas["Pool"][]> {
    return (await ok(this.api.GET("/v1/pools"))).items;
  }

  /** Takes the caller's ticket back; one that was matched before is refused with `already_matched`. */
  async leavePool(pool: string): Promise<void> {
    await this.api.DELETE("/v1/pools/{pool_id}/ticket", { params: { path: { pool_id: pool } } });
  }

  /** Gives up the caller's seat before the start. */
  leave(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/leave", { params: at(matchId) }));
  }

  /** Gives up the seat that is kept for the caller. */
  decline(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/decline", { params: at(matchId) }));
  }

  /** Keeps a free seat for a player before the start, also for one who was sent away. For the creator. */
  reserveSeat(matchId: string, seat: number, playerId: string): Promise<MatchView> {
    const params = { path: { match_id: matchId, seat: String(seat) } };
    const body = { player_id: playerId };
    return ok(this.api.PUT("/v1/matches/{match_id}/seats/{seat}/reservation", { params, body }));
  }

  /** A code with which another device goes on as the same player. */
  pairingCode(expiresInSeconds = 300): Promise<Schemas["PairingCode"]> {
    return ok(this.api.POST("/v1/me/pairing-codes", { body: { expires_in_seconds: expiresInSeconds } }));
  }

  /** A key with which the player comes back without any device, in the place of the one before. */
  async recoveryKey(): Promise<string> {
    return (await ok(this.api.POST("/v1/me/recovery-key"))).recovery_key;
  }

  /** The devices on which the player is signed in. */
  async sessions(): Promise<Schemas["Session"][]> {
    return (await ok(this.api.GET("/v1/me/sessions"))).items;
  }

  /** Ends one of them. */
  async endSession(sessionId: string): Promise<void> {
    await this.api.DELETE("/v1/me/sessions/{session_id}", { params: { path: { session_id: sessionId } } });
  }

  /** Ends all of them but this one. */
  async endOtherSessions(): Promise<void> {
    await this.api.DELETE("/v1/me/sessions");
  }

  /** The accounts at outside issuers that are linked to the player. */
  async identities(): Promise<Schemas["Identity"][]> {
    return (await ok(this.api.GET("/v1/me/identities"))).items;
  }

  /** Links the account that a token of an outside issuer is about. */
  linkIdentity(issuer: string, token: string): Promise<Schemas["Identity"]> {
    return ok(this.api.POST("/v1/me/identities", { body: { issuer, token } }));
  }

  /** Unlinks it. */
  async unlinkIdentity(identityId: string): Promise<void> {
    await this.api.DELETE("/v1/me/identities/{identity_id}", { params: { path: { identity_id: identityId } } });
  }

  /** How many matches wait for the caller, for a badge. */
  summary(): Promise<Schemas["Summary"]> {
    return ok(this.api.GET("/v1/me/summary"));
  }

  /** What a rated match has changed, by seat; `rating_not_ready` for about a second after its end. */
  matchRatings(matchId: string): Promise<Schemas["MatchRatings"]> {
    return ok(this.api.GET("/v1/matches/{match_id}/ratings", { params: at(matchId) }));
  }

  /** The ratings of a player, by board. */
  async playerRatings(playerId: string): Promise<Schemas["PlayerRating"][]> {
    return (await ok(this.api.GET("/v1/players/{player_id}/ratings", { params: { path: { player_id: playerId } } }))).items;
  }

  /** The changes of a player's rating, the newest first; for `paginate`. */
  ratingHistory(playerId: string, board: string, query: PageOptions = {}): Promise<Schemas["RatingHistoryPage"]> {
    const params = { path: { player_id: playerId, board }, query };
    return ok(this.api.GET("/v1/players/{player_id}/ratings/{board}/history", { params }));
  }

  /** The boards. */
  async leaderboards(): Promise<Schemas["Leaderboard"][]> {
    return (await ok(this.api.GET("/v1/leaderboards"))).items;
  }

  /** A page of a board; for `paginate`, all of whose pages show the board as it was at the first. */
  leaderboard(board: string, query: PageOptions = {}): Promise<Schemas["LeaderboardPage"]> {
    return ok(this.api.GET("/v1/leaderboards/{board}", { params: { path: { board }, query } }));
  }

  /** A player's place on a board, with the neighbours on both sides. */
  async leaderboardPlayer(board: string, playerId: string, around = 5): Promise<Schemas["LeaderboardRow"][]> {
    const params = { path: { board, player_id: playerId }, query: { around } };
    return (await ok(this.api.GET("/v1/leaderboards/{board}/players/{player_id}", { params }))).items;
  }

  /** Makes a code with which friends join a match that has not started. */
  createInvite(matchId: string, request: Schemas["CreateInvite"] = {}): Promise<Schemas["Invite"]> {
    return ok(this.api.POST("/v1/matches/{match_id}/invites", { params: at(matchId), body: request }));
  }

  /** What a code leads to. */
  invitation(code: string): Promise<Schemas["Invitation"]> {
    return ok(this.api.GET("/v1/invites/{invite_code}", { params: { path: { invite_code: code } } }));
  }

  /** Takes the seat that a code is for: a free one, or one that is offered to a substitute. */
  joinByInvite(code: string, request: Schemas["InviteJoinRequest"] = {}): Promise<MatchView> {
    const params = { path: { invite_code: code } };
    return ok(this.api.POST("/v1/invites/{invite_code}/join", { params, body: request }));
  }

  /** Makes a code with which somebody takes over the caller's seat, or that of somebody who is away. */
  offerSubstitute(matchId: string, request: Schemas["SubstituteRequest"] = {}): Promise<Schemas["Invite"]> {
    return ok(this.api.POST("/v1/matches/{match_id}/substitute/offer", { params: at(matchId), body: request }));
  }

  /** Gives up the match. */
  resign(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/resign", { params: at(matchId) }));
  }

  /** Settles a match that the caller has made for others: with a result, or by calling it off. */
  adjudicate(matchId: string, ruling: Schemas["AdjudicateMatch"]): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/adjudicate", { params: at(matchId), body: ruling }));
  }

  /** The results of finished matches with a label among those of a player: the caller, if left out. */
  async results(tag: string, player?: string): Promise<Schemas["MatchResult"][]> {
    const params = { query: { tag, ...(player === undefined ? {} : { player }) } };
    const lines: string = await ok(this.api.GET("/v1/matches/results", { params, parseAs: "text" }));
    return lines.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Schemas["MatchResult"]);
  }

  /** Offers a draw. */
  offerDraw(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/draw/offer", { params: at(matchId) }));
  }

  /** Accepts the draw on offer. */
  acceptDraw(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/draw/accept", { params: at(matchId) }));
  }

  /** Declines it. */
  declineDraw(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/draw/decline", { params: at(matchId) }));
  }

  /** Has a seat that let the time for its move pass treated as resigned. */
  claim(matchId: string, seat: number): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/claim", { params: at(matchId), body: { seat } }));
  }

  /** The move that a bot of this level would make for the caller. Everybody at the table learns of the hint. */
  hint(matchId: string, level: Schemas["BotLevel"]): Promise<Schemas["Hint"]> {
    return ok(this.api.POST("/v1/matches/{match_id}/hint", { params: at(matchId), body: { level } }));
  }

  /** What each decision of a finished match was worth, once a bot of this level has judged it. `order`: has it made. */
  async review(matchId: string, level: Schemas["ReviewLevel"], order = true): Promise<Schemas["MatchReview"]> {
    if (order) await ok(this.api.POST("/v1/matches/{match_id}/review", { params: at(matchId), body: { level } }));
    const params = { ...at(matchId), query: { level, wait: 20 } };
    for (;;) {
      const review = await ok(this.api.GET("/v1/matches/{match_id}/review", { params }));
      if (review.state !== "queued" && review.state !== "running") return review;
    }
  }

  /** Makes a move that needs no turn, or its notation. */
  signal(matchId: string, signal: Schemas["Move"] | string): Promise<Schemas["MoveResult"]> {
    const body = typeof signal === "string" ? { notation: signal } : { move: signal };
    return ok(this.api.POST("/v1/matches/{match_id}/moves", { params: at(matchId), body }));
  }

  /** The caller's plan. */
  plan(matchId: string): Promise<Schemas["PlanView"]> {
    return ok(this.api.GET("/v1/matches/{match_id}/plan", { params: at(matchId) }));
  }

  /** Settles moves in advance. Replaces the plan before. */
  makePlan(matchId: string, request: Schemas["PlanRequest"]): Promise<Schemas["PlanView"]> {
    return ok(this.api.PUT("/v1/matches/{match_id}/plan", { params: at(matchId), body: request }));
  }

  /** Drops the caller's plan. */
  dropPlan(matchId: string): Promise<Schemas["PlanView"]> {
    return ok(this.api.DELETE("/v1/matches/{match_id}/plan", { params: at(matchId) }));
  }

  /** Undoes the caller's own moves of the present turn, as far back as `undo` of the match says. */
  undo(matchId: string, toVersion: number): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/undo", { params: at(matchId), body: { to_version: toVersion } }));
  }

  /** Offers to go back to a version, which is done once all others have accepted. */
  offerTakeback(matchId: string, toVersion: number): Promise<MatchView> {
    const body = { to_version: toVersion };
    return ok(this.api.POST("/v1/matches/{match_id}/takeback", { params: at(matchId), body }));
  }

  /** Accepts the takeback on offer. */
  acceptTakeback(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/takeback/accept", { params: at(matchId) }));
  }

  /** Declines it. */
  declineTakeback(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/takeback/decline", { params: at(matchId) }));
  }

  /** Adds time to another seat's clock. */
  giveTime(matchId: string, seat: number, seconds: number): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/clock/give", { params: at(matchId), body: { seat, seconds } }));
  }

  /** Takes the caller's seat back from the bot that has played for them. */
  comeBack(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/return", { params: at(matchId) }));
  }

  /** Calls for the match that follows a finished one, or joins it. */
  rematch(matchId: string): Promise<MatchView> {
    return ok(this.api.POST("/v1/matches/{match_id}/rematch", { params: at(matchId) }));
  }
}

/** What an operation of `api` has answered; its problems were thrown before. */
export async function ok<T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new TypeError("the service answered with nothing");
  return data;
}

export function at(matchId: string): { path: { match_id: string } } {
  return { path: { match_id: matchId } };
}

export function keyed({ key }: KeyOptions): { header?: { "Idempotency-Key": string } } {
  return key === undefined ? {} : { header: { "Idempotency-Key": key } };
}
