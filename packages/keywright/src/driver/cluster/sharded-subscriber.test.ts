/* Sharded channels on two real nodes: heard from the owners of their slots, wherever those go. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver, Subscription } from "../driver.ts"
import { openResp, openServer } from "../resp/open-resp.ts"

describe.runIf(needs("redis-server"))("sharded channels of a cluster", () => {
  let cluster: RealCluster
  let driver: Driver
  let nodes: Driver[]
  const opened: Subscription[] = []
  let heard: string[]
  let gaps: number

  beforeAll(async () => {
    cluster = await startPrimaries(2)
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 20_000 })
    nodes = cluster.nodes.map(({ url }) => openResp(url, { timeoutMs: 20_000 }))
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  afterAll(async () => {
    await Promise.all([driver?.close(), ...(nodes ?? []).map((node) => node.close())])
    await cluster?.stop()
  })

  async function listen(...sharded: string[]): Promise<void> {
    heard = []
    gaps = 0
    const onMessage = ({ channel, text }: { channel: string; text: string }) => void heard.push(`${channel} ${text}`)
    opened.push(await driver.subscribe({ sharded, onMessage, onGap: () => gaps++ }))
  }
  /** Until it is heard: publishing is repeated, because a channel that moves is deaf for a moment. */
  async function hears(channel: string, text: string): Promise<void> {
    while (!heard.includes(`${channel} ${text}`)) {
      await driver.send(["SPUBLISH", channel, text])
      await sleep(10)
    }
  }
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await sleep(5)
  }
  const ownerOf = async (slot: number): Promise<number> => {
    const ranges = (await driver.send(["CLUSTER", "SLOTS"])) as [number, number, [string, number]][]
    const [, , [, port]] = ranges.find(([from, to]) => slot >= from && slot <= to)!
    return cluster.nodes.findIndex((node) => node.port === port)
  }
  async function move(slot: number): Promise<void> {
    const to = 1 - (await ownerOf(slot))
    const id = String(await nodes[to]!.send(["CLUSTER", "MYID"]))
    for (const node of [nodes[to]!, nodes[1 - to]!]) await node.send(["CLUSTER", "SETSLOT", String(slot), "NODE", id])
  }

  test("are heard from both nodes, several of one slot too", async () => {
    const channels = ["a", "b", "{a}2", "foo"]
    await listen(...channels)
    expect(new Set(channels.map((channel) => clusterSlot(channel) > 8191)).size).toBe(2)
    for (const channel of channels) await driver.send(["SPUBLISH", channel, "1"])
    while (heard.length < channels.length) await sleep(5)
    expect(heard.toSorted()).toEqual(channels.map((channel) => `${channel} 1`).toSorted())
    expect(gaps).toBe(0)
  })

  test("are heard at the new owner when their slot moves, and the gap is reported", async () => {
    await listen("{moves}1", "{moves}2", "b")
    await hears("{moves}1", "before")
    await move(clusterSlot("moves"))
    await until(() => gaps > 0)
    await hears("{moves}1", "after")
    await hears("{moves}2", "after")
    await move(clusterSlot("moves"))
    await until(() => gaps > 1)
    await hears("{moves}2", "and back")
    await hears("b", "all the while")
  })

  test("are heard again when their connections were cut, and the gap is reported", async () => {
    await listen("a", "b")
    for (const node of nodes) await node.send(["CLIENT", "KILL", "TYPE", "pubsub"])
    await until(() => gaps > 1)
    await driver.send(["SPUBLISH", "a", "after"])
    await driver.send(["SPUBLISH", "b", "after"])
    while (heard.length < 2) await sleep(5)
  })

  test("are heard again when a user may listen to them again, who was told meanwhile that they may not", async () => {
    const onAll = (...command: string[]) => Promise.all(nodes.map((node) => node.send(command)))
    await onAll("ACL", "SETUSER", "listener", "on", ">secret", "+@all", "~*", "&*")
    const own = openServer(cluster.nodes[0]!.url.replace("//", "//listener:secret@"), { timeoutMs: 20_000 })
    const told: string[] = []
    await own.subscribe({
      sharded: ["a"],
      onMessage: ({ text }) => void told.push(text),
      onGap: () => void told.push("gap"),
      onRefused: (error) => void told.push((error as Error & { code: string }).code),
    })
    await onAll("ACL", "SETUSER", "listener", "resetchannels")
    await onAll("CLIENT", "KILL", "TYPE", "pubsub")
    await until(() => told.length > 0)
    await onAll("ACL", "SETUSER", "listener", "&*")
    await until(() => told.length > 1)
    await driver.send(["SPUBLISH", "a", "back"])
    await until(() => told.length > 2)
    expect(told).toEqual(["SERVER.NOPERM", "gap", "back"])
    await own.close()
  })

  test("are heard beside classic ones, and nothing after it is closed", async () => {
    const messages: string[] = []
    const onMessage = ({ text }: { text: string }) => void messages.push(text)
    const one = await driver.subscribe({ sharded: ["a"], channels: ["c"], onMessage })
    await driver.send(["PUBLISH", "c", "classic"])
    await driver.send(["SPUBLISH", "a", "sharded"])
    while (messages.length < 2) await sleep(5)
    await one.close()
    for (const node of nodes)
      while (Number(((await node.send(["PUBSUB", "SHARDNUMSUB", "a"])) as unknown[])[1]) > 0) await sleep(5)
    await driver.send(["SPUBLISH", "a", "late"])
    expect(messages.toSorted()).toEqual(["classic", "sharded"])
  })
})
