// Runs the example page in two tabs, each a thread with as much of a browser as the page uses, until both have seen some
// moves of both seats. `main.rs` gives the page and the address of the service.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const ENOUGH = 8;

if (isMainThread) {
  const [file, base] = process.argv.slice(2);
  const script = readFileSync(file, "utf8").match(/<script type="module">(.*)<\/script>/s)[1];
  const page = `data:text/javascript,${encodeURIComponent(script)}`;
  const seen = [0, 0];
  const open = (tab, hash) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { page, base, hash } });
    worker.on("error", (error) => assert.fail(error));
    worker.on("message", ({ hash, line }) => {
      if (hash && tab === 0) open(1, hash);
      if (line) seen[tab]++;
      if (line && Math.min(...seen) >= ENOUGH) {
        console.log(`${seen} moves were seen`);
        process.exit(0);
      }
    });
  };
  open(0, "");
} else {
  const elements = new Map();
  class Element {
    append({ textContent }) {
      parentPort.postMessage({ line: textContent });
    }
    replaceChildren(...buttons) {
      if (buttons.length > 0) setTimeout(() => buttons[Math.floor(Math.random() * buttons.length)].onclick(), 20);
    }
  }
  const querySelector = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
  let hash = workerData.hash;
  const location = { search: `?at=${workerData.base}` };
  Object.defineProperty(location, "hash", {
    get: () => hash,
    set: (value) => {
      if (!hash) parentPort.postMessage({ hash: value });
      hash = value;
    },
  });
  const stored = new Map();
  Object.assign(globalThis, {
    location,
    document: { querySelector, createElement: () => new Element() },
    sessionStorage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) },
    EventSource: class {
      constructor(url) {
        this.read(url).catch(() => this.onerror());
      }
      close() {}
      async read(url) {
        let rest = "";
        for await (const piece of (await fetch(url)).body.pipeThrough(new TextDecoderStream())) {
          const blocks = (rest + piece).split("\n\n");
          rest = blocks.pop();
          for (const block of blocks) {
            const field = (name) => block.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
            if (field("data")) this.onmessage({ data: field("data"), lastEventId: field("id") });
          }
        }
        this.onerror();
      }
    },
  });
  await import(workerData.page);
}
