/* A cache of a connection whose reads replicas may answer: a replica that is behind has what was invalidated long ago. */

import { connect, keyspace, string, text } from "keywright"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bulk, type FakeCluster, startFakeNodes } from "../../../../../test/fake-nodes.ts"

const schema = keyspace({ page: string("page:{id}", text, { ttl: "10m" }) })
const LOADED = ":2\r\n"
const NOTHING = "$-1\r\n"
const isScript = (command: string) => command.startsWith("EVAL")

let cluster: FakeCluster
let db: Awaited<ReturnType<typeof open>>
const open = () => connect(schema, cluster.nodes[0]!.url, { read: "replica", timeoutMs: 10_000 })
const page = () => db.page({ id: "1" })

/** Node 0 owns all slots, node 1 is its replica, and answers reads. */
beforeEach(async () => {
  cluster = await startFakeNodes(2)
  const [primary, replica] = cluster.nodes
  replica!.role = "replica"
  replica!.answer = ([name]) => (name === "GET" ? bulk("v1") : undefined)
  primary!.answer = ([name]) => (name === "GET" ? bulk("v2") : isScript(name!) ? LOADED : undefined)
  cluster.owners([0, 16383, 0, 1])
  db = await open()
  while ((await page().get()) !== "v1") await sleep(5)
  for (const { log } of cluster.nodes) log.length = 0
})
afterEach(async () => {
  await db.$close()
  await cluster.close()
})

test("a cached value is read from the primary, also one that somebody else has loaded", async () => {
  expect(await page().cached(() => "loaded")).toBe("v2")
  let reads = 0
  cluster.nodes[0]!.answer = ([name]) => (isScript(name!) ? LOADED : reads++ === 0 ? NOTHING : bulk("v3"))
  expect(await page().cached(() => "loaded")).toBe("v3")
  expect(cluster.nodes[1]!.log).toEqual([])
})

test("a value that is there and cannot be read is asked for again after a pause", async () => {
  cluster.nodes[0]!.answer = ([name]) => (isScript(name!) ? LOADED : NOTHING)
  expect(await page().cached(() => "loaded", { wait: "300ms" })).toBe("loaded")
  expect(cluster.nodes[0]!.log.filter(isScript).length).toBeLessThan(20)
})
