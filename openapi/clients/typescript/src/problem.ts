import type { components } from "./document.js";

export type Problem = components["schemas"]["Problem"];
/** The codes of this release. A later one may have more. */
export type ProblemCode = components["schemas"]["ProblemCode"];

/**
 * An answer of failure. Branch on `code`, and treat a code that you do not know by its `status`. An answer that is no
 * problem of the service, such as a proxy's page, has the code `""`.
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
}
