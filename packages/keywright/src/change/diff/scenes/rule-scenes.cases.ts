/* Marks and rules. */

import { id, keyspace, sameIds, secret, set, text, type Keyspace } from "../../../index.ts"
import { forever, scene, value, type Scene } from "./scene.cases.ts"

export const ruleScenes: readonly Scene[] = [
  value("SECRET.ADDED", text, secret(text)),
  value("SECRET.REMOVED", secret(text), text),
  {
    ...scene("INVARIANT.ADDED", set("x", id("t")), set("x", id("t"))),
    before: keyspace({ x: set("x", id("t")), y: set("y", id("t")) }, forever) as Keyspace,
    after: keyspace(
      { x: set("x", id("t")), y: set("y", id("t")) },
      { ...forever, invariants: [sameIds(id("t"), ["x", "y"])] },
    ) as Keyspace,
  },
]
