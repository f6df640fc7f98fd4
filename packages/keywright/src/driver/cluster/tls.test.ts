/* A real cluster over TLS: the certificate of every node is checked, also of one that a redirect leads to, against
 * the name that the node announces, or else against the name that was given. */

import type { LookupFunction } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { askServer } from "../../../../../test/ask-server.ts"
import { moveSlot } from "../../../../../test/cluster-control.ts"
import { needs } from "../../../../../test/needs.ts"
import { startTlsPrimaries, type TlsCluster } from "../../../../../test/tls-cluster.ts"
import { type KeywrightError } from "../../errors/error.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"

/** Keys of the first, second and third node. */
const keys = [0, 1, 2].map((third) => {
  const names = Array.from({ length: 100 }, (_, i) => `k${i}`)
  return names.find((name) => Math.floor(clusterSlot(name) / Math.ceil(16_384 / 3)) === third)!
}) as [string, string, string]
const PATIENT = { timeoutMs: 20_000 }
const SERVICE = "DNS:cache.test"

describe.runIf(needs("redis-server"))("a cluster over TLS", () => {
  let cluster: TlsCluster
  const opened: Driver[] = []

  beforeAll(async () => {
    cluster = await startTlsPrimaries([
      { announces: "node0.test", certified: ["DNS:node0.test", SERVICE] },
      { announces: "node1.test", certified: ["DNS:node1.test", SERVICE] },
      // Its certificate is a good one, of somebody else.
      { announces: "node2.test", certified: ["DNS:node3.test"] },
    ])
  }, 120_000)
  afterAll(async () => {
    for (const driver of opened) await driver.close()
    await cluster?.stop()
  })

  /** All names lead to this machine. */
  const lookup: LookupFunction = (_, options, found) => {
    const here = { address: "127.0.0.1", family: 4 }
    if (options.all) (found as unknown as (error: null, all: object[]) => void)(null, [here])
    else found(null, here.address, here.family)
  }
  const open = (host: string, timeoutMs = 20_000): Driver => {
    const driver = openServer(`rediss://${host}:${cluster.nodes[0]!.tlsPort}`, {
      timeoutMs,
      tls: { ca: cluster.ca, lookup },
    })
    opened.push(driver)
    return driver
  }
  const failureOf = (call: Promise<unknown>): Promise<KeywrightError> =>
    call.then(
      () => {
        throw new Error("it was answered")
      },
      (error: unknown) => error as KeywrightError,
    )
  const sets = async (node: number) =>
    Number(/cmdstat_set:calls=(\d+)/.exec(await askServer(cluster.nodes[node]!.port, "INFO", "commandstats"))?.[1] ?? 0)
  const configure = async (name: string, values: readonly string[]) => {
    for (const [i, value] of values.entries()) await askServer(cluster.nodes[i]!.port, "CONFIG", "SET", name, value)
    // The others hear of it by the bus.
    for (const { port } of cluster.nodes)
      for (;;) {
        const slots = await askServer(port, "CLUSTER", "SLOTS")
        const isHeard = ["node0.test", "node1.test", "node2.test"].every(
          (host) => slots.includes(host) === values.includes(host),
        )
        if (isHeard) break
      }
  }

  test("a node whose certificate is for the name that it announces is spoken to", async () => {
    const driver = open("node0.test")
    expect(await driver.send(["SET", keys[0], "a"])).toBe("OK")
    expect(await driver.send(["SET", keys[1], "b"])).toBe("OK")
    expect(await askServer(cluster.nodes[1]!.port, "GET", keys[1])).toBe("b")
  })

  test("one with a certificate for another name is sent nothing, and the error says why", async () => {
    const driver = open("node0.test", 400)
    await driver.send(["GET", keys[0]], PATIENT)
    const told = async () => {
      const error = await failureOf(driver.send(["SET", keys[2], "c"]))
      return [error.code, error.message, error.why, error.fix].join("\n")
    }
    await expect.poll(told).toContain("node2.test")
    expect(await told()).toMatch(/certificate/)
    expect(await told()).toContain(`127.0.0.1:${cluster.nodes[2]!.tlsPort}`)
    expect(await sets(2)).toBe(0)
  })

  test("redirects are followed to a node whose certificate is right, and to no other", async () => {
    const driver = open("node0.test", 400)
    const move = (from: number, to: number) => {
      const [source, target] = [cluster.nodes[from]!, cluster.nodes[to]!]
      return moveSlot(clusterSlot(keys[0]), source, target, [], { port: target.tlsPort })
    }
    await driver.send(["SET", keys[0], "1"], PATIENT)
    await move(0, 1)
    expect(await driver.send(["SET", keys[0], "2"], PATIENT)).toBe("OK")
    expect(await driver.send(["SET", keys[1], "3"], PATIENT)).toBe("OK")
    await move(1, 2)
    const before = await sets(2)
    await expect
      .poll(async () => (await failureOf(driver.send(["SET", keys[0], "4"]))).why, { timeout: 60_000 })
      .toContain("node2.test")
    expect(await sets(2)).toBe(before)
    expect(await askServer(cluster.nodes[2]!.port, "GET", keys[0])).toBe("2")
    // The others are undisturbed.
    expect(await driver.send(["GET", keys[1]], PATIENT)).toBe("3")
  })

  test("where nodes announce addresses only, their certificates have to be for the name that was given", async () => {
    await configure("cluster-announce-hostname", ["", "", ""])
    const driver = open("cache.test")
    expect(await driver.send(["SET", keys[1], "e"])).toBe("OK")
    const why = async () => (await failureOf(driver.send(["SET", keys[2], "f"], { timeoutMs: 400 }))).why
    await expect.poll(why).toContain("cache.test")
    // The one that is asked first is checked, too.
    const other = open("other.test", 400)
    await expect.poll(async () => (await failureOf(other.send(["GET", keys[0]]))).why).toContain("other.test")
  })

  test("where nodes are reached by names, their certificates have to be for these", async () => {
    await configure("cluster-announce-hostname", ["node0.test", "node1.test", "node2.test"])
    for (const { port } of cluster.nodes)
      await askServer(port, "CONFIG", "SET", "cluster-preferred-endpoint-type", "hostname")
    const driver = open("cache.test")
    expect(await driver.send(["SET", keys[1], "g"])).toBe("OK")
    const why = async () => (await failureOf(driver.send(["SET", keys[2], "h"], { timeoutMs: 400 }))).why
    await expect.poll(why).toContain("node2.test")
    expect(await sets(2)).toBe(0)
  })
})
