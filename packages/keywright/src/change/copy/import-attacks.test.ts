/* Exports that somebody else wrote: nothing of them is imported unless all of it is what
 * the schema's own export could have written. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onBothServers } from "../../client/servers.cases.ts"
import { bistro as typed, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { toJson } from "../../schema/json/to-json.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { serverMark } from "../server-mark.ts"
import { badHash, goodString, moduleValue } from "./dumps.cases.ts"
import { exportKeys } from "./export-keys.ts"
import { exportOf, manifest, signed } from "./hostile-export.cases.ts"
import { importKeys } from "./import-keys.ts"
import { partOfLine } from "./import-line.ts"
import { ImportNotes } from "./import-progress.ts"
import { KeyDigest } from "./digest.ts"
import { digestPart } from "./key-value.ts"
import type { KeyLine } from "./lines.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-import-attack-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, "evil.ndjson")

const owned = { db: 0, key: "dish:index:category:3", type: "set", value: ["1"] }
const stream = (value: object) => ({ db: 0, key: "log", type: "stream", value })

const entries = (...ids: string[]) => ids.map((id) => [id, ["f", "v"]])
const ended = { lastId: "5-1", added: 9, maxDeletedId: "0-0", groups: [] }
const group = { name: "g", lastId: "0-0", consumers: [], pending: [] }

const DAY_MS = 86_400_000
const recorded = JSON.stringify(toJson(bistro))
/** One of the toolkit's own notes. */
const own = (name: string, value = "1", days?: number) => ({
  ...{ db: 0, key: `keywright:${name}`, type: "string", value },
  ...(days !== undefined && { pexpireat: Date.now() + days * DAY_MS }),
})

const inBase64 = (text: string) => ({ base64: Buffer.from(text).toString("base64") })

/** Lines whose digests are right. */
const foreign: readonly (readonly [what: string, line: Record<string, unknown>])[] = [
  ["a key that nobody owns", { ...owned, key: "other:app:session" }],
  ["a key of another type", { db: 0, key: "dish:1", type: "set", value: ["1"] }],
  ["an operation that is done for ever", own("op:pay-17")],
  ["an operation that is done for years", own("op:{u1}:pay-17", "1", 400)],
  ["a lease of a job that nobody gives back", own("lease:mails")],
  ["a lease of years", own("lease:mails", "me", 400)],
  ["a copy to this server that was begun", own("copy:bistro", JSON.stringify({ stamp: "", round: 2 }), 29)],
  ["a recorded schema of another keyspace", own("schema:other", recorded)],
  ["a recorded schema that expires", own("schema:bistro", recorded, 1)],
  ["notes of an entity that there is not", { ...own("expiry:pet:{id}"), type: "zset", value: [["1\t", "1"]] }],
  ["notes beside those of an entity", { ...own("expiry:x:dish:{id}"), type: "zset", value: [["1\t", "1"]] }],
]

/** Lines of no form that exports have. */
const odd: readonly (readonly [what: string, line: Record<string, unknown>])[] = [
  ["another database", { ...owned, db: 1 }],
  ["a database that is a text", { ...owned, db: "0" }],
  ["a database below all", { ...owned, db: -1 }],
  ["a type that there is not", { ...owned, type: "constructor" }],
  ["a text in several lines", { db: 0, key: "dish:1", type: "string", value: "1", more: true }],
  ["a deadline that is a text", { ...owned, pexpireat: "1" }],
  ["a deadline below all", { ...owned, pexpireat: -5 }],
  ["a deadline beyond all", { ...owned, pexpireat: 2 ** 53 }],
  ["a deadline with a fraction", { ...owned, pexpireat: 1.5 }],
  ["a reason that is not a text", { ...owned, unreadable: { toString: 1 } }],
  ["fields left out that are not texts", { ...owned, leftOut: [{}] }],
  ["a value of another type", { ...owned, value: "1" }],
  ["a value that is not a word", { ...owned, value: [{ base64: 7 }] }],
  ["a value that is a number", { ...owned, value: [7] }],
  ["a value that is text, written as bytes", { ...owned, value: [inBase64("1")] }],
  ["bytes in another spelling", { ...owned, value: [{ base64: "/w=" }] }],
  ["a counter whose name is written as bytes", { db: 0, key: inBase64("dish:counter"), type: "string", value: "3" }],
  ["a key of bytes in another spelling", { ...owned, key: { base64: "/w" } }],
  ["no value", { db: 0, key: "dish:1", type: "string" }],
  ["a score that is an option", { db: 0, key: "z", type: "zset", value: [["m", "XX"]] }],
  ["a score that is another one's member", { db: 0, key: "z", type: "zset", value: [["m", "1 2"]] }],
  ["three of a pair", { db: 0, key: "z", type: "zset", value: [["m", "1", "GT"]] }],
  ["an id that is an option", stream({ entries: [["MAXLEN", ["0", "*"]]] })],
  ["an id that is any", stream({ entries: [["*", ["f", "v"]]] })],
  ["an odd number of fields", stream({ entries: [["1-1", ["f"]]] })],
  ["a last id that is not one", stream({ entries: [], end: { lastId: "0-1 ENTRIESADDED", groups: [] } })],
  [
    "a group whose place is not an id",
    stream({ entries: [], end: { lastId: "1-1", groups: [{ name: "g", lastId: "$" }] } }),
  ],
  [
    "a dump of an ordinary value",
    { db: 0, key: "d", type: "other", value: { dump: Buffer.alloc(40).toString("base64") } },
  ],
  [
    "a dump of a hash that would crash the server",
    { db: 0, key: "d", type: "other", value: { dump: badHash().toString("base64") } },
  ],
  ["a dump of a string", { db: 0, key: "d", type: "other", value: { dump: goodString().toString("base64") } }],
  ["a dump that is not one", { db: 0, key: "d", type: "other", value: { dump: "" } }],
]

