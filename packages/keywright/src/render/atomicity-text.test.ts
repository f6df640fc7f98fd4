import { expect, it } from "vitest"
import type { Atomicity } from "../schema/cluster-atomicity.ts"
import { atomicityText } from "./atomicity-text.ts"
import { plain } from "./paint.cases.ts"

const tagged: Atomicity = { name: "user", kind: "entity", atomic: true, tag: "tenant", refused: [] }
const single: Atomicity = { name: "log", kind: "family", atomic: true, refused: [] }
const apart: Atomicity = {
  name: "basket",
  kind: "entity",
  atomic: false,
  apart: ["b:{id}", "b:all"],
  refused: ["create", "delete"],
}

const rule: Atomicity = {
  name: "inverse(a, b)",
  kind: "invariant",
  atomic: false,
  apart: ["a:{x}", "b:{y}"],
  refused: [],
}

it.each<[string, readonly Atomicity[], string[]]>([
  ["nothing for a schema of single keys", [], [""]],
  [
    "the tag, or that it is one key",
    [tagged, single],
    [
      "In a Redis Cluster 2 of 2 entities, families, steps and invariants are in one slot.",
      "  ✓ user  hash tag {tenant}",
      "  ✓ log   one key",
    ],
  ],
  [
    "what is refused, and between which patterns",
    [apart, tagged, rule],
    [
      "In a Redis Cluster 1 of 3 entities, families, steps and invariants are in one slot.",
      "  ✗ basket         refused: create, delete  b:{id} | b:all",
      "  ✓ user           hash tag {tenant}",
      "  ✗ inverse(a, b)  a failover can break it  a:{x} | b:{y}",
    ],
  ],
])("says %s", (_, all, lines) => {
  expect(atomicityText(all, plain).split("\n")).toEqual(lines)
})
