/* Differences that the tests of their renderers share. */

import * as z from "zod"
import { adviceFor } from "../change/diff/advice.ts"
import { diffSchemas } from "../change/diff/diff.ts"
import { json, keyspace, string, text, toJson, type Keyspace } from "../index.ts"
import type { ShownDifference } from "./diff-text.ts"

type Pair = readonly [before: object, after: object]

const forever = { ttl: "never" } as const
const order = (...values: [string, ...string[]]) => string("order:{id}", json(z.object({ status: z.enum(values) })))
const page = (ttl: "30d" | "7d") => string("cache:{hash}", text, { ttl })

export const differences = {
  release: [
    keyspace({ order: order("new", "paid", "sent"), page: page("30d") }, forever),
    keyspace({ order: order("new", "paid"), page: page("7d") }, forever),
  ],
  harmless: [
    keyspace({ page: page("7d") }, forever),
    keyspace({ page: page("7d"), more: string("more", text) }, forever),
  ],
  none: [keyspace({ page: page("7d") }, forever), keyspace({ page: page("7d") }, { ...forever, doc: "Words." })],
  renamed: [
    keyspace({ cart: string("cart:{id}", text) }, forever),
    keyspace({ basket: string("basket:{id}", text) }, forever),
  ],
  hostile: [keyspace({ x: string("x|`y`:{id}", text) }, forever), keyspace({ x: string("x|<b>:{id}", text) }, forever)],
  backslashes: [
    keyspace({ x: string("x:{id}", text) }, forever),
    keyspace({ x: string("x\\|<b>:{id}", text) }, forever),
  ],
} as const satisfies Record<string, Pair>

export function shownDifference([before, after]: Pair): ShownDifference {
  const difference = diffSchemas(toJson(before as Keyspace), toJson(after as Keyspace))
  return { ...difference, before: "old.ts", after: "new.ts", advice: difference.changes.map(adviceFor) }
}
