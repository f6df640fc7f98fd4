/* The embedded engine is a Valkey 9, whose hashes can have fields that expire. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { quoted } from "../../schema/codec/quoted.ts"
import { hash, map } from "../../schema/define.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { copyKeys } from "../transfer/copy-keys.ts"
import { exportKeys } from "./export-keys.ts"
import type { KeyLine } from "./lines.ts"

const shop = keyspace({ cart: map("cart:{token}", text, int) }, { ttl: "never" }) as Keyspace
const LATER = "4000000000123"
/** So many that they take several lines. */
const many = Array.from({ length: 6000 }, (_, i) => [`item${i}`, "1"])

describe("a hash whose fields expire", () => {
  let engines: Engine[]
  let from: Driver
  let to: Driver
  beforeAll(async () => {
    engines = await Promise.all([start(), start()])
    ;[from, to] = engines.map((engine) => embeddedDriver(engine)) as [Driver, Driver]
  })
  beforeEach(async () => {
    await Promise.all([from, to].map((driver) => driver.send(["FLUSHALL"])))
    await from.send(["HSET", "cart:lasting", "item", "1"])
    await from.send(["HSET", "cart:large", ...many.flat()])
  })
  afterAll(() => Promise.all(engines.map((engine) => engine.stop())))

  const expire = (key: string, field: string) => from.send(["HPEXPIREAT", key, LATER, "FIELDS", "1", field])

  async function exported(): Promise<Record<string, string | undefined>> {
    let written = ""
    await exportKeys(shop, from, (some) => void (written += some))
    const lines = written.trimEnd().split("\n").slice(1, -1)
    const read = lines.map((line) => JSON.parse(line) as KeyLine)
    return Object.fromEntries(read.map(({ key, unreadable }) => [String(key), unreadable]))
  }

  it("is not exported without its deadlines, as if they lasted: its line says why", async () => {
    await from.send(["HSET", "cart:small", "item", "1", "other", "2"])
    expect(await exported()).toEqual({ "cart:lasting": undefined, "cart:small": undefined, "cart:large": undefined })
    await expire("cart:small", "other")
    await expire("cart:large", "item5999")
    const reason = "a hash whose fields expire"
    expect(await exported()).toEqual({ "cart:lasting": undefined, "cart:small": reason, "cart:large": reason })
  })

  it.each([
    ["cart:lasting", "item"],
    ["cart:large", "item5999"],
  ])("stops a copy: %s", async (key, field) => {
    await expect(copyKeys(shop, from, to)).resolves.toMatchObject({ verified: true })
    await expire(key, field)
    await expect(copyKeys(shop, from, to, { overwrite: true })).rejects.toMatchObject({
      code: "COPY.FIELD_DEADLINES",
      key,
    })
  })

  it.each([
    ["cart:lasting", "item"],
    ["cart:large", "item5999"],
  ])("of the target is written again, though equal otherwise: %s", async (key, field) => {
    await expect(copyKeys(shop, from, to)).resolves.toMatchObject({ verified: true })
    await to.send(["HPEXPIREAT", key, LATER, "FIELDS", "1", field])
    await expect(copyKeys(shop, from, to, { overwrite: true })).resolves.toMatchObject({ verified: true })
    expect(await to.send(["HPEXPIRETIME", key, "FIELDS", "1", field])).toEqual([-1])
  })

  describe("in a repair", () => {
    const notes = keyspace(
      { label: map("label:{n}", text, quoted(text)), box: hash("box:{n}", { size: int }) },
      { ttl: "never" },
    ) as Keyspace
    const planned = async () => {
      const { findings } = await audit(notes, from)
      return planRepair(findings, notes, from, { delete: ["fields"] })
    }
    const deadlines = async () => [
      await from.send(["HPEXPIRETIME", "label:1", "FIELDS", "1", "bare"]),
      await from.send(["HPEXPIRETIME", "box:1", "FIELDS", "1", "more"]),
    ]
    beforeEach(async () => {
      await from.send(["FLUSHALL"])
      await from.send(["HSET", "label:1", "bare", "text"])
      await from.send(["HSET", "box:1", "size", "1", "more", "x"])
    })

    it("is left as it is, since no undo would restore its deadlines", async () => {
      expect((await planned()).actions.map(({ code }) => code)).toEqual(["VALUE.BARE", "VALUE.FIELD_UNKNOWN"])
      await expire("label:1", "bare")
      await expire("box:1", "more")
      expect(await planned()).toMatchObject({ actions: [], left: { "VALUE.BARE": 1, "VALUE.FIELD_UNKNOWN": 1 } })
    })

    it("is not changed by a plan that was made before", async () => {
      const plan = await planned()
      await expire("label:1", "bare")
      await expire("box:1", "more")
      expect(await applyRepair(plan, from)).toMatchObject({ done: 0 })
      expect(await deadlines()).toEqual([[Number(LATER)], [Number(LATER)]])
    })
  })
})
