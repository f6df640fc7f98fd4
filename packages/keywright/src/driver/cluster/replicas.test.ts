/* Reads that replicas may answer: which calls go there, and what happens when a replica does not answer. */

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { type FakeCluster, list, SILENCE, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import type { CallOptions, Driver } from "../driver.ts"
import { READING, SAFE } from "../safe.ts"
import { openServer, type RespOptions } from "../resp/open-resp.ts"
import { scriptOf } from "../script.ts"

let cluster: FakeCluster
let driver: Driver
const REPLICA: CallOptions = { safe: true, read: "replica" }

/** Node 0 owns all slots, node 1 is its replica. */
beforeEach(async () => {
  cluster = await startFakeNodes(2)
  cluster.nodes[1]!.role = "replica"
  cluster.owners([0, 16383, 0, 1])
})
afterEach(async () => {
  await driver?.close()
  await cluster.close()
})

/** When the replica answers reads. */
async function open(options: RespOptions = {}, url = cluster.nodes[0]!.url): Promise<void> {
  driver = openServer(url, { timeoutMs: 10_000, ...options })
  while ((await driver.send(["GET", "a"], REPLICA)) !== "node 1") await sleep(5)
  for (const { log } of cluster.nodes) log.length = 0
}

describe("a read that a replica may answer", () => {
  test("goes to the replica, which was asked for READONLY; what says nothing goes to the primary", async () => {
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 10_000 })
    while ((await driver.send(["GET", "a"], REPLICA)) !== "node 1") await sleep(5)
    expect(cluster.nodes[1]!.log[0]).toBe("READONLY")
    expect(await driver.send(["GET", "a"])).toBe("node 0")
    expect(await driver.send(["GET", "a"], SAFE)).toBe("node 0")
    expect(await driver.send(["GET", "a"], READING)).toBe("node 0")
  })

  for (const [how, options, query] of [
    ["by option", { read: "replica" }, ""],
    ["by address", {}, "?read=replica"],
  ] as const)
    test(`of a connection that was opened for it ${how}, unless the call says otherwise`, async () => {
      await open(options, `${cluster.nodes[0]!.url}${query}`)
      expect(await driver.send(["GET", "a"], READING)).toBe("node 1")
      expect(await driver.send(["GET", "a"], { read: "primary" })).toBe("node 0")
      // What a decision is based on says nothing, and goes to the primary.
      expect(await driver.send(["GET", "a"], SAFE)).toBe("node 0")
    })

  test("a write, a transaction and a script go to the primary, whatever is asked for", async () => {
    const exec = list("+node 0\r\n")
    cluster.nodes[0]!.answer = ([name]) =>
      name === "MULTI" ? "+OK\r\n" : name === "EXEC" ? exec : name === "HGET" ? "+QUEUED\r\n" : undefined
    await open({ read: "replica" })
    expect(await driver.send(["INCR2", "a"], REPLICA)).toBe("node 0")
    expect(await driver.multi([["HGET", "a", "f"]], REPLICA)).toEqual(["node 0"])
    expect(await driver.run(scriptOf("reads", "return 1"), ["a"], [], REPLICA)).toBe("node 0")
    expect(cluster.nodes[1]!.log).toEqual([])
  })

  test("a batch goes there when all of it reads", async () => {
    await open()
    const reads = ["a", "b", "c"].map((key) => ["HGETALL2", key])
    const gets = ["a", "b", "c"].map((key) => ["GET", key])
    expect(await driver.batch(gets, REPLICA)).toEqual(["node 1", "node 1", "node 1"])
    expect(await driver.batch([...gets, ...reads], REPLICA)).toEqual(Array.from({ length: 6 }, () => "node 0"))
  })
})

test("a replica that nobody named at first is found", async () => {
  cluster.owners([0, 16383, 0])
  driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 10_000 })
  expect(await driver.send(["GET", "a"], REPLICA)).toBe("node 0")
  cluster.owners([0, 16383, 0, 1])
  const began = cluster.nodes[0]!.asked
  while ((await driver.send(["GET", "a"], REPLICA)) !== "node 1") await sleep(5)
  // Asked for, and not only after half a minute; but not for every read.
  expect(cluster.nodes[0]!.asked - began).toBeLessThan(20)
  // Without that question, the next one would be half a minute away.
}, 20_000)

describe("a replica that does not answer", () => {
  for (const refusal of [
    "LOADING Redis is loading the dataset in memory",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "CLUSTERDOWN The cluster is down",
  ])
    test(`and says ${refusal.split(" ")[0]}: the primary answers`, async () => {
      await open()
      cluster.nodes[1]!.answer = () => `-${refusal}\r\n`
      expect(await driver.send(["GET", "a"], REPLICA)).toBe("node 0")
      const gets = [
        ["GET", "a"],
        ["GET", "b"],
      ]
      expect(await driver.batch(gets, REPLICA)).toEqual(["node 0", "node 0"])
    })

  test("because the slot has moved: the new owner answers", async () => {
    await open()
    cluster.nodes[1]!.answer = () => cluster.to(0, 15495)
    expect(await driver.send(["GET", "a"], REPLICA)).toBe("node 0")
  })

  test("and is lost with calls on their way: the primary answers them", async () => {
    await open()
    cluster.nodes[1]!.answer = () => SILENCE
    const calls = [
      driver.send(["GET", "a"], REPLICA),
      driver.batch(
        [
          ["GET", "a"],
          ["GET", "b"],
        ],
        REPLICA,
      ),
    ]
    while (cluster.nodes[1]!.log.length < 3) await sleep(5)
    await cluster.nodes[1]!.server.close()
    expect(await Promise.all(calls)).toEqual(["node 0", ["node 0", "node 0"]])
    expect(await driver.send(["GET", "a"], REPLICA)).toBe("node 0")
  })

  test("and is silent: the primary answers", async () => {
    await open()
    cluster.nodes[1]!.answer = () => SILENCE
    expect(await driver.send(["GET", "a"], REPLICA)).toBe("node 0")
  })
})