/** Lines that look like those of an export, and say what no server can hold. */
const impossible: readonly (readonly [line: Record<string, unknown>, why: RegExp])[] = [
  ...["1e400", "-1e400", "1e-400"].map(
    (score) =>
      [{ ...owned, type: "zset", value: [["m", score]] }, /its zset has a score that no server can hold/] as const,
  ),
  [
    { ...owned, type: "zset", value: ["m", "n", "m"].map((member, i) => [member, String(i)]) },
    /member of its zset twice/,
  ],
  [{ ...owned, type: "set", value: ["1", "2", "1"] }, /member of its set twice/],
  [{ ...owned, type: "set", value: ["1", inBase64("1")] }, /its value is not that of a set/],
  [{ ...owned, type: "set", value: [{ base64: "/w==" }, { base64: "/w==" }] }, /member of its set twice/],
  [{ ...owned, type: "hash", value: ["f", "f"].map((field, i) => [field, String(i)]) }, /field of its hash twice/],
  ...["list", "set", "zset", "hash"].map((type) => [{ ...owned, type, value: [] }, /is empty/] as const),
  [{ ...owned, type: "string", value: "\ud800" }, /its value has half of a surrogate pair/],
  [{ ...owned, type: "hash", value: [["f", "a\udc00"]] }, /its value has half of a surrogate pair/],
  [{ ...owned, key: "dish:\ud800" }, /its key has half of a surrogate pair/],
  [
    stream({
      entries: [],
      end: { lastId: "1-1", groups: [{ name: "\ud800", lastId: "0-0", consumers: [], pending: [] }] },
    }),
    /its value has half of a surrogate pair/,
  ],
  [stream({ entries: entries("2-1", "1-1") }), /has the entry 1-1 after 2-1/],
  [stream({ entries: entries("1-10", "1-9") }), /has the entry 1-9 after 1-10/],
  [stream({ entries: entries("10-0", "9-0") }), /has the entry 9-0 after 10-0/],
  [stream({ entries: entries("1-1", "1-1") }), /has the entry 1-1 after 1-1/],
  [stream({ entries: entries("0-0") }), /has the entry 0-0 after 0-0/],
  [stream({ entries: entries("18446744073709551616-0") }), /not that of a stream/],
  [stream({ entries: entries("01-1") }), /not that of a stream/],
  [stream({ entries: entries("5-1"), end: { lastId: "4-9", groups: [] } }), /last id of its stream is 4-9/],
  [stream({ entries: entries("5-1"), end: { ...ended, maxDeletedId: "6-0" } }), /5-1, and 6-0 was deleted/],
  [stream({ entries: entries("1-1", "2-1"), end: { ...ended, added: 1 } }), /added to its stream is 1, and it has 2/],
  [stream({ entries: [], end: { ...ended, groups: [group, group] } }), /has a group twice/],
  [
    stream({ entries: [], end: { ...ended, groups: [group, { ...group, name: inBase64("g") }] } }),
    /its value is not that of a stream/,
  ],
]

