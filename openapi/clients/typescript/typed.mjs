// Prints the document with every open enumeration as "one of these or any text", of which openapi-typescript makes a type
// that editors complete.
// usage: node typed.mjs DOCUMENT

import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(process.argv[2], "utf8"));
const schemas = document.components.schemas;
const isOpen = ({ $ref }) => $ref && schemas[$ref.split("/").pop()]?.["x-extensible-enum"];

function typed(node) {
  if (Array.isArray(node)) return node.map(typed);
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...rest } = node;
  if (isOpen(node)) return { ...rest, anyOf: [{ $ref }, { type: "string" }] };
  const entries = Object.entries(node).map(([key, value]) => [key === "x-extensible-enum" ? "enum" : key, typed(value)]);
  const made = Object.fromEntries(entries);
  if (made.anyOf) made.anyOf = made.anyOf.flatMap((part) => part.anyOf ?? [part]);
  return made;
}

console.log(JSON.stringify(typed(document)));
