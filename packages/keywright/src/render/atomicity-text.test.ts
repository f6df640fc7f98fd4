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

it.each<[string, readonly Atomicity[], string[]]>([
  ["nothing for a schema without entities", [], [""]],
  [
    "no fix where all is well",
    [tagged, single],
    [
      "In a Redis Cluster 2 of 2 entities and families can be changed as one.",
      "  ✓ user  hash tag {tenant}",
      "  ✓ log   one key",
    ],
  ],
  [
    "what is refused, and between which patterns",
    [apart, tagged],
    [
      "In a Redis Cluster 1 of 2 entities and families can be changed as one.",
      "  ✗ basket  refused: create, delete  b:{id} | b:all",
      "  ✓ user    hash tag {tenant}",
      "    fix give all patterns of one the same hash tag: {{tenant}}:user:{id}",
    ],
  ],
])("says %s", (_, all, lines) => {
  expect(atomicityText(all, plain).split("\n")).toEqual(lines)
})
