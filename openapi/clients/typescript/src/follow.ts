import { type Carrier, STREAM, backoff, sleep } from "./carrier.js";
import type { components } from "./document.js";
import { ProblemError } from "./problem.js";

export type LoggedEvent = components["schemas"]["LoggedEvent"];
export type MatchEvent = components["schemas"]["MatchEvent"];
export type PlayerEvent = components["schemas"]["PlayerEvent"];

/** The service sends something every 15 seconds; after so many milliseconds of silence a connection is given up. */
const SILENCE = 45_000;
/** A wait that the service asks for, in milliseconds, is taken from here on: less only spreads reconnections. */
const LONG_WAIT = 10_000;

/**
 * The items of an event stream, each once and in order. A connection that is lost is made again, behind the newest
 * item: within a second if anything has come through it, if only a heartbeat, and after up to 30 seconds if several in
 * a row have failed, or as long as the service has asked, if that is long. The items end when the service says that no more will come.
 */
export async function* follow<T extends object>(
  carrier: Carrier,
  url: string,
  after: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  let resume = after;
  let newest = placeOf(after);
  for (let failures = 0; ; ) {
    const connection = new AbortController();
    const stop = (): void => connection.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    let problem: unknown;
    let wait = 0;
    try {
      signal?.throwIfAborted();
      const headers = { Accept: STREAM, ...(resume === undefined ? {} : { "Last-Event-ID": resume }) };
      const response = await carrier.carry(new Request(url, { headers }), connection.signal);
      if (response.status === 204) return;
      if (!response.headers.get("Content-Type")?.startsWith(STREAM)) {
        void response.body?.cancel().catch(() => {});
        throw ProblemError.unexpected(response);
      }
      for await (const block of blocks(response, connection, () => (failures = 0), (asked) => (wait = asked))) {
        const data = JSON.parse(block.data) as T;
        const place = placeOf("id" in data ? String(data.id) : undefined);
        if (isResync(data)) newest = place;
        else if (place && newest && !isBehind(place, newest)) continue;
        newest = place ?? newest;
        resume = block.id ?? resume;
        yield data;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const { status } = error instanceof ProblemError ? error : { status: 0 };
      if (status >= 400 && status < 500 && ![408, 429].includes(status)) throw error;
      if (error instanceof SyntaxError) throw error;
      problem = error;
    } finally {
      signal?.removeEventListener("abort", stop);
      connection.abort();
    }
    const asked = problem instanceof ProblemError ? (problem.retryAfter ?? 0) * 1000 : 0;
    if (wait < LONG_WAIT) wait = 0;
    await sleep(Math.max(asked, wait, backoff(failures++, 1000)), signal);
  }
}

interface Block {
  readonly id: string | undefined;
  readonly data: string;
}

/** The blocks of a stream that have data; tells of all that arrives, and throws when nothing has come for too long. */
async function* blocks(
  response: Response,
  connection: AbortController,
  arrived: () => void,
  retry: (milliseconds: number) => void,
): AsyncGenerator<Block> {
  if (!response.body) return;
  const reader = response.body.getReader();
  // Cancelling ends the connection; a signal alone might be forgotten once the answer has begun.
  const stop = (): void => void reader.cancel().catch(() => {});
  connection.signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  for (;;) {
    const watch = setTimeout(() => connection.abort(new Error("the stream has fallen silent")), SILENCE);
    const piece = await reader.read().finally(() => clearTimeout(watch));
    if (piece.done) return;
    arrived();
    const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((line) => line.replace(/\r$/, ""))) {
      const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "id") id = value;
      else if (name === "data") data.push(value ?? "");
      else if (name === "retry" && /^\d+$/.test(value ?? "")) retry(Number(value));
      else if (line === "" && data.length > 0) {
        yield { id, data: data.join("\n") };
        data = [];
      }
    }
  }
}

/** An event's place: of a match `<version>.<index>`, of an inbox a number. What stands behind is a stamp. */
function placeOf(id: string | undefined): readonly number[] | undefined {
  const place = (id ?? "").split(".").slice(0, 2).filter((part) => /^\d{1,15}$/.test(part));
  return place.length > 0 ? place.map(Number) : undefined;
}

function isBehind([version = 0, index = 0]: readonly number[], [ofVersion = 0, at = 0]: readonly number[]): boolean {
  return version > ofVersion || (version === ofVersion && index > at);
}

/** Whether a failover has undone what was told: what comes now follows its id. */
export function isResync(item: object): boolean {
  const { type, event } = item as { type?: unknown; event?: { type?: unknown } };
  return type === "resync" || event?.type === "resync";
}
