/* One of the processes that drive the shop's `view` step: node load.mjs <url> <shards> <sessions> <callers>
 *
 * It begins its sessions and says "ready". At each line with a number of seconds it calls the step for so long, and
 * answers with how many calls were carried out. It ends with its input. */

import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { connect } from "keywright"
import { shopSchema } from "../../../systems/dist/shop/schema.js"

const [url, shards, sessions, callers] = process.argv.slice(2)
const db = await connect(shopSchema({ shards: Number(shards) }), url, { timeoutMs: 30_000 })
const tokens = Array.from({ length: Number(sessions) }, () => randomUUID())
await Promise.all(tokens.map((token) => db.$steps.begin({ token, session: token, user: "u", now: 1 })))
console.log("ready")

for await (const line of createInterface({ input: process.stdin })) {
  const until = performance.now() + Number(line) * 1000
  let done = 0
  const caller = async (_, number) => {
    for (let i = number; performance.now() < until; i++) {
      const token = tokens[i % tokens.length]
      const item = `item${i % 50}`
      await db.$steps.view({ token, session: token, item, now: i + 2, keep: 25, most: 100_000, stay: 20_000 })
      done++
    }
  }
  await Promise.all(Array.from({ length: Number(callers) }, caller))
  console.log(done)
}
await db.$close()
