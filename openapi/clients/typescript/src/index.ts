/** Client of Sarsen, a headless game service. */

export { Sarsen } from "./client.js";
export { Table, ok } from "./table.js";
export type { KeyOptions, PageOptions } from "./table.js";
export type { Asked, DeviceOptions, FollowOptions, Options, PlayOptions, Policy } from "./client.js";
export type { Match, MatchView, MoveResult, Schemas, Turn } from "./client.js";
export type { Tokens } from "./carrier.js";
export type { LoggedEvent, MatchEvent, PlayerEvent } from "./follow.js";
export { ProblemError } from "./problem.js";
export type { Problem, ProblemCode } from "./problem.js";
export { WebhookError, verify } from "./webhook.js";
export type { Notification } from "./webhook.js";
export type { components, operations, paths } from "./document.js";
