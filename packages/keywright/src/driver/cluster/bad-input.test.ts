/* Addresses and nodes that are wrong: each ends in an error that names the node and says what to do, by the
 * deadline of the call. */

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { startClusterNode } from "../../../../../test/redis-cluster.ts"
import { bulk, type FakeCluster, list, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Driver } from "../driver.ts"
import { connect, database, keyspace, string, text } from "../../index.ts"
import { openServer } from "../resp/open-resp.ts"

let cluster: FakeCluster
let driver: Driver | undefined

beforeEach(async () => {
  cluster = await startFakeNodes(3)
  cluster.owners([0, 8191, 0], [8192, 16383, 1])
})
afterEach(async () => {
  await driver?.close()
  driver = undefined
  await cluster.close()
})

const addressOf = (...nodes: number[]) =>
  `redis://${nodes.map((node) => `127.0.0.1:${cluster.nodes[node]!.port}`).join(",")}`

/**
 * The error that a call to this address ends with, and all that caused it. On a slow machine a deadline passes
 * before anything is known: then the next call tells.
 */
async function failureAt(url: string, told: RegExp): Promise<{ error: KeywrightError; text: string }> {
  driver = openServer(url, { timeoutMs: 500 })
  for (;;) {
    const found = await failure(driver)
    if (told.test(found.text)) return found
  }
}

async function failure(server: Driver): Promise<{ error: KeywrightError; text: string }> {
  const error = (await server.send(["INCR2", "a"]).then(
    (value) => {
      throw new Error(`answered with ${String(value)}`)
    },
    (caught: unknown) => caught,
  )) as KeywrightError
  const told: string[] = []
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code, why, fix } = one as Partial<KeywrightError>
    told.push(`${code} ${one.message} ${why} ${fix}`)
  }
  return { error, text: told.join("\n") }
}

describe("a wrong address", () => {
  test("several servers without cluster mode: not a member, by name", async () => {
    for (const node of cluster.nodes) node.mode = "standalone"
    const { text } = await failureAt(addressOf(0, 1), /NOT_A_MEMBER/)
    expect(text).toContain("CLUSTER.NOT_A_MEMBER")
    expect(text).toContain("Give the addresses of nodes of one cluster")
    expect(text).toMatch(new RegExp(`${cluster.nodes[0]!.port}|${cluster.nodes[1]!.port}`))
  })

  test("one of them is a node: the cluster is found", async () => {
    cluster.nodes[2]!.mode = "standalone"
    driver = openServer(`${addressOf(2)},127.0.0.1:1,127.0.0.1:${cluster.nodes[0]!.port}`, { timeoutMs: 10_000 })
    expect(await driver.send(["ECHO2", "a"])).toBe("node 1")
  })

  test.runIf(needs("redis-server"))("a server in cluster mode without a cluster: no slots, by name", async () => {
    const server = await startRedis({ args: ["--cluster-enabled", "yes"] })
    const { text } = await failureAt(server.url, /NO_SLOTS/)
    expect(text).toContain("CLUSTER.NO_SLOTS")
    expect(text).toContain(String(server.port))
    expect(text).toContain("Join it to a cluster")
    await driver?.close()
    await server.stop()
  })

  test.runIf(needs("redis-server"))(
    "a schema with databases on a cluster that has one: what to do about it",
    async () => {
      const server = await startClusterNode()
      const several = keyspace({ d: database(1, "one", { x: string("x:{id}", text) }) }, { ttl: "never" })
      await expect(connect(several, server.url)).rejects.toMatchObject({
        code: "CONNECT.CLUSTER_DATABASES",
        fix: expect.stringContaining("cluster-databases"),
      })
      await server.stop()
    },
  )

  test("nobody there: every node is tried, and the last error is reported", async () => {
    const { text } = await failureAt("redis://127.0.0.1:1,127.0.0.1:2", /ECONNREFUSED/)
    expect(text).toMatch(/ECONNREFUSED 127\.0\.0\.1:[12]/)
  })
})

describe("a node that is wrong", () => {
  test("a password that one node refuses: that node, and what to check", async () => {
    cluster.nodes[1]!.refusal = "WRONGPASS invalid username-password pair or user is disabled."
    const { error, text } = await failureAt(addressOf(0), /WRONGPASS/)
    expect(error.code).toBe("SERVER.WRONGPASS")
    expect(error.message).toContain(String(cluster.nodes[1]!.port))
    expect(text).toContain("Check user and password.")
    // The others answer.
    expect(await driver!.send(["ECHO2", "b"])).toBe("node 0")
  })

  test("slots at an address where nobody is: the call was not sent, and the address is named", async () => {
    const place = list(bulk("127.0.0.1"), ":1\r\n", bulk("id-of-nobody"), list())
    for (const node of cluster.nodes) node.slots = list(list(":0\r\n", ":16383\r\n", place))
    const { error, text } = await failureAt(addressOf(0), /127\.0\.0\.1:1\b/)
    expect(error.name).toBe("NotApplied")
    expect(text).toContain("127.0.0.1:1")
  })

  test("an owner that has cluster mode off: not a member, by name", async () => {
    cluster.nodes[1]!.mode = "standalone"
    const { error, text } = await failureAt(addressOf(0), /NOT_A_MEMBER/)
    expect(error.name).toBe("NotApplied")
    expect(text).toContain("CLUSTER.NOT_A_MEMBER")
    expect(text).toContain(String(cluster.nodes[1]!.port))
  })

  for (const [what, slots] of Object.entries({
    "no list": "+OK\r\n",
    "a slot that there is not": list(
      list(":0\r\n", ":16384\r\n", list(bulk("127.0.0.1"), ":1\r\n", bulk("id"), list())),
    ),
    "an error": "-ERR This instance has cluster support disabled\r\n",
  }))
    test(`${what} instead of slots: by name`, async () => {
      for (const node of cluster.nodes) node.slots = slots
      const { text } = await failureAt(addressOf(0), /CLUSTER\.SLOTS|cluster support disabled/)
      expect(text).toContain(String(cluster.nodes[0]!.port))
      expect(text).toMatch(/CLUSTER\.SLOTS|cluster support disabled/)
    })
})