onBothServers("an export of unknown origin", (server) => {
  beforeEach(() => rmSync(`${file}.import`, { force: true }))
  const codeOf = (text: string, options: Parameters<typeof importKeys>[3] = {}) => {
    writeFileSync(file, text)
    return importKeys(bistro, server().driver, { file }, { rebuild: false, ...options }).then(
      () => "accepted",
      (error: { code: string }) => error.code,
    )
  }
  const good = JSON.stringify(signed(owned))

  it("is accepted where the schema owns its keys, or where others are asked for", async () => {
    expect(await codeOf(exportOf([good]))).toBe("accepted")
    const [, line] = foreign[0]!
    expect(await codeOf(exportOf([JSON.stringify(signed(line))]), { foreign: "import" })).toBe("accepted")
    expect(await server().driver.send(["SMEMBERS", "other:app:session"])).toEqual(["1"])
  })

  it.each(foreign)("with %s is not of this schema: nothing of it is written", async (_, line) => {
    expect(await codeOf(exportOf([good, JSON.stringify(signed(line))]))).toBe("IMPORT.FOREIGN")
    expect(await server().keys()).toEqual([])
  })

  it("with a line of no form is refused: nothing of it is written", async () => {
    for (const [what, line] of odd) {
      const text = exportOf([good, JSON.stringify(signed(line))])
      for (const options of [{}, { foreign: "import" }, { foreign: "import", modules: true }] as const)
        expect([what, await codeOf(text, options)]).toEqual([what, "IMPORT.REFUSED"])
    }
    expect(await server().keys()).toEqual([])
  })

  it("with what no server can hold is refused by line and reason: nothing of it is written", async () => {
    for (const [line, why] of impossible) {
      writeFileSync(file, exportOf([good, JSON.stringify(signed(line))]))
      const refused = importKeys(bistro, server().driver, { file }, { rebuild: false, foreign: "import" })
      await expect(refused).rejects.toMatchObject({ code: "IMPORT.REFUSED", message: expect.stringMatching(why) })
      await expect(refused).rejects.toThrow(/line 3 /)
    }
    expect(await server().keys()).toEqual([])
  })

  it("with a stream that turns back, or has a second end, in a later line is refused: nothing of it is written", async () => {
    const first = { ...stream({ entries: entries("1-1", "3-1") }), more: true }
    const whole = (line: object) => exportOf([good, JSON.stringify(first), JSON.stringify(line)], 2)
    expect(await codeOf(whole(signed(stream({ entries: entries("2-1") }))), { foreign: "import" })).toBe(
      "IMPORT.REFUSED",
    )
    const second = { ...first, value: { entries: entries("1-1"), end: ended } }
    const text = exportOf([JSON.stringify(second), JSON.stringify(signed(stream({ entries: entries("9-1") })))], 1)
    expect(await codeOf(text, { foreign: "import" })).toBe("IMPORT.REFUSED")
    expect(await server().keys()).toEqual([])
  })

  it("with the largest and the smallest ids of streams is imported as it is", async () => {
    const largest = "18446744073709551615-18446744073709551615"
    const end = { lastId: largest, added: 3, maxDeletedId: "2-0", groups: [group] }
    const line = stream({ entries: entries("0-1", "1-0", largest), end })
    writeFileSync(file, exportOf([JSON.stringify(signed(line))]))
    const result = await importKeys(bistro, server().driver, { file }, { rebuild: false, foreign: "import" })
    expect(result).toMatchObject({ written: 1, different: 0 })
  })

  it("with the largest and the smallest scores is imported as it is", async () => {
    const scores = ["inf", "-inf", "1.7976931348623157e+308", "5e-324", "-0", "0e400", "0.10"]
    const line = { db: 0, key: "z", type: "zset", value: scores.map((score, i) => [String(i), score]) }
    writeFileSync(file, exportOf([JSON.stringify(signed(line))]))
    const result = await importKeys(bistro, server().driver, { file }, { rebuild: false, foreign: "import" })
    expect(result).toMatchObject({ written: 1, different: 0 })
  })

  it("with a value of a module is refused, where that is not asked for: nothing of it is written", async () => {
    const line = { db: 0, key: "d", type: "other", value: { dump: moduleValue().toString("base64") } }
    const text = exportOf([good, JSON.stringify(signed(line))])
    expect(await codeOf(text)).toBe("IMPORT.MODULE")
    expect(await codeOf(text, { foreign: "import" })).toBe("IMPORT.MODULE")
    expect(await codeOf(text, { modules: true })).toBe("IMPORT.FOREIGN")
    expect(await server().keys()).toEqual([])
    // The server does not have the module, and says so.
    expect(await codeOf(text, { foreign: "import", modules: true })).toBe("IMPORT.INTERRUPTED")
  })

  it("with a field twice is refused, wherever it is: nothing of it is written", async () => {
    const text = exportOf([good])
    const twice: readonly string[] = [
      text.replace('{"db":0,', '{"db":0,"db":0,'),
      text.replace('"key":', '"key":"dish:index:category:4","key":'),
      text.replace('"key":', '"k\\u0065y":"dish:index:category:4","key":'),
      text.replace('"value":["1"]', '"value":["2"],"value":["1"]'),
      text.replace('"value":["1"]', '"value":["2"], "value" : ["1"]'),
      text.replace('["1"]', '[{"base64":"Mg==","base64":"MQ=="}]'),
      text.replace('"end":true', '"end":true,"end":true'),
      text.replace('"patterns":{', '"patterns":{"x":{"keys":9,"digest":"0"},'),
      text.replace('"databases":[0]', '"databases":[7],"databases":[0]'),
    ]
    expect(twice.filter((one) => one === text)).toEqual([])
    for (const one of twice) expect([one, await codeOf(one)]).toEqual([one, "IMPORT.REFUSED"])
    expect(await server().keys()).toEqual([])
    // Written by another program, with spaces, it is as good as ours.
    expect(await codeOf(text.replaceAll('":', '" : '))).toBe("accepted")
  })

  it("with a field that is not known, or another spelling of its database, is refused: nothing of it is written", async () => {
    const text = exportOf([good])
    const others: readonly string[] = [
      text.replace('"db":0', '"db":-0'),
      text.replace('"db":0', '"db":0e0'),
      text.replace('"db":0', '"db":0.0'),
      text.replace('"db":0', '"\\u0064b":0e0'),
      text.replace('"db":0', '"db":0,"note":1'),
      text.replace('"db":0', '"db":0,"__proto__":{"type":"string"}'),
      text.replace('"db":0', '"db":0,"constructor":1'),
      text.replace('["1"]', '[{"base64":"MQ==","text":"2"}]'),
      text.replace('"end":true', '"end":true,"note":1'),
      text.replace('"end":true', '"end":true,"db":0'),
      text.replace('"databases":[0]', '"databases":[-0]'),
      text.replace('"databases":[0]', '"databases":[0],"__proto__":{}'),
    ]
    expect(others.filter((one) => one === text)).toEqual([])
    for (const one of others) expect([one, await codeOf(one)]).toEqual([one, "IMPORT.REFUSED"])
    expect(await server().keys()).toEqual([])
  })

  it.each(["1e3", "1000.0", "1e17", "9007199254740993", "-1000", "0", "null", '"\\u0031"'])(
    "with the deadline %s is refused: nothing of it is written",
    async (deadline) => {
      const line = JSON.stringify(signed({ ...owned, pexpireat: 1000 }))
      const text = exportOf([good, line]).replace('"pexpireat":1000', `"pexpireat":${deadline}`)
      expect(await codeOf(text)).toBe("IMPORT.REFUSED")
      expect(await server().keys()).toEqual([])
    },
  )

  it("with a deadline that has passed is imported without that key, and says so", async () => {
    const gone = signed({ ...owned, key: "dish:index:category:4", pexpireat: 1000 })
    writeFileSync(file, exportOf([good, JSON.stringify(gone)]))
    const result = await importKeys(bistro, server().driver, { file }, { rebuild: false })
    expect(result).toMatchObject({ written: 1, expired: 1 })
    expect(await server().keys()).toEqual(["dish:index:category:3"])
  })

  it("says when another schema made it", async () => {
    const other = { ...manifest, schema: { fingerprint: "0000000000000000" } }
    const own = { ...manifest, schema: { fingerprint: fingerprint(bistro) } }
    for (const [head, otherSchema] of [
      [other, true],
      [own, false],
      [manifest, false],
    ] as const) {
      writeFileSync(file, exportOf([good], 1, head))
      const result = await importKeys(bistro, server().driver, { file }, { rebuild: false })
      expect(result).toMatchObject({ keys: 1, otherSchema })
    }
  })

  it("with another recorded schema is imported without it, and leaves the one that is there", async () => {
    const { driver } = server()
    const earlier = { ...JSON.parse(recorded), name: "bistro", docs: undefined }
    delete earlier.entries.visits
    const others = [JSON.stringify(earlier), '{"keys":[]}', "{", "", `[${recorded}]`]
    for (const there of [undefined, recorded, "mine"])
      for (const other of others) {
        await driver.send(["FLUSHALL"])
        if (there !== undefined) await driver.send(["SET", "keywright:schema:bistro", there])
        writeFileSync(file, exportOf([JSON.stringify(signed(own("schema:bistro", other))), good]))
        for (const mode of ["fail", "skip", "overwrite"] as const) {
          const result = await importKeys(bistro, driver, { file }, { rebuild: false, mode })
          expect(result).toMatchObject({ keys: 2, otherRecorded: 1, different: 0 })
          expect(await driver.send(["GET", "keywright:schema:bistro"])).toBe(there ?? null)
          expect(await driver.send(["SMEMBERS", owned.key])).toEqual(["1"])
        }
      }
    // It is checked all the same.
    expect(await codeOf(exportOf([JSON.stringify({ ...signed(own("schema:bistro", "{")), value: "[" }), good]))).toBe(
      "IMPORT.DAMAGED",
    )
  })

  it.each(["9007194959772705", "9007199254740000", "9007199254740001", "999999999999999998", "99999999999999999999"])(
    "with %s for a counter, which few ids or none can come from, is refused",
    async (value) => {
      const { driver } = server()
      const key = "dish:counter"
      const text = exportOf([good, JSON.stringify(signed({ db: 0, key, type: "string", value }))])
      for (const mode of ["fail", "skip", "overwrite"] as const)
        for (const foreign of ["refuse", "import"] as const)
          expect(await codeOf(text, { mode, foreign })).toBe("IMPORT.COUNTER")
      const quoted = signed({ db: 0, key, type: "string", value: JSON.stringify(value) })
      expect(await codeOf(exportOf([JSON.stringify(quoted)]), { jackson: true })).toBe("IMPORT.COUNTER")
      expect(await server().keys()).toEqual([])
      await driver.send(["SET", key, "7"])
      expect(await codeOf(text, { mode: "skip", foreign: "import" })).toBe("IMPORT.COUNTER")
      expect(await driver.send(["GET", key])).toBe("7")
    },
  )

  it("gives no deadline to a counter, whether it exists or not", async () => {
    const { driver } = server()
    const line = { db: 0, key: "dish:counter", type: "string", value: "9", pexpireat: Date.now() + 60_000 }
    for (const there of ["7", undefined]) {
      await driver.send(there === undefined ? ["DEL", line.key] : ["SET", line.key, there])
      expect(await codeOf(exportOf([JSON.stringify(signed(line))]), { mode: "skip" })).toBe("accepted")
      expect(await driver.send(["GET", line.key])).toBe("9")
      expect(await driver.send(["PTTL", line.key])).toBe(-1)
    }
  })

  it.each(["nan", "-nan", "inf", "1e300", "0x7fffffff", " 9", "9 ", "", "text", "0009", "-0"])(
    "leaves a counter that exists where it has %j for it",
    async (value) => {
      const { driver } = server()
      const key = "dish:counter"
      for (const [there, mode] of [
        ["7", "skip"],
        ["0", "overwrite"],
        ["text", "skip"],
      ] as const) {
        await driver.send(["SET", key, there])
        writeFileSync(file, exportOf([JSON.stringify(signed({ db: 0, key, type: "string", value }))]))
        const result = await importKeys(bistro, driver, { file }, { rebuild: false, mode })
        expect(result).toMatchObject({ keys: 1, written: 0 })
        expect(await driver.send(["GET", key])).toBe(there)
      }
    },
  )

  it("with anything else around its lines is refused", async () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000)
    const texts: readonly string[] = [
      "",
      "null\n",
      "[]\n",
      exportOf([good], 2),
      exportOf([good], 1, { ...manifest, databases: "0" }),
      exportOf([good], 1, { ...manifest, databases: [-1] }),
      exportOf([good], 1, { ...manifest, version: "1" }),
      exportOf([good]).replace('"patterns":{', '"patterns":{"y":null,'),
      exportOf([good]).replace('"end":true', '"end":1'),
      exportOf([good]).replace('["1"]', '["2"]'),
      `${exportOf([good])}${good}\n`,
      exportOf([good]).replace(good, `${good}\n${deep}`),
      exportOf([good]).replace(good, `${good}\n{"db":0,"key":"dish:1","type":"string","value":${deep}}`),
      exportOf([good]).replace('{"db":0', '{"__proto__":{"more":true},"db":7'),
    ]
    for (const text of texts)
      expect([text.slice(0, 60), await codeOf(text)]).toEqual([
        text.slice(0, 60),
        expect.stringMatching(/^IMPORT\.(?:REFUSED|CUT|MISMATCH|DAMAGED)$/),
      ])
    expect(await server().keys()).toEqual([])
  })

  it.each([{ schema: null }, { schema: "x" }, { schema: { fingerprint: 1 } }, { databases: Array(10_001).fill(0) }])(
    "with a first line of no form is refused: nothing of it is written",
    async (head) => {
      expect(await codeOf(exportOf([good], 1, { ...manifest, ...head }))).toBe("IMPORT.REFUSED")
      expect(await server().keys()).toEqual([])
    },
  )

  it("continues a key of several lines with nothing but that key: nothing of it is written", async () => {
    const begun = { ...owned, value: [], more: true }
    // The digest is that of the first key with the value of the second line, so that only the continuation is wrong.
    const ended = (line: KeyLine) => {
      const digest = KeyDigest.of("set", owned.key)
      digestPart(digest, partOfLine(line, 3))
      return { ...line, digest: digest.end(line.pexpireat).toString() }
    }
    const lines: readonly KeyLine[] = [
      { db: 0, key: "order:index:date", type: "zset", value: [["1", "1"]] },
      { ...(owned as KeyLine), key: "dish:index:category:4" },
      { ...(owned as KeyLine), type: "list" },
      { ...(owned as KeyLine), db: 1 },
    ]
    for (const line of lines) {
      const text = exportOf(
        [begun, ended(line)].map((one) => JSON.stringify(one)),
        1,
        { ...manifest, databases: [0, 1] },
      )
      for (const options of [{}, { foreign: "import", mode: "overwrite" }] as const)
        expect([line, await codeOf(text, options)]).toEqual([line, "IMPORT.REFUSED"])
    }
    expect(await codeOf(exportOf([good, JSON.stringify(begun)], 1))).toBe("IMPORT.REFUSED")
    expect(
      await codeOf(
        exportOf(
          [begun, ended(owned as KeyLine)].map((one) => JSON.stringify(one)),
          1,
        ),
      ),
    ).toBe("accepted")
    expect(await server().keys()).toEqual([owned.key])
  })

  it("is checked again where notes say that it was checked already", async () => {
    const { driver } = server()
    const evil = exportOf([JSON.stringify(signed(foreign[0]![1]))])
    const stamp = JSON.stringify([JSON.parse(evil.split("\n")[0]!), "fail", "refuse", false])
    const notes = new ImportNotes(file, stamp, await serverMark(driver))
    notes.write({ offset: evil.indexOf("\n") + 1, line: 1, counts: {} })
    expect(await codeOf(evil)).toBe("IMPORT.FOREIGN")
    // And a position in the middle of a line is not one to continue from.
    notes.write({ offset: 9, line: 1, counts: {} })
    notes.close()
    expect(await codeOf(exportOf([good]))).toBe("accepted")
    expect(await server().keys()).toEqual(["dish:index:category:3"])
  })

  it("keeps its own round trip: what is exported is imported, which has no note of a copy", async () => {
    const db = await openBistro(server().target)
    await fillBistro(db, 12)
    await db.$close()
    const { driver } = server()
    for (const command of [
      ["SET", "keywright:op:pay-17", "1", "PX", String(30 * DAY_MS)],
      ["SET", "keywright:lease:mails", "me", "PX", "3600000"],
      ["SET", "keywright:schema:bistro", recorded],
      ["ZADD", "keywright:expiry:dish:{id}", "1", "1\t"],
      ["ZADD", "keywright:expiry:{acme}:dish:{id}", "1", "1\t"],
    ])
      await driver.send(command)
    await driver.send(["SET", "keywright:copy:bistro", "{}", "PX", "3600000"])
    const { keys } = await exportKeys(bistro, driver, { file }, { secrets: true })
    expect(keys).toBe(Number(await driver.send(["DBSIZE"])) - 1)
    await driver.send(["FLUSHALL"])
    expect(await codeOf(readFileSync(file, "utf8"))).toBe("accepted")
    expect(await driver.send(["DBSIZE"])).toBe(keys)
  })
})
