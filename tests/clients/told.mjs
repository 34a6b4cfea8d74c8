// Receivers that are not of this project: the official package of Standard Webhooks verifies what a real service sends, while
// the secret is rotated; `http_ece` decrypts a push message; and the example's sender for phones sends, once for each delivery.
// usage: told.mjs SERVICE OPERATOR_TOKEN SENDER, with the path of the example

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createECDH, createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import ece from "http_ece";
import { Webhook } from "standardwebhooks";

const [service, operator, sender] = process.argv.slice(2);

async function call(token, path, body, method = "POST") {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(service + path, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.status === 204 ? null : answer.json();
}

/** A server that keeps every request, and answers with `status`. */
async function receiver(status) {
  const received = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(status).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { received, url: `http://127.0.0.1:${server.address().port}/` };
}

async function until(isTrue, what) {
  for (const begun = Date.now(); !(await isTrue()); await sleep(20)) assert.ok(Date.now() - begun < 15_000, what);
}

const guest = async (name) => (await call(null, "/v1/players", { name })).access_token;
const [ann, ben] = [await guest("Ann"), await guest("Ben")];

async function match() {
  const { id } = (await call(ann, "/v1/matches", { game: "contiguity" })).match;
  await call(ben, `/v1/matches/${id}/join`, {});
  await call(ben, `/v1/matches/${id}/resign`);
  return id;
}

// Webhooks.
const hooks = await receiver(204);
const events = ["match.started", "match.ended"];
const made = await call(ann, "/v1/me/webhooks", { url: hooks.url, events });
const hook = `/v1/me/webhooks/${made.webhook.id}`;
const rotated = async (grace_seconds) => (await call(ann, `${hook}/secret/rotate`, { grace_seconds })).secret;

async function verified(signs, others) {
  const id = await match();
  await until(() => hooks.received.length === events.length, "not everything was told");
  const told = hooks.received.splice(0);
  for (const { headers, body } of told) {
    for (const secret of signs) assert.equal(new Webhook(secret).verify(body, headers).data.match_id, id);
    for (const secret of others) assert.throws(() => new Webhook(secret).verify(body, headers));
    assert.throws(() => new Webhook(signs[0]).verify(`${body} `, headers));
  }
  assert.deepEqual(told.map(({ body }) => JSON.parse(body).type).sort(), events.toSorted());
}

await verified([made.secret], []);
const second = await rotated(3600);
await verified([made.secret, second], []);
const third = await rotated(0);
await verified([third], [made.secret, second]);
await call(ann, hook, undefined, "DELETE");

// Web Push.
const push = await receiver(201);
const [key, auth] = [createECDH("prime256v1"), randomBytes(16)];
const keys = { p256dh: key.generateKeys("base64url"), auth: auth.toString("base64url") };
const subscription = await call(ann, "/v1/me/push-subscriptions", { endpoint: push.url, keys, events: ["match.started"] });
const told = await match();
await until(() => push.received.length === 1, "nothing was pushed");
const [{ body }] = push.received;
const message = JSON.parse(ece.decrypt(body, { version: "aes128gcm", privateKey: key, authSecret: auth }));
assert.deepEqual([message.web_push, message.type, message.data.match_id], [8030, "match.started", told]);
await call(ann, `/v1/me/push-subscriptions/${subscription.id}`, undefined, "DELETE");

// The sender for phones, behind an operators' webhook. Its port is one that was free a moment ago.
const fcm = await receiver(200);
const free = createServer().listen(0, "127.0.0.1");
await once(free, "listening");
const port = free.address().port;
free.close();
await once(free, "close");
const at = `http://127.0.0.1:${port}`;
const own = await call(operator, "/v1/admin/webhooks", { url: `${at}/sarsen`, events: ["match.ended"] });
const environment = { SARSEN: service, SECRET: own.secret, FCM: fcm.url, FCM_TOKEN: "fcm", PORT: String(port) };
const running = spawn(process.execPath, [sender], { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => running.kill());
await once(running.stdout, "data");
const devices = (token, device) =>
  fetch(`${at}/devices`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: JSON.stringify({ device }) });
assert.equal((await devices(ann, "phone")).status, 204);
assert.equal((await devices("nobody", "phone")).status, 401);
const ended = await match();
await until(() => fcm.received.length === 1, "nothing was sent to the phone");
const sent = JSON.parse(fcm.received[0].body).message;
const notification = { title: "The match is over", body: "contiguity" };
assert.deepEqual(sent, { token: "phone", notification, data: { match_id: ended } });
assert.equal(fcm.received[0].headers.authorization, "Bearer fcm");

// One that comes twice is sent once, and one that is not signed never.
const deliveries = `/v1/admin/webhooks/${own.webhook.id}/deliveries`;
const delivered = async () => (await call(operator, `${deliveries}?state=delivered`, undefined, "GET")).items;
await until(async () => (await delivered()).length === 2, "one for each player");
const { player } = await call(ann, "/v1/me", undefined, "GET");
const [{ id, notification: content }] = (await delivered()).filter((it) => it.notification.data.player_id === player.id);
await call(operator, `${deliveries}/${id}/resend`);
await until(async () => (await delivered()).length === 2, "it comes again");
const seconds = Math.floor(Date.now() / 1000);
const signed = (secret) => createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${seconds}.${JSON.stringify(content)}`);
const again = (secret) =>
  fetch(`${at}/sarsen`, {
    method: "POST",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${signed(secret).digest("base64")}`,
    },
    body: JSON.stringify(content),
  });
assert.equal((await again(own.secret.replace("whsec_", ""))).status, 204);
assert.equal((await again("AAAA")).status, 400);
assert.equal(fcm.received.length, 1);
process.exit(0);
