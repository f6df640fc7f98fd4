/* A call whose answer is lost is sent again until its deadline, however late that is. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { int } from "../../schema/codec/number.ts"
import { counter } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { step } from "../../schema/step.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const script = `-- KEYS n\nreturn redis.call("INCR", KEYS[1])`
const schema = keyspace(
  { n: counter("n") },
  { ttl: "never", steps: { hit: step({ keys: ["n"], script, once: true, returns: int }) } },
)

let redis: RealRedis
let proxy: Proxy
let db: ClientOf<typeof schema>
beforeEach(async () => {
  redis = await startRedis()
  proxy = await startProxy(redis.port)
  db = await connect(schema, proxy.url, { timeoutMs: 20_000, rememberFor: "50ms" })
  await db.n().get()
})
afterEach(async () => {
  await db.$close()
  await proxy.close()
  await redis.stop()
})

const once = { operationId: "a" }
test.each<[string, () => Promise<unknown>]>([
  ["a write", () => db.n().increment(1, once)],
  ["a step", () => db.$steps.hit({}, once)],
  ["a step without an operation id", () => db.$steps.hit({})],
  ["a transaction", () => db.$transaction(async (t) => void t.$blind.n().increment(1), once)],
])("%s is not carried out twice, though it is remembered for a shorter time", async (what, call) => {
  // A transaction asks first whether it was done: nothing, in three bytes.
  const cutAt = what === "a transaction" ? 4 : 1
  proxy.cutReplyAfter(cutAt)
  await proxy.refuse()
  const done = call()
  await new Promise((resolve) => setTimeout(resolve, 500))
  await proxy.admit()
  await done
  expect(await db.n().get()).toBe(1)
})
