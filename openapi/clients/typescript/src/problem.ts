import type { components } from "./document.js";
import { SHAPES } from "./shapes.js";

export type Problem = components["schemas"]["Problem"];
/** The codes of this release. A later one may have more. */
export type ProblemCode = components["schemas"]["ProblemCode"];

/**
 * An answer of failure. Branch on `code`, and treat a code that you do not know by its `status`. A failure that the
 * service did not describe, such as a proxy's page, has the code `""`. An answer below 400 that does not fit the
 * document, such as a sign-in page of a network, has the code `"unexpected_answer"`; the session stays as it was.
 */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode | (string & {});

  private constructor(
    readonly status: number,
    /** All that the service said. */
    readonly problem: Partial<Problem>,
    /** After how many seconds trying again makes sense, if the service said so. */
    readonly retryAfter: number | undefined,
  ) {
    super(`${problem.code ?? status}: ${problem.detail ?? problem.title ?? "no problem of the service"}`);
    this.code = problem.code ?? "";
  }

  static async of(response: Response): Promise<ProblemError> {
    const body: unknown = await response.json().catch(() => ({}));
    const after = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
    const problem = typeof body === "object" && body !== null ? (body as Partial<Problem>) : {};
    return new ProblemError(response.status, problem, Number.isNaN(after) ? undefined : after);
  }

  /** The problem of an answer below 400 that does not fit the document. */
  static unexpected(response: Response): ProblemError {
    const kind = response.headers.get("Content-Type") ?? "no content type";
    const detail = `${response.status} with ${kind} does not fit the document`;
    return new ProblemError(response.status, { code: "unexpected_answer", title: "Unexpected answer", detail }, undefined);
  }
}

/** Throws `unexpected_answer` unless an operation, such as `GET /v1/games`, may answer so: status, type and members. */
export async function expect(operation: string, response: Response): Promise<void> {
  if (response.status === 304) return;
  const kind = (response.headers.get("Content-Type") ?? "").replace(/\s*;.*/, "");
  const members = SHAPES[operation]?.[`${response.status} ${kind}`];
  if (!members) throw ProblemError.unexpected(response);
  if (kind !== "application/json") return;
  const body: unknown = await response.clone().json().catch(() => undefined);
  const fits = typeof body === "object" && body !== null && members.every((name) => name in body);
  if (!fits) throw ProblemError.unexpected(response);
}
