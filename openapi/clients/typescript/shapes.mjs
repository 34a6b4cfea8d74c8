// Prints `src/shapes.ts`: which answers below 400 the document has for each operation, and the members that each needs.
// usage: node shapes.mjs DOCUMENT

import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(process.argv[2], "utf8"));

/** What a `$ref` leads to. */
function resolved(it) {
  return it.$ref ? resolved(it.$ref.slice(2).split("/").reduce((at, name) => at[name], document)) : it;
}

/** The members that whatever fits a schema has. */
function required(schema) {
  const { required: own = [], allOf = [], oneOf, anyOf } = resolved(schema);
  const [first = [], ...others] = (oneOf ?? anyOf ?? []).map(required);
  const common = first.filter((name) => others.every((names) => names.includes(name)));
  return [...new Set([...own, ...allOf.flatMap(required), ...common])];
}

const shapes = {};
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, { responses }] of Object.entries(methods)) {
    const shape = (shapes[`${method.toUpperCase()} ${path}`] = {});
    for (const [status, response] of Object.entries(responses ?? {}).filter(([status]) => status < "300")) {
      const content = Object.entries(resolved(response).content ?? { "": { schema: {} } });
      for (const [type, { schema = {} }] of content) shape[`${status} ${type}`] = required(schema);
    }
  }
}
console.log("/** Required members by operation, then by status and media type. Made by shapes.mjs. */");
console.log(`export const SHAPES: Record<string, Record<string, readonly string[]>> = ${JSON.stringify(shapes)};`);
