/* The embedded engine: over its port and in the process, against redis-server; its start and memory.
 *
 * Over TCP both are asked by redis-benchmark with 50 connections, in turns. Start and
 * memory are those of a fresh process, from the call of start() to the first reply. */

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { start } from "@keywright/embedded"
import { createClient } from "redis"
import { embeddedDriver } from "../../packages/keywright/src/driver/embedded.ts"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"

const run = promisify(execFile)
const STARTS = 9

export default async function (bench: Bench): Promise<void> {
  await startAndMemory(bench)
  const engine = await start({ port: 0 })
  const redis = await startRedis()
  try {
    const ports = { ours: engine.port ?? 0, theirs: redis.port }
    for (const command of ["SET", "GET"]) {
      await overTcp(bench, command, ports, { pipeline: 1, requests: 50_000, goal: ">=0.2" })
      await overTcp(bench, command, ports, { pipeline: 50, requests: 1_000_000, goal: ">=0.35" })
    }
    const driver = embeddedDriver(engine)
    const client = await createClient({ url: redis.url }).connect()
    for (const one of [driver.send(["SET", "a", "1"]), client.set("a", "1")]) await one
    await bench.compare({
      name: "in the process: GET, 500 concurrent, against node-redis",
      goal: ">=2",
      concurrency: 500,
      ours: () => driver.send(["GET", "a"]),
      theirs: () => client.get("a"),
    })
    await driver.close()
    await client.close()
  } finally {
    await engine.stop()
    await redis.stop()
  }
}

interface Load {
  readonly pipeline: number
  readonly requests: number
  readonly goal: ">=0.2" | ">=0.35"
}

async function overTcp(bench: Bench, command: string, ports: { ours: number; theirs: number }, load: Load) {
  const ask = (port: number) => {
    const sizes = ["-c", "50", "-P", String(load.pipeline), "-n", String(load.requests), "-r", "100000"]
    return run("redis-benchmark", ["-p", String(port), ...sizes, "-t", command.toLowerCase(), "-q"])
  }
  await ask(ports.ours)
  await ask(ports.theirs)
  await bench.compare({
    name: `TCP: ${command}, 50 connections, pipeline ${load.pipeline}`,
    goal: load.goal,
    long: true,
    rounds: bench.full ? 15 : 5,
    ours: () => ask(ports.ours),
    theirs: () => ask(ports.theirs),
  })
}

/** Medians over fresh processes. */
async function startAndMemory(bench: Bench): Promise<void> {
  const program = `
    import { start } from "@keywright/embedded"
    const rss = process.memoryUsage.rss()
    const began = performance.now()
    const channel = (await start()).connect()
    channel.onData = () => {
      console.log(JSON.stringify({ ms: performance.now() - began, mb: (process.memoryUsage.rss() - rss) / 1e6 }))
      process.exit()
    }
    channel.write(Buffer.from("PING\\r\\n"))`
  const cwd = fileURLToPath(new URL("../..", import.meta.url))
  const seen: { ms: number; mb: number }[] = []
  for (let round = 0; round < STARTS; round++) {
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd })
    seen.push(JSON.parse(stdout) as { ms: number; mb: number })
  }
  bench.report("start to the first reply", median(seen.map(({ ms }) => ms)), "<=300", "ms")
  bench.report("memory when empty", median(seen.map(({ mb }) => mb)), "<=120", "MB")
}
