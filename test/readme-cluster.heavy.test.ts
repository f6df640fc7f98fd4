/* The README's lines for a cluster, as they are: each of the five systems starts on six nodes, is healthy, and stores its
 * demonstration there. */

import { execFile, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { connect, keyspace } from "keywright"
import { needs } from "./needs.ts"
import { type RealCluster, startCluster } from "./redis-cluster.ts"

const root = new URL("..", import.meta.url)
const lines = readFileSync(new URL("README.md", root), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("npm run serve -- ") && line.includes("127.0.0.1:7000"))

describe.runIf(needs("redis-server"))("the README's lines for a cluster", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.stop())

  test("are one for each system", () => {
    const systems = lines.map((line) => /-- (\w+)/.exec(line)![1])
    expect(systems).toEqual(["shop", "messaging", "carto", "recommender", "restaurant"])
  })

  test.each(lines)("%s", async (line) => {
    const { port } = cluster.nodes[0]!
    const [program, ...args] = line.replace(":7000", `:${port}`).split(" ")
    // A group of its own: npm runs the server as a child.
    const serving = spawn(program!, [...args, "--port", "0", "--demo"], { cwd: root, detached: true })
    let said = ""
    for (const stream of [serving.stdout, serving.stderr])
      stream.on("data", (text: Buffer) => (said += text.toString()))
    const ended = new Promise<void>((resolve) => serving.once("exit", () => resolve()))
    try {
      await Promise.race([ended, expect.poll(() => said, { timeout: 90_000 }).toMatch(/^ready http/m)])
      const url = /^ready (\S+)$/m.exec(said)?.[1]
      expect(url, said).toBeDefined()
      const health = (await (await fetch(`${url}/health`)).json()) as { status: string }
      expect([health.status, said.includes("PLACEMENT")]).toEqual(["ok", false])
    } finally {
      process.kill(-serving.pid!, "SIGTERM")
      await ended
    }
    const db = await connect(keyspace({}), cluster.nodes[0]!.url)
    const stored = Number(await db.$driver().send(["DBSIZE"]))
    expect(stored).toBeGreaterThan(0)

    // The command line finds the schema of the same placement, by the setting's name in the environment.
    const [, system, setting, value] = /--set (\w+)\.(\w+)=(\S+)/.exec(line)!
    const { stdout } = await promisify(execFile)(
      "npx",
      ["keywright", "stats", "--config", `systems/${system}`, "--url", cluster.nodes[0]!.url, "--json"],
      { cwd: root, env: { ...process.env, [`${system}_${setting}`.toUpperCase()]: value } },
    )
    const { keys, databases } = JSON.parse(stdout) as { keys: number; databases: { unknown: unknown[] }[] }
    expect([keys, databases.flatMap(({ unknown }) => unknown)]).toEqual([stored, []])
    await db.$driver().send(["FLUSHALL"])
    await db.$close()
  })
})
