/* Nodes that a cluster client does not reach, and slots that move more often than it follows. */

import { Cluster } from "ioredis"
import { Cluster as Cluster5 } from "ioredis-5"
import { createCluster } from "redis"
import { createCluster as createCluster5 } from "redis-5"
import { afterEach, describe, expect, test, vi } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { type HostileAnswer, startHostile } from "../../../../../test/hostile-server.ts"
import { freePort } from "../../../../../test/real-redis.ts"
import { clusterSlot } from "../cluster-slot.ts"
import { findDriver } from "../find-driver.ts"

vi.setConfig({ testTimeout: 60_000 })

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const SLOT = clusterSlot("k")

/** It says that the slot of `k` is at `port`, or that it has all slots itself. */
async function startNode(answer: HostileAnswer, port?: number): Promise<string> {
  const node = await startHostile((command, socket, connection) => {
    if (command[0] === "INFO" || command[0] === "info") return bulk("loading:0")
    if (command[0]!.toUpperCase() !== "CLUSTER") return answer(command, socket, connection)
    const own = Number(new URL(node.url).port)
    const range = (from: number, to: number, at: number) =>
      list(`:${from}\r\n`, `:${to}\r\n`, list(bulk("127.0.0.1"), `:${at}\r\n`, bulk(`of ${at}`), list()))
    return list(range(0, SLOT - 1, own), range(SLOT, SLOT, port ?? own), range(SLOT + 1, 16_383, own))
  })
  ends.push(() => node.close())
  return node.url
}

describe.each(
  Object.entries({
    "node-redis 6": createCluster,
    "node-redis 5": createCluster5 as unknown as typeof createCluster,
  }),
)("a cluster of %s", (_name, create) => {
  test.each([{ reconnectStrategy: 20 }, { reconnectStrategy: false }] as const)(
    "is sent nothing for a node that it has not reached, with %o",
    async (socket) => {
      const url = await startNode(([, word = ""]) => bulk(word), await freePort())
      for (const call of ["send", "multi", "batch"] as const) {
        const client = create({ rootNodes: [{ url }], minimizeConnections: true, defaults: { socket } })
        client.on("error", () => undefined)
        await client.connect()
        const driver = findDriver({ client, timeoutMs: 300 })
        const step = ["INCR", "k"]
        await expect(call === "send" ? driver.send(step) : driver[call]([step])).rejects.toMatchObject({
          name: "NotApplied",
          code: socket.reconnectStrategy === false ? "DRIVER.NOT_SENT" : "DRIVER.TIMEOUT",
        })
        await driver.close()
        // Its clients that are closed already refuse to be destroyed.
        await Promise.allSettled([(async () => client.destroy())()])
      }
    },
  )
})

test.each(Object.entries({ "ioredis 6": Cluster, "ioredis 5": Cluster5 as unknown as typeof Cluster }))(
  "a batch through a cluster of %s follows a slot beyond the redirections of the client",
  async (_name, Client) => {
    let moves = 0
    const url: string = await startNode(([, word]) =>
      word === "k" && moves++ < 5 ? `-MOVED ${SLOT} ${new URL(url).host}\r\n` : bulk("answered"),
    )
    const client = new Client([url], { maxRedirections: 1 })
    client.on("error", () => undefined)
    ends.push(() => client.disconnect())
    const driver = findDriver({ client, timeoutMs: 20_000 })
    expect(await driver.batch([["GET", "k"]])).toEqual(["answered"])
    await driver.close()
  },
)
