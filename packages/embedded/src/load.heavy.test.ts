/* A fair amount of data: that it loads, is saved under a short patience, survives
 * and is served. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../test/full.ts"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, type EngineError, start } from "./index.ts"

const KEYS = isFull ? 200_000 : 50_000
const VALUE_BYTES = 750
const PAGE = 5000

/** Text that does not compress away: the engine compresses what repeats. */
function valueOf(key: number): string {
  let state = key + 1
  let text = ""
  while (text.length < VALUE_BYTES) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += state.toString(36)
  }
  return text.slice(0, VALUE_BYTES)
}

describe(`${KEYS} keys and ${(KEYS * VALUE_BYTES) / 1e6} MB of values`, () => {
  const directory = mkdtempSync(path.join(tmpdir(), "keywright-load-"))
  const replaced: EngineError[] = []
  let engine: Engine
  let client: RespClient

  const open = async () => {
    engine = await start({
      directory,
      saveEveryMs: 3_600_000,
      patienceMs: 1000,
      onReplaced: (why) => replaced.push(why),
    })
    client = new RespClient(engine.connect())
  }
  const pages = Array.from({ length: KEYS / PAGE }, (_, page) =>
    Array.from({ length: PAGE }, (_, index) => page * PAGE + index),
  )

  beforeAll(open)
  afterAll(async () => {
    await engine.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it("load", async () => {
    for (const page of pages) await client.pipeline(page.map((key) => ["SET", `item:${key}`, valueOf(key)]))
    expect(await client.send("DBSIZE")).toBe(KEYS)
  })

  it("survive a save and a start, however short the patience", async () => {
    await engine.stop()
    await open()
    expect(await client.send("DBSIZE")).toBe(KEYS)
    expect(replaced).toEqual([])
  })

  it("are served", async () => {
    for (const page of pages) {
      const values = await client.pipeline(page.map((key) => ["GET", `item:${key}`]))
      expect(values.every((value, index) => value === valueOf(page[index] ?? -1))).toBe(true)
    }
  })

  it("do not hinder the clock", async () => {
    await client.pipeline([["SET", "mortal", "1", "EX", "60"]])
    await engine.forward("2m")
    expect(await client.send("DBSIZE")).toBe(KEYS)
  })
})
