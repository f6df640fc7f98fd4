/* What the README shows of `check --doc` and a server is what it says. */

import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { keywright } from "../packages/keywright/src/cli/run-cli.cases.ts"
import { needs } from "./needs.ts"
import { startRedis } from "./real-redis.ts"
import { RespClient } from "./resp-client.ts"

const DATA = [
  "HSET login: EB93-1 user1 EB93-2 user2",
  "ZADD recent: 1 EB93-1 2 EB93-2",
  "ZADD viewed:EB93-1 1 item1",
  "ZADD viewed:EB93-2 1 item2",
  "ZADD viewed: -2 item1",
  "HSET cart:EB93-1 item1 2",
  "SET cart:EB93-9 oops",
  'SET inv:273 {"qty":1}',
  "ZADD delay: 5 273",
  "ZADD schedule: 5 273",
  "SET lock:9f86d081 1",
  "SET lock:9f86d082 1",
]

test.runIf(needs("redis-server"))("the README's page, schema and server disagree as it says", async () => {
  const redis = await startRedis()
  try {
    const raw = await RespClient.connect(redis.port)
    for (const command of DATA) await raw.send(...command.split(" "))
    raw.close()
    const args = ["check", "--config", "systems/shop", "--doc", "test/pages/shop.md", "--url", redis.url]
    const { code, stdout } = await keywright(...args)
    expect(code).toBe(1)
    expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(`\`\`\`text\n${stdout}\`\`\``)
    const exact = JSON.parse((await keywright(...args, "--json")).stdout) as {
      findings: { code: string; wrong: string[]; at?: { file: string; line: number } }[]
    }
    expect(exact.findings.map(({ wrong, at }) => [at?.line, ...wrong])).toEqual([
      [6, "server"],
      [7, "page"],
      [17, "page"],
      [undefined, "page"],
      [undefined, "server"],
    ])
    expect((await keywright(...args, "--format", "github")).stdout).toContain("file=test/pages/shop.md,line=17")
    const sarif = JSON.parse((await keywright(...args, "--format", "sarif")).stdout) as {
      runs: { results: unknown[] }[]
    }
    expect(sarif.runs[0]!.results).toHaveLength(5)
    expect((await keywright("check", "--config", "systems/shop", "--url", redis.url)).code).toBe(2)
  } finally {
    await redis.stop()
  }
})
