/* kill -9 at any instant, also in the middle of a save: what was saved is there,
 * whole, and the next engine starts on it. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { runProgram } from "../../../test/child-program.ts"
import { isFull } from "../../../test/full.ts"
import { RespClient } from "../../../test/resp-client.ts"
import { start } from "./index.ts"

const ROUNDS = isFull ? 200 : 8
const KEYS = 500

/* Writes one generation after another over all keys, each in one transaction, while
 * the engine saves as fast as it can. Every tenth generation it also asks for a save
 * and prints the generation once that is on disk. */
const writer = `
  import { writeSync } from "node:fs"
  import { start } from "@keywright/embedded"
  const [directory, first] = process.argv.slice(1)
  const engine = await start({ directory, saveEveryMs: 5 })
  const channel = engine.connect()
  let text = "", wake
  channel.onData = (bytes) => { text += Buffer.from(bytes).toString("latin1"); wake?.() }
  const until = async (sign) => {
    while (!text.includes(sign)) await new Promise((resolve) => (wake = resolve))
    text = ""
  }
  for (let generation = Number(first); ; generation++) {
    const value = String(generation).padStart(2000, "0")
    const sets = Array.from({ length: ${KEYS} }, (_, key) => "SET k" + key + " " + value + "\\r\\n").join("")
    channel.write(Buffer.from("MULTI\\r\\n" + sets + "SET generation " + generation + "\\r\\nEXEC\\r\\nPING\\r\\n"))
    await until("+PONG")
    if (generation % 10 !== 0) continue
    await engine.save()
    writeSync(1, "saved " + generation + "\\n")
  }
`

describe("kill -9", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "keywright-kill-"))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it(`loses nothing that was saved, and never the file, ${ROUNDS} times`, async () => {
    let reached = 0
    for (let round = 0; round < ROUNDS; round++) {
      const program = runProgram(writer, [directory, String(reached + 1)])
      const firstSave = Math.ceil((reached + 1) / 10) * 10
      await program.printed(`saved ${firstSave}`)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      program.process.kill("SIGKILL")
      await program.ended
      const promised = Number(program.lines.at(-1)?.replace("saved ", ""))

      const engine = await start({ directory, saveEveryMs: 3_600_000 })
      const client = new RespClient(engine.connect())
      const values = new Set(await client.pipeline(Array.from({ length: KEYS }, (_, key) => ["GET", `k${key}`])))
      const generation = Number(await client.send("GET", "generation"))
      expect(generation).toBeGreaterThanOrEqual(promised)
      expect([...values]).toEqual([String(generation).padStart(2000, "0")])
      reached = generation
      await engine.stop()
    }
    expect(reached).toBeGreaterThan(ROUNDS)
  })
})
