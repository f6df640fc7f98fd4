/* Notifications of the keyspace on two real nodes: each node publishes those of its own keys only. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { type FakeCluster, bulk, list, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver } from "../driver.ts"
import { openResp, openServer } from "../resp/open-resp.ts"
import { until } from "../../../../../test/until.ts"

describe.runIf(needs("redis-server"))("notifications of the keyspace of a cluster", () => {
  let cluster: RealCluster
  let driver: Driver
  beforeAll(async () => {
    cluster = await startPrimaries(2, ["--notify-keyspace-events", "KEA"])
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 20_000 })
  })
  afterAll(async () => {
    await driver?.close()
    await cluster?.stop()
  })

  test("are heard from every primary, beside messages, and again after their connections were cut", async () => {
    const heard: string[] = []
    let gaps = 0
    const subscription = await driver.subscribe({
      channels: ["__keyevent@0__:set", "news"],
      patterns: ["__keyspace@0__:gone:*"],
      onMessage: ({ channel, text }) => void heard.push(`${channel} ${text}`),
      onGap: () => gaps++,
    })
    expect([clusterSlot("a") > 8191, clusterSlot("b") > 8191]).toEqual([true, false])
    await driver.send(["SET", "a", "1"])
    await driver.send(["SET", "b", "1"])
    await driver.send(["PUBLISH", "news", "today"])
    await driver.send(["SADD", "gone:{a}", "m"])
    await driver.send(["SADD", "gone:{b}", "m"])
    await until(() => heard.length === 5)
    expect(heard.toSorted()).toEqual([
      "__keyevent@0__:set a",
      "__keyevent@0__:set b",
      "__keyspace@0__:gone:{a} sadd",
      "__keyspace@0__:gone:{b} sadd",
      "news today",
    ])
    expect(gaps).toBe(0)
    for (const { url } of cluster.nodes) {
      const node = openResp(url, { timeoutMs: 20_000 })
      await node.send(["CLIENT", "KILL", "TYPE", "pubsub"])
      await node.close()
    }
    // One connection to each of the two nodes, and one for messages.
    await until(() => gaps === 3)
    heard.length = 0
    await driver.send(["SET", "a", "2"])
    await driver.send(["SET", "b", "2"])
    await until(() => heard.length === 2)
    await subscription.close()
  })
})

describe("the primaries that are listened to", () => {
  let cluster: FakeCluster
  let driver: Driver
  beforeAll(async () => {
    cluster = await startFakeNodes(3)
    for (const node of cluster.nodes)
      node.answer = ([name, channel]) =>
        name === "SUBSCRIBE" ? list(bulk("subscribe"), bulk(channel!), ":1\r\n") : undefined
    cluster.owners([0, 8191, 0], [8192, 16383, 1])
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 10_000 })
  })
  afterAll(async () => {
    await driver?.close()
    await cluster?.close()
  })

  test("are those of now: one that takes over is heard, with a gap, and one that has left is not", async () => {
    let gaps = 0
    const refusals: Error[] = []
    const subscription = await driver.subscribe({
      channels: ["__keyevent@0__:expired"],
      onMessage: () => undefined,
      onGap: () => gaps++,
      onRefused: (error) => refusals.push(error),
    })
    const confirm = cluster.nodes[2]!.answer
    const refused = ["-NOPERM No permissions\r\n", "-NOPERM No permissions\r\n"]
    cluster.nodes[2]!.answer = (command) => (command[0] === "SUBSCRIBE" && refused.pop()) || confirm(command)
    const told = (node: number) => cluster.nodes[node]!.log.filter((line) => line.startsWith("SUBSCRIBE")).length
    expect([told(0), told(1), told(2)]).toEqual([1, 1, 0])
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    await cluster.nodes[1]!.server.close()
    // A call to the slots that have moved finds out.
    await driver.send(["ECHO2", "a"], { safe: true })
    await until(() => gaps > 0)
    expect([told(0), told(1), told(2)]).toEqual([1, 1, 3])
    expect(refusals).toMatchObject([{ code: "SERVER.NOPERM" }])
    await subscription.close()
    await until(() => cluster.nodes[2]!.server.open() === 1)
  })

  test("one that refuses to be listened to is named", async () => {
    cluster.nodes[2]!.answer = ([name]) =>
      name === "SUBSCRIBE" ? "-NOPERM No permissions to access a channel\r\n" : undefined
    const channels = ["__keyevent@0__:expired"]
    await expect(driver.subscribe({ channels, onMessage: () => undefined })).rejects.toMatchObject({
      code: "SERVER.NOPERM",
      details: { node: { address: `127.0.0.1:${cluster.nodes[2]!.port}`, role: "primary" } },
    })
  })
})
