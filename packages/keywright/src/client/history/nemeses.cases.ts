/* What happens to the servers, the connections and the writers while they work. Each
 * nemesis does its harm once and sets right what it must, so that they can follow one
 * another in any order. */

import { setTimeout as sleep } from "node:timers/promises"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import type { Proxy } from "../../../../../test/tcp-proxy.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import type { Random } from "../../../../../test/random.ts"
import type { Writer } from "./writers.cases.ts"

export interface Scene {
  readonly random: Random
  readonly writers: readonly Writer[]
  /** One in front of each writer. */
  readonly proxies: readonly Proxy[]
  primary: RealRedis
  /** Where a replica is to take over. */
  replica?: RealRedis | undefined
}

export type Nemesis = (scene: Scene) => Promise<void>

/** What has been acknowledged is on the disk. */
export const AOF = ["--appendonly", "yes", "--appendfsync", "always"]
/** A replica of this port; one that asks for everything gets it at once. */
export const replicaOf = (port: number): string[] => ["--replicaof", "127.0.0.1", String(port), ...SYNC_AT_ONCE]
export const SYNC_AT_ONCE = ["--repl-diskless-sync-delay", "0"]
/** Loading takes its time, and requests meanwhile are answered with LOADING. */
const SLOW_LOADING = ["--key-load-delay", "300", "--loading-process-events-interval-bytes", "1024"]

const onServer = async ({ url }: RealRedis, work: (driver: Driver) => Promise<unknown>) => {
  const driver = openResp(url, { timeoutMs: 10_000 })
  await work(driver).finally(() => driver.close())
}

export const nemeses = {
  killServer: async ({ primary, random }) => {
    await primary.kill9()
    await sleep(random.int(200))
    await primary.restart({ args: AOF })
  },
  killServerLoading: async ({ primary }) => {
    await primary.kill9()
    await primary.restart({ args: [...AOF, ...SLOW_LOADING] })
  },
  killWriter: async ({ writers, random }) => random.pick(writers).killAndFollow(),
  stopServer: async ({ primary, random }) => {
    primary.pause()
    await sleep(100 + random.int(600))
    primary.resume()
  },
  cutRequests: ({ proxies, random }) => cuts(random, () => random.pick(proxies).cutRequestAfter(1 + random.int(3000))),
  cutReplies: ({ proxies, random }) => cuts(random, () => random.pick(proxies).cutReplyAfter(1 + random.int(2000))),
  reset: async ({ proxies }) => {
    for (const proxy of proxies) proxy.reset()
    await sleep(50)
  },
  /** Half-open: nothing comes through, and nobody says so. */
  silence: async ({ proxies, random }) => {
    const proxy = random.pick(proxies)
    proxy.goSilent()
    await sleep(100 + random.int(400))
    proxy.speakAgain()
    proxy.reset()
  },
  delay: async ({ proxies, random }) => {
    const proxy = random.pick(proxies)
    proxy.delayReplies(20 + random.int(150))
    await sleep(300)
    proxy.delayReplies(0)
  },
  forgetScripts: ({ primary }) =>
    onServer(primary, async (driver) => {
      for (let i = 0; i < 20; i++) {
        await driver.send(["SCRIPT", "FLUSH"])
        await sleep(5)
      }
    }),
  /** The primary is gone, the replica takes over, and the old one comes back as its replica. */
  failOver: async (scene) => {
    const [old, next] = [scene.primary, scene.replica!]
    await old.kill9()
    await onServer(next, (driver) => driver.send(["REPLICAOF", "NO", "ONE"]))
    scene.primary = next
    scene.replica = old
    for (const proxy of scene.proxies) {
      proxy.leadTo(next.port)
      proxy.reset()
    }
    await old.restart({ args: replicaOf(next.port) })
    await untilReplicating(old)
    await sleep(300)
  },
} satisfies Record<string, Nemesis>

export type NemesisName = keyof typeof nemeses

/** Not so close together that no greeting comes through in between. */
async function cuts(random: Random, cut: () => void): Promise<void> {
  for (let i = 0; i < 8; i++) {
    cut()
    await sleep(20 + random.int(40))
  }
}

export function untilReplicating(replica: RealRedis): Promise<void> {
  return onServer(replica, async (driver) => {
    while (!String(await driver.send(["INFO", "replication"], { safe: true })).includes("master_link_status:up"))
      await sleep(20)
  })
}
