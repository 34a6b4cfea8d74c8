// Prints the document with every open enumeration as "one of these or any text", of which openapi-typescript makes a type
// that editors complete, and without examples, which are a third of the types.
// usage: node typed.mjs DOCUMENT

import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(process.argv[2], "utf8"));
const schemas = document.components.schemas;
const isOpen = ({ $ref }) => $ref && schemas[$ref.split("/").pop()]?.["x-extensible-enum"];

// `named`: the keys are names of properties.
function typed(node, named = false) {
  if (Array.isArray(node)) return node.map((part) => typed(part));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...rest } = node;
  if (isOpen(node)) return { ...rest, anyOf: [{ $ref }, { type: "string" }] };
  const kept = Object.entries(node).filter(([key]) => named || !["example", "examples"].includes(key));
  const entries = kept.map(([key, value]) => [
    key === "x-extensible-enum" ? "enum" : key,
    typed(value, !named && key === "properties"),
  ]);
  const made = Object.fromEntries(entries);
  if (made.anyOf) made.anyOf = made.anyOf.flatMap((part) => part.anyOf ?? [part]);
  return made;
}

console.log(JSON.stringify(typed(document)));
