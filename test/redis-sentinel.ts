/* A primary, its replica and three sentinels that watch them, on loopback. Ask
 * needs("redis-server") first. */

import { setTimeout as sleep } from "node:timers/promises"
import { openResp } from "../packages/keywright/src/driver/resp/open-resp.ts"
import { type RealRedis, startRedis } from "./real-redis.ts"

export interface RealSentinels {
  readonly servers: readonly RealRedis[]
  readonly sentinels: readonly RealRedis[]
  /** `redis+sentinel://…/service` */
  readonly url: string
  stop(): Promise<void>
}

export const SERVICE = "orders"

/** `downAfterMs`: how long a server may be silent before it is replaced. */
export async function startSentinels(downAfterMs = 1000): Promise<RealSentinels> {
  const servers: RealRedis[] = []
  const sentinels: RealRedis[] = []
  const stop = async () => void (await Promise.all([...sentinels, ...servers].map((server) => server.stop())))
  try {
    servers.push(await startRedis())
    const [primary] = servers
    const following = ["--replicaof", "127.0.0.1", String(primary!.port), "--repl-diskless-sync-delay", "0"]
    servers.push(await startRedis({ args: following }))
    const config = [
      `sentinel monitor ${SERVICE} 127.0.0.1 ${primary!.port} 2`,
      `sentinel down-after-milliseconds ${SERVICE} ${downAfterMs}`,
      `sentinel failover-timeout ${SERVICE} 5000`,
    ].join("\n")
    while (sentinels.length < 3) sentinels.push(await startRedis({ config, args: ["--sentinel"] }))
  } catch (error) {
    await stop()
    throw error
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")
  return { servers, sentinels, url: `redis+sentinel://${hosts}/${SERVICE}`, stop }
}

/** As the first sentinel has it. */
export async function primaryOf({ servers, sentinels }: RealSentinels): Promise<RealRedis> {
  const sentinel = openResp(sentinels[0]!.url, { protocol: 2, timeoutMs: 10_000 })
  try {
    const [, port] = (await sentinel.send(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE])) as string[]
    return servers.find((server) => server.port === Number(port))!
  } finally {
    await sentinel.close()
  }
}

/** Until the replica follows, and every sentinel knows it and the other sentinels. */
export async function untilFollowed({ sentinels }: RealSentinels): Promise<void> {
  for (;;) {
    const states = await Promise.all(
      sentinels.map(async ({ url }) => {
        const one = openResp(url, { protocol: 2 })
        const fields = (await one.send(["SENTINEL", "MASTER", SERVICE]).catch(() => [])) as string[]
        const replicas = (await one.send(["SENTINEL", "REPLICAS", SERVICE]).catch(() => [])) as string[][]
        await one.close()
        const field = (name: string) => fields[fields.indexOf(name) + 1]
        const isUp = replicas.some((replica) => replica[replica.indexOf("master-link-status") + 1] === "ok")
        const flags = replicas.map((replica) => replica[replica.indexOf("flags") + 1])
        return field("flags") === "master" && field("num-other-sentinels") === "2" && isUp && flags.includes("slave")
      }),
    )
    if (states.every(Boolean)) return
    await sleep(100)
  }
}
