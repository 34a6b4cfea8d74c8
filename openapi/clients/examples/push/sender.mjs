// Sends the notifications of one operator's webhook to the phones of players, through Firebase Cloud Messaging.
// An app registers its device: POST /devices {"device": "<FCM token>"} with the player's access token of Sarsen.
// usage: SARSEN=https://play.example SECRET=whsec_… FCM=https://fcm.googleapis.com/v1/projects/ID/messages:send \
//        FCM_TOKEN=… PORT=9000 node sender.mjs     (needs no package; Node 20 or newer)
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { SARSEN, SECRET, FCM, FCM_TOKEN, PORT = "9000" } = process.env;
const devices = new Map(); // player id -> device tokens; keep them in your database
const told = new Set(); // ids of deliveries, which may come twice; keep the last day's
const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");
const titles = {
  "match.turn_started": "Your turn", "match.turn_reminder": "Your time runs out", "match.invited": "An invitation",
  "match.ended": "The match is over",
};

function isSigned(headers, body) {
  const sent = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - sent) < 300)) return false;
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${sent}.${body}`).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === mac.length && timingSafeEqual(given, mac);
  });
}

async function push({ type, data }) {
  for (const device of devices.get(data.player_id) ?? []) {
    const notification = { title: titles[type] ?? "Sarsen", body: data.game };
    const answer = await fetch(FCM, {
      method: "POST",
      headers: { Authorization: `Bearer ${FCM_TOKEN}`, "Content-Type": "application/json" },
      body: JSON.stringify({ message: { token: device, notification, data: { match_id: data.match_id } } }),
    });
    if (answer.status === 404) devices.get(data.player_id).delete(device); // the app is not installed any more
    else if (!answer.ok) throw new Error(`FCM answered ${answer.status}`);
  }
}

async function register(authorization, { device }) {
  const me = await fetch(`${SARSEN}/v1/me`, { headers: { Authorization: authorization ?? "" } });
  if (!me.ok) return 401;
  const { player } = await me.json();
  devices.set(player.id, (devices.get(player.id) ?? new Set()).add(device));
  return 204;
}

createServer(async (request, response) => {
  const status = await (async () => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === "/devices") return register(request.headers.authorization, JSON.parse(body));
    if (request.url !== "/sarsen" || !isSigned(request.headers, body)) return 400;
    if (!told.has(request.headers["webhook-id"])) await push(JSON.parse(body));
    told.add(request.headers["webhook-id"]);
    return 204;
  })().catch(() => 503); // Sarsen tries again
  response.writeHead(status).end();
}).listen(PORT, () => console.log(`listening on ${PORT}`));
