// `verify` beside the official package of Standard Webhooks: what that signs is good, and nothing else is.

import assert from "node:assert/strict";

import { WebhookError, verify } from "@sarsen/client";
import { Webhook } from "standardwebhooks";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const told = { type: "match.turn_started", timestamp: "2026-11-22T00:00:00.000Z", data: { seat: 1 } };
const BODY = JSON.stringify(told);

function signed(ageSeconds = 0): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000);
  const signature = `v1,AAAA ${new Webhook(SECRET).sign("msg_1", at, BODY)}`;
  const sent = String(Math.floor(at.getTime() / 1000));
  return { "Webhook-Id": "msg_1", "webhook-timestamp": sent, "webhook-signature": signature };
}

const good = signed();
assert.deepEqual(await verify(BODY, good, SECRET), told);
assert.deepEqual(await verify(new TextEncoder().encode(BODY), new Headers(good), SECRET), told);
const wrong: [string, Record<string, string>, string][] = [
  [`${BODY} `, good, SECRET],
  [BODY, { ...good, "Webhook-Id": "msg_2" }, SECRET],
  [BODY, { ...good, "webhook-timestamp": "1" }, SECRET],
  [BODY, { ...good, "webhook-signature": "v1," }, SECRET],
  [BODY, {}, SECRET],
  [BODY, good, "whsec_AAAA"],
  [BODY, signed(360), SECRET],
  [BODY, signed(-360), SECRET],
];
for (const [body, headers, secret] of wrong) await assert.rejects(verify(body, headers, secret), WebhookError);
