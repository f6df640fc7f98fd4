/* Our own connection through `driver.send`, at 500 concurrent calls: rates, and against other clients
 *
 * A rate counts only what the server itself counted in that time. `redis-benchmark`
 * (50 connections, 50 commands each) stands for what the server can do at all. */

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Redis } from "ioredis"
import { createClient } from "redis"
import type { Command, Driver } from "../../packages/keywright/src/driver/driver.ts"
import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"

const CONCURRENT = 500
const run = promisify(execFile)

export default async function (bench: Bench): Promise<void> {
  const server = await startRedis()
  const driver = openResp(server.url)
  try {
    for (let i = 0; i < 1000; i++) await driver.send(["SET", `bench:${i}`, "0123456789abcdef"])
    await rates(bench, driver, server.port)
    await comparisons(bench, driver, server.url)
  } finally {
    await driver.close()
    await server.stop()
  }
}

/** By turns, so that both see the same machine. */
async function rates(bench: Bench, driver: Driver, port: number): Promise<void> {
  const loads: Readonly<Record<string, (i: number) => Command>> = {
    GET: (i) => ["GET", `bench:${i % 1000}`],
    SET: (i) => ["SET", `bench:${i % 1000}`, "0123456789abcdef"],
  }
  const rounds = bench.full ? 31 : 11
  for (const [name, command] of Object.entries(loads)) {
    const [ours, limits, ratios]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const limit = await redisBenchmark(name, port)
      const own = await rate(driver, name, command, 0.5)
      limits.push(limit)
      ours.push(own)
      ratios.push(own / limit)
    }
    const thousands = (rates: readonly number[]) => median(rates) / 1000
    bench.report(`${name} by send`, thousands(ours), name === "GET" ? ">=450" : ">=300", "k/s")
    bench.report(`${name} by redis-benchmark`, thousands(limits), undefined, "k/s")
    bench.report(`${name}: of what redis-benchmark reaches`, median(ratios), name === "GET" ? ">=0.5" : undefined)
  }
}

async function redisBenchmark(name: string, port: number): Promise<number> {
  const args = ["-p", String(port), "-t", name.toLowerCase(), "-P", "50", "-n", "600000", "-q", "--csv"]
  const { stdout } = await run("redis-benchmark", args)
  return Number(/"(?:GET|SET)","([\d.]+)"/.exec(stdout)?.[1])
}

async function rate(driver: Driver, name: string, command: (i: number) => Command, seconds: number): Promise<number> {
  await driver.send(["CONFIG", "RESETSTAT"])
  const start = performance.now()
  const until = start + seconds * 1000
  let calls = 0
  const worker = async (): Promise<void> => {
    while (performance.now() < until) await driver.send(command(calls++))
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
  const elapsed = (performance.now() - start) / 1000
  const stats = String(await driver.send(["INFO", "commandstats"]))
  const counted = Number(new RegExp(`cmdstat_${name.toLowerCase()}:calls=(\\d+)`).exec(stats)?.[1])
  if (counted !== calls) throw new Error(`${calls} calls were made, and the server counted ${counted}`)
  return counted / elapsed
}

async function comparisons(bench: Bench, driver: Driver, url: string): Promise<void> {
  const asItComes = await createClient({ url }).connect()
  const withoutTimer = await createClient({ url, commandOptions: { timeout: 0 } }).connect()
  const ioredis = new Redis(url)
  const ours = () => driver.send(["GET", "bench:1"])
  const others = [
    ["node-redis 6 as it comes", ">=4", () => asItComes.get("bench:1")],
    ["node-redis 6 without its timer", ">=1.2", () => withoutTimer.get("bench:1")],
    ["ioredis 6", ">=2", () => ioredis.get("bench:1")],
  ] as const
  for (const [name, goal, theirs] of others) {
    await bench.compare({ name: `GET against ${name}`, goal, concurrency: CONCURRENT, ours, theirs })
  }
  asItComes.destroy()
  withoutTimer.destroy()
  ioredis.disconnect()
}
