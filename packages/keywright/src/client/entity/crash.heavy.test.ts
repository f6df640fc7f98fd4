/* kill -9, of the server and of the writing process, and an append-only file that was
 * cut anywhere: no acknowledged write is lost, and no index is wrong, before anything
 * was repaired. The same workload written naively is put through the same, so that
 * the test is known to be able to fail. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { runProgram } from "../../../../../test/child-program.ts"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { expectClean } from "../../testing/index.ts"
import { connect } from "../connect.ts"
import { loadEveryCut } from "./aof-cuts.cases.ts"
import { dishRule, menu, possibleStates, writerProgram } from "./crash-writer.cases.ts"
import { indexViolations } from "./index-checker.cases.ts"

const CYCLES = isFull ? 100 : 4
const aof = ["--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "yes"]
/** The number of writes acknowledged before a kill. */
const LEAST = 20
const acknowledgedBy = (lines: readonly string[]): number => lines.filter((line) => line.startsWith("a ")).length
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.runIf(needs("redis-server"))("after kill -9", () => {
  let server: RealRedis
  afterEach(() => server?.stop())

  async function cycles(mode: "keywright" | "naive") {
    server = await startRedis({ args: aof })
    let violations = 0
    let acknowledged = 0
    const lost: string[] = []
    const known = new Map<string, Set<string>>()
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const writer = runProgram(writerProgram, [server.url, mode, String(1 + cycle)])
      await writer.printed("ready")
      while (acknowledgedBy(writer.lines) < LEAST) await pause(5)
      await pause((cycle % 7) * 15)
      if (cycle % 2 === 0) await server.kill9()
      writer.process.kill("SIGKILL")
      await writer.ended
      if (cycle % 2 === 0) await server.restart()
      acknowledged += acknowledgedBy(writer.lines)
      for (const [id, states] of possibleStates(writer.lines)) {
        const before = known.get(id) ?? new Set(["-"])
        known.set(id, states.has("?") ? new Set([...before, ...states].filter((state) => state !== "?")) : states)
      }
      const driver = openResp(server.url, { timeoutMs: 30_000 })
      const raw = (...command: string[]) => driver.send(command)
      violations += (await indexViolations(raw, [dishRule])).length
      if (mode === "keywright" && cycle === CYCLES - 1) await expectCleanAt(server.url)
      for (const [id, states] of known) {
        const found = ((await raw("GET", `dish:${id}`)) as string | null) ?? "-"
        if (!states.has(found)) lost.push(`${id}: ${found} is none of ${[...states].join(" or ")}`)
        known.set(id, new Set([found]))
      }
      await driver.close()
    }
    return { violations, acknowledged, lost }
  }

  test(`of the server or the writer, ${CYCLES} times: nothing is lost, no index is wrong`, async () => {
    const { violations, acknowledged, lost } = await cycles("keywright")
    expect(acknowledged).toBeGreaterThanOrEqual(CYCLES * LEAST)
    expect({ violations, lost }).toEqual({ violations: 0, lost: [] })
  })

  test("the same workload written one command after another leaves wrong indexes", async () => {
    const { violations } = await cycles("naive")
    expect(violations).toBeGreaterThan(0)
  })
})

describe.runIf(needs("redis-server"))("an append-only file that is cut", () => {
  let server: RealRedis
  afterEach(() => server?.stop())

  /** Writes, then starts the server on the file cut at some 30 places of its end; in the full run ours also at every byte. */
  async function cuts(mode: "keywright" | "naive") {
    server = await startRedis({ args: aof })
    const writer = runProgram(writerProgram, [server.url, mode, "7"])
    await writer.printed("ready")
    while (acknowledgedBy(writer.lines) < 120) await pause(5)
    writer.process.kill("SIGKILL")
    await writer.ended
    await server.kill9()
    const folder = join(server.directory, "appendonlydir")
    const file = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(".incr.aof"))!,
    )
    const whole = readFileSync(file)
    const last = mode === "keywright" ? beginningOf(whole, 20) : Math.max(0, whole.length - 6000)
    const violations: string[] = []
    let places = 0
    for (let at = last; at <= whole.length; at += Math.ceil((whole.length - last) / 30)) {
      writeFileSync(file, whole.subarray(0, at))
      await server.restart()
      const driver = openResp(server.url, { timeoutMs: 30_000 })
      violations.push(...(await indexViolations((...command) => driver.send(command), [dishRule])))
      await driver.close()
      if (mode === "keywright") await expectCleanAt(server.url)
      await server.kill9()
      places++
    }
    if (!isFull || mode === "naive") return { violations, places, states: 0, bytes: 0 }
    const all = await loadEveryCut({ directory: server.directory, file, whole, from: last }, async (raw) => {
      violations.push(...(await indexViolations(raw, [dishRule])))
    })
    return { violations, ...all, bytes: whole.length - last }
  }

  test("at any byte of its last 20 operations leaves no index wrong", async () => {
    const { violations, places, states, bytes } = await cuts("keywright")
    expect(places).toBeGreaterThan(isFull ? bytes : 25)
    if (isFull) console.log(`cut at ${places} bytes: ${states} states`)
    if (isFull) expect(states).toBe(21)
    expect(violations).toEqual([])
  })

  test("leaves wrong indexes where commands came one after another", async () => {
    expect((await cuts("naive")).violations.length).toBeGreaterThan(0)
  })
})

async function expectCleanAt(url: string): Promise<void> {
  const db = await connect(menu, url)
  await expectClean(db)
  await db.$close()
}

/** Where the last `count` transactions begin: a script's writes are one MULTI. */
function beginningOf(file: Buffer, count: number): number {
  let at = file.length
  for (let i = 0; i < count; i++) at = file.lastIndexOf("*1\r\n$5\r\nMULTI\r\n", at - 1)
  return at
}
