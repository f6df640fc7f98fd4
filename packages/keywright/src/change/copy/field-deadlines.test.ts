/* The embedded engine is a Valkey 9, whose hashes can have fields that expire. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { map } from "../../schema/define.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
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
})
