/** Verification of webhooks, by the Standard Webhooks specification. */

import type { components } from "./document.js";

/** A notification as a webhook gets it. */
export type Notification = components["schemas"]["Notification"];

/** The message was not sent by the service, or a while ago: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

type HeaderBag = Headers | Record<string, string | string[] | undefined>;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (it) => it.charCodeAt(0));

/**
 * Returns the notification in the `body` of a webhook, as it was received, if `secret` has signed it. A delivery may come
 * twice: its `webhook-id` tells.
 */
export async function verify(
  body: string | Uint8Array, headers: HeaderBag, secret: string, toleranceSeconds = 300,
): Promise<Notification> {
  const all = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const named = new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value ?? "")]));
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((part) => named.get(`webhook-${part}`) ?? "");
  if (!id || !signatures || !/^\d+$/.test(sent!)) throw new WebhookError("these are no headers of a webhook");
  if (Math.abs(Date.now() / 1000 - Number(sent)) > toleranceSeconds) {
    throw new WebhookError("the message is too old or from the future");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret.replace(/^whsec_/, "")), hash, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${sent}.${text}`);
  for (const signature of signatures.split(" ").filter((it) => it.startsWith("v1,"))) {
    if (await crypto.subtle.verify("HMAC", key, bytes(signature.slice(3)), signed)) return JSON.parse(text);
  }
  throw new WebhookError("no signature fits");
}
