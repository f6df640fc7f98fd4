/* A primary, its replica and three sentinels that watch them, on loopback. Ask
 * needs("redis-server") first. */

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
