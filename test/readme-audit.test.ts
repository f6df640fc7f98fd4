/* The audit on the README's first screen: its program's schema, a server on which somebody has been at
 * work by hand, and what `keywright audit` prints for it. */

import { readFileSync } from "node:fs"
import * as keywright from "keywright"
import { connect } from "keywright"
import { audit, findingCodes } from "keywright/operate"
import { expect, it } from "vitest"
import { auditText } from "../packages/keywright/src/render/audit-text.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const printed = /npx keywright audit[^\n]*\n```\n+```text\n([\s\S]*?)```/.exec(readme)?.[1]
const declared = /```ts\n\/\/ shop\.ts\n[\s\S]*?(const shop = keyspace\([\s\S]*?\n\}\))/.exec(readme)?.[1]

it("prints what the README says", async () => {
  const make = new Function(
    "keywright",
    `const { keyspace, map, zset, text, int, unixSeconds } = keywright; ${declared}; return shop`,
  )
  const shop = make(keywright)
  const db = await connect(shop as Parameters<typeof connect>[0], "memory:")
  const send = (...words: string[]) => db.$driver().send(words)
  await send("HSET", "cart:EB93", "item1", "2") // no TTL
  await send("SET", "viewed:EB93", "item1") // a string
  await send("HSET", "crat:EB93", "item1", "2") // a slip of the pen
  const found = await audit(shop as Parameters<typeof audit>[0], db.$driver())
  const plain = new Proxy({}, { get: () => (part: string) => part }) as Parameters<typeof auditText>[3]
  const text = auditText(found, findingCodes, { most: 5 }, plain).replace(
    /of memory:.*?;/,
    "of redis://localhost:6379/0;",
  )
  // Findings that are as many as others stand in the order in which SCAN came upon them.
  const parts = (all = "") => all.trim().split("\n\n").sort()
  expect(parts(text)).toEqual(parts(printed))
  await db.$close()
})
