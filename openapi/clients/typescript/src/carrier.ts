import type { components } from "./document.js";
import { ProblemError, expect } from "./problem.js";

/** A session: what to keep in order to come back as the same player. Or a program's token, which is never refreshed. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends, in milliseconds since 1970 by this machine's clock. */
  readonly expiresAt: number;
}

export const STREAM = "text/event-stream";
/** The paths of POSTs that may be repeated: they take effect once under their key, or twice does no harm. */
const KEYED = /\/v1\/(matches(?!.*\/(invites|substitute\/offer|review)$)|invites\/|players$|tokens\/(refresh|pair|recover|exchange)$|sandbox\/)/;
const RETRIES = 3;
/** Another request may have renewed a token long ago, and that one may have ended too. */
const RENEWALS = 2;
/** Where the service asks for a longer pause than this, in milliseconds, its problem is thrown at once. */
const LONGEST_PAUSE = 60_000;
/** An access token is renewed so many milliseconds before it ends. */
const EARLY = 30_000;

/**
 * Carries every request to a response below 400, or throws: with a token that is good, under an idempotency key, and
 * again where that may help.
 */
export class Carrier {
  #renewing: Promise<Tokens> | undefined;

  constructor(
    private readonly baseUrl: string,
    public tokens: Tokens | undefined,
    private readonly onTokens: ((tokens: Tokens) => void) | undefined,
    private readonly send: (request: Request, init: RequestInit) => Promise<Response>,
    private readonly timeout: number,
  ) {}

  /** `signal` ends it; a stream is ended by cancelling its body. */
  async carry(request: Request, signal: AbortSignal = request.signal): Promise<Response> {
    const bare = request.headers.has("Authorization") || request.url === this.#refreshUrl;
    let mayRepeat = request.method !== "POST" || request.headers.has("Idempotency-Key");
    if (!mayRepeat && KEYED.test(new URL(request.url).pathname)) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
      mayRepeat = true;
    }
    let renewals = 0;
    for (let tries = 0; ; ) {
      let tokens = bare ? undefined : this.tokens;
      if (tokens && tokens.expiresAt - Date.now() < EARLY) tokens = await this.#renew(tokens);
      if (tokens) request.headers.set("Authorization", `Bearer ${tokens.accessToken}`);
      let failure: unknown;
      let repeats = mayRepeat;
      let pause = backoff(tries, 250);
      try {
        const response = await this.#sent(request, signal);
        if (response.status < 400) return response;
        failure = await ProblemError.of(response);
      } catch (error) {
        if (signal.aborted) throw error;
        failure = error;
      }
      if (failure instanceof ProblemError) {
        if (failure.status === 401 && tokens?.refreshToken && renewals++ < RENEWALS) {
          await this.#renew(tokens);
          continue;
        }
        if (failure.retryAfter !== undefined) pause = failure.retryAfter * 1000 + backoff(0, 100);
        repeats = failure.status === 429 || (mayRepeat && [502, 503, 504].includes(failure.status));
      }
      if (!repeats || pause > LONGEST_PAUSE || tries === RETRIES) throw failure;
      renewals = 0;
      tries++;
      await sleep(pause, signal);
    }
  }

  accept(body: components["schemas"]["SignedInPlayer"]): Tokens {
    const expiresAt = Date.now() + body.access_token_expires_in_seconds * 1000;
    this.tokens = { accessToken: body.access_token, refreshToken: body.refresh_token, expiresAt };
    this.onTokens?.(this.tokens);
    return this.tokens;
  }

  /** Sends once. All but a stream is read to its end here, so that a connection lost meanwhile counts as lost. */
  async #sent(request: Request, signal: AbortSignal): Promise<Response> {
    const sending = new AbortController();
    const stop = (): void => sending.abort(signal.reason);
    const watch = setTimeout(() => sending.abort(new Error("no answer in time")), this.timeout);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const response = await this.send(request.clone(), { signal: sending.signal });
      if (response.status < 400 && request.headers.get("Accept") === STREAM) return response;
      const body = await response.arrayBuffer();
      return new Response(body.byteLength ? body : null, response);
    } finally {
      clearTimeout(watch);
      signal.removeEventListener("abort", stop);
    }
  }

  /** New tokens; requests that need them at the same time wait for the same ones. */
  async #renew(used: Tokens): Promise<Tokens> {
    if (this.tokens && this.tokens !== used) return this.tokens;
    this.#renewing ??= this.#refreshed(used).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #refreshed(used: Tokens): Promise<Tokens> {
    const body = JSON.stringify({ refresh_token: used.refreshToken });
    const headers = { "Content-Type": "application/json" };
    const response = await this.carry(new Request(this.#refreshUrl, { method: "POST", headers, body }));
    await expect("POST /v1/tokens/refresh", response);
    return this.accept(await response.json());
  }

  get #refreshUrl(): string {
    return new URL(`${this.baseUrl}/v1/tokens/refresh`).href;
  }
}

/** How long to wait after so many failures: twice as long each time, and never the same for all clients. */
export function backoff(tries: number, first: number, longest = 30_000): number {
  return Math.min(longest, first * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Waits so many milliseconds, or throws when the signal says so. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
