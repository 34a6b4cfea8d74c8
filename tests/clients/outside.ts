// Signs in by tokens of an outside issuer, and links a second account. `outside.py` gives the address and the tokens: two of
// one account, one of another.

import assert from "node:assert/strict";

import { Sarsen } from "@sarsen/client";

const [base = "", first = "", again = "", other = ""] = process.argv.slice(2);
const [laptop, phone, tablet] = [new Sarsen(base), new Sarsen(base), new Sarsen(base)];
const player = await laptop.exchange("acme", first, { device: "Laptop" });
assert.equal((await phone.exchange("acme", again)).id, player.id);
const linked = await phone.linkIdentity("acme", other);
assert.equal(linked.issuer, "acme");
assert.deepEqual((await laptop.identities()).length, 2);
assert.equal((await tablet.exchange("acme", other, { device: "Tablet" })).id, player.id);
await laptop.unlinkIdentity(linked.id);
assert.ok((await laptop.identities()).every(({ id }) => id !== linked.id));
assert.deepEqual((await laptop.sessions()).map(({ device }) => device), ["Laptop", null, "Tablet"]);
