/* What an export holds of a file is what it holds of the server that wrote it. */

import { expect, it } from "vitest"
import type { Command } from "../../driver/driver.ts"
import { fill } from "../../inspect/rdb/live-server.cases.ts"
import { onSavingServers } from "../../inspect/snapshot/saving-servers.cases.ts"
import { exportKeys, type ExportOptions, type ExportSource } from "./export-keys.ts"
import { importKeys } from "./import-keys.ts"
import type { KeyLine } from "./lines.ts"

async function exported(source: ExportSource, options: ExportOptions) {
  let text = ""
  const result = await exportKeys(undefined, source, (more) => void (text += more), options)
  const lines = text.trimEnd().split("\n").slice(1, -1)
  return { result, lines: lines.map((line) => JSON.parse(line) as KeyLine) }
}

const range = (count: number) => Array.from({ length: count }, (_, i) => String(i))

/** Keys that take several lines each. */
const large: Command[] = [
  ["RPUSH", "large:list", ...range(12_000)],
  ["SADD", "large:set", ...range(12_000).map((i) => `m${i}`)],
  ["ZADD", "large:zset", ...range(12_000).flatMap((i) => [String(Number(i) / 7), `m${i}`])],
  ["HSET", "large:hash", ...range(12_000).flatMap((i) => [`f${i}`, i])],
  ...range(6000).map((i) => ["XADD", "large:stream", `${Number(i) + 1}-0`, "n", i]),
  ["RPUSH", "larger:list", ...range(60_000)],
  ["SADD", "larger:set", ...range(60_000).map((i) => `m${i}`)],
  ["ZADD", "larger:zset", ...range(60_000).flatMap((i) => [String(Number(i) / 7), `m${i}`])],
  ["HSET", "larger:hash", ...range(60_000).flatMap((i) => [`f${i}`, i])],
  ["XGROUP", "CREATE", "large:stream", "g", "0"],
  ["XREADGROUP", "GROUP", "g", "c", "COUNT", "5", "STREAMS", "large:stream", ">"],
]

onSavingServers("the export of a file", (server) => {
  it("has every key, type, deadline, group and digest, also of what takes several lines", async () => {
    const { driver, save } = server()
    let db = 0
    await fill(async (...words) => {
      if (words[0] === "SELECT") db = Number(words[1])
      else await (await driver.database(db)).send(words.map((word) => (typeof word === "number" ? String(word) : word)))
      return null
    })
    await driver.batch(large)
    const options = { databases: [0, 1, 5], secrets: true }
    const live = await exported(driver, options)
    const saved = await exported({ rdb: await save() }, options)
    expect(saved.result).toEqual(live.result)
    expect(saved.result.unreadable).toBe(0)
    const partsOf = (lines: readonly KeyLine[], key: string) =>
      lines.filter((line) => line.key === key && line.db === 0).length
    for (const type of ["list", "set", "zset", "hash"]) expect(partsOf(saved.lines, `large:${type}`)).toBe(3)
    for (const type of ["list", "set", "zset", "hash"])
      expect(partsOf(saved.lines, `larger:${type}`)).toBeGreaterThan(11)
    const streams = ({ lines }: typeof saved) =>
      lines
        .filter(({ type }) => type === "stream")
        .map(({ db, key, value, more, digest }) => ({ db, key, more, digest, ends: endOf(value) }))
        .sort((a, b) => (`${a.db} ${String(a.key)}` < `${b.db} ${String(b.key)}` ? -1 : 1))
    expect(streams(saved)).toEqual(streams(live))
  })

  it("is imported, though its first line cannot name the databases", async () => {
    const { driver, save } = server()
    await driver.batch([
      ["SET", "one", "1"],
      ["SADD", "some", "a", "b"],
    ])
    await (await driver.database(3)).send(["SET", "three", "3"])
    let text = ""
    await exportKeys(undefined, { rdb: await save() }, (more) => void (text += more))
    await driver.send(["FLUSHALL"])
    const bytes = (async function* () {
      yield text
    })()
    expect(await importKeys(undefined, driver, bytes)).toMatchObject({ keys: 3, written: 3, different: 0 })
    expect(await (await driver.database(3)).send(["GET", "three"])).toBe("3")
  })

  it("begins again when another file is there by now", async () => {
    const { driver, save } = server()
    await driver.batch(range(30_000).map((i) => ["SET", `key:${i}`, i]))
    const path = await save()
    const file = `${path}.ndjson`
    let batches = 0
    const signal = { throwIfAborted: () => void (batches++ > 1 && AbortSignal.abort().throwIfAborted()) } as AbortSignal
    const stopped = exportKeys(undefined, { rdb: path }, { file }, { signal })
    await expect(stopped).rejects.toMatchObject({ code: "EXPORT.INTERRUPTED" })
    await driver.batch(range(100).map((i) => ["DEL", `key:${i}`]))
    await save()
    const result = await exportKeys(undefined, { rdb: path }, { file })
    expect(result).toMatchObject({ keys: 29_900, resumed: false })
  })
})

/* Only the file has delivery times to the millisecond. */
const endOf = (value: KeyLine["value"]) =>
  JSON.parse(
    JSON.stringify((value as { end?: object }).end ?? null, (name, one: unknown) =>
      name === "pending"
        ? (one as [string, string, number, number][]).map(([id, who, , times]) => [id, who, times])
        : one,
    ),
  ) as unknown
