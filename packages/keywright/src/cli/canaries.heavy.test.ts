/* A canary in every secret place of the systems' data, right and wrong: no command
 * prints one, in no format, from a server or from its RDB file, nor does an error. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { leaveOut } from "../change/copy/leave-out.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { classifier } from "../schema/classify/classify.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { canaries as data, type Canaries } from "./canaries.cases.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"

/** Every call starts a process: the short run makes do with some of them. */
const some = <T>(list: readonly T[], most = 2): readonly T[] => (isFull ? list : list.slice(0, most))

/** Every call that looks at data, as JSON too. */
function calls({ keys, names, gets }: Canaries): string[][] {
  const all = [
    ["audit", "--show", "100"],
    ["stats", "--all"],
  ]
  const inspects = some(keys).map((key) => ["inspect", ...key.split(" ")])
  const got = some(gets).map((get) => ["get", ...get.split(" ")])
  const listed = names.map((name) => ["ls", name])
  const looking = [...all, ...inspects, ...got, ...listed]
  const json = isFull ? looking : [...all, inspects[0]!, got[0]!, listed[0]!]
  return [
    ...looking,
    ...json.map((call) => [...call, "--json"]),
    ["audit", "--format", "sarif"],
    ["audit", "--format", "github"],
    ["export"],
  ]
}

/** Calls that only a server answers. */
const serverCalls = ({ names }: Canaries): string[][] => [
  ["doctor"],
  ["doctor", "--json"],
  ["top", "--count", "1", "--json", "--interval", "0.3", "--sample", "1"],
  ["repair", "--show", "100", "--delete", "unknown,broken,conflicts,fields,orphans,excess"],
  ["repair", "--json", "--delete", "unknown,broken,conflicts,fields,orphans,excess"],
  ...some(names, 1).flatMap((name) => [
    ["purge", name, "--show", "100"],
    ["purge", name, "--json"],
  ]),
  ["purge", "--unknown", "--show", "100"],
]

describe.runIf(needs("redis-server"))("no canary is printed", () => {
  let server: RealRedis
  const folder = mkdtempSync(join(tmpdir(), "keywright-canaries-"))
  /** The messenger's rules leave its sweepers ten seconds, which every audit would wait out. */
  const impatient = join(folder, "messaging.config.ts")
  const configOf = (name: string) => (name === "messaging" ? impatient : join(root, "systems", name))
  beforeAll(async () => {
    writeFileSync(
      impatient,
      `import { messagingSchema } from ${JSON.stringify(join(root, "systems/messaging/schema.ts"))}
export default { keyspace: messagingSchema({ sweepEvery: 0.5 }) }`,
    )
    await freshBundle()
    server = await startRedis({ args: ["--requirepass", "CANARY-password", "--slowlog-log-slower-than", "0"] })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  // Those with the most kinds of secrets represent the others in the short run.
  it.each(isFull ? Object.keys(data) : ["messaging", "restaurant"])("of %s, by any command", async (name) => {
    const url = `redis://default:CANARY-password@127.0.0.1:${server.port}`
    const canaries = data[name]!
    const driver = openResp(url)
    await driver.send(["FLUSHALL"])
    for (const [db, ...command] of canaries.writes) await (await driver.database(db)).send(command)
    await driver.send(["SAVE"])
    const rdb = join(folder, `${name}.rdb`)
    copyFileSync(join(server.directory, "dump.rdb"), rdb)

    const run = async (call: readonly string[], codes: readonly number[]) => {
      const { stdout, stderr, code } = await runCli([...call, "--config", configOf(name)], { cwd: folder })
      expect(codes, `${call.join(" ")}: ${stdout} ${stderr}`).toContain(code)
      expect((stdout + stderr).includes("CANARY"), `${call.join(" ")} prints a canary:\n${stdout}\n${stderr}`).toBe(
        false,
      )
    }
    const live = ["--url", url]
    const traffic = setInterval(() => {
      for (const [db, ...command] of canaries.writes)
        driver
          .database(db)
          .then((one) => one.send(command))
          .catch(() => undefined)
    }, 20)
    const saved = ["--rdb", rdb]
    // Each from the server and from its file; in the short run from one of them, by turns.
    const sourced = calls(canaries).flatMap((call, i) =>
      [live, saved].filter((_, at) => isFull || i % 2 === at).map((source) => [...call, ...source]),
    )
    const work: (() => Promise<void>)[] = [
      ...[...sourced, ...serverCalls(canaries).map((call) => [...call, ...live])].map(
        (call) => () => run(call, [0, 1]),
      ),
      () => run(["docs"], [0]),
      () => run(["docs", "--format", "html"], [0]),
      () => run(["check"], [0, 1]),
      async () => {
        await run(["export", "--out", `${name}.ndjson`, ...live], [0])
        expect(readFileSync(join(folder, `${name}.ndjson`), "utf8")).not.toContain("CANARY")
      },
    ]
    const worker = async () => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) await next()
    }
    await Promise.all([worker(), worker()])
    clearInterval(traffic)

    // An export with secrets, damaged, or against other values: what is said of it names none.
    const all = join(folder, `${name}-all.ndjson`)
    await run(["export", "--secrets", "--out", all, ...live], [0])
    await driver.send(["FLUSHALL"])
    const damaged = join(folder, `${name}-damaged.ndjson`)
    writeFileSync(damaged, readFileSync(all, "utf8").replace("CANARY", "CANARYx"))
    await run(["import", damaged, ...live], [2])
    for (const [db, , key] of canaries.writes) await (await driver.database(db)).send(["SET", key!, "another CANARY"])
    await run(["import", all, ...live], [2])
    await driver.close()
  })
})

describe("the canaries", () => {
  it.each(Object.keys(data))("stand in every secret place of %s", async (name) => {
    const config = (await import(`../../../../systems/${name}/keywright.config.ts`)) as {
      default: { keyspace: Keyspace }
    }
    const { keys } = config.default.keyspace
    const secret = keys.filter((row) => leaveOut(row, keys) !== undefined)
    const found = new Set(
      data[name]!.writes.flatMap(([db, ...words]) => {
        const own = classifier(keys, { db })
        const row = own.keys[own.classify(words[1]!)]
        return row !== undefined && words.some((word) => word.includes("CANARY")) ? [row.name] : []
      }),
    )
    expect(secret.map((row) => row.name).filter((one) => !found.has(one))).toEqual([])
  })

  it("have no place in the recommender", async () => {
    const config = (await import("../../../../systems/recommender/keywright.config.ts")) as {
      default: { keyspace: Keyspace }
    }
    const { keys } = config.default.keyspace
    expect(keys.filter((row) => leaveOut(row, keys) !== undefined)).toEqual([])
  })
})
