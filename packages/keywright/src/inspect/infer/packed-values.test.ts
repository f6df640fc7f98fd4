/* Values that other programs packed, from the server to what people see: recognised, declared, audited, decoded. */

import { deflateSync, gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { writeMessagePack } from "../../schema/codec/message-pack-write.ts"
import { writePhp } from "../../schema/codec/php-write.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { inspectKey } from "../model/inspect-key.ts"
import { infer } from "./infer.ts"

const documents = Array.from({ length: 14 }, (_, n) => ({
  title: `Page ${n}`,
  views: n,
  ratio: n + 0.5,
  tags: n % 2 === 0 ? [] : ["a", "b"],
  password: `$2b$10$abcdefghijklmnopqrstu${n}`,
}))
const packers = {
  php: (value: unknown) => writePhp(value),
  messagePack: (value: unknown) => writeMessagePack(value),
  gzip: (value: unknown) => gzipSync(JSON.stringify(value)),
  zlib: (value: unknown) => deflateSync(JSON.stringify(value)),
}
const keys = (...names: (keyof typeof packers)[]): Command[] =>
  names.flatMap((name) => documents.map((one, n): Command => ["SET", `${name}-page:${n}`, packers[name](one)]))

onAnyServer("packed values", (server) => {
  const proposal = async () => {
    const { form } = await infer(server().driver)
    const specs = Object.values(form.entries).flatMap((entry) => {
      const { pattern, shape } = entry as { pattern?: string; shape?: { value?: CodecSpec } }
      return pattern === undefined ? [] : [[pattern, shape?.value] as const]
    })
    return { schema: fromJson(form), specs: new Map(specs), form }
  }

  it("are documents: declared, without findings, and shown decoded with their secrets hidden", async () => {
    await server().driver.batch(keys("php", "messagePack", "gzip", "zlib"))
    const { schema, specs } = await proposal()
    const found = [...specs.values()].map((spec) => spec && { ...spec, of: "of" in spec ? spec.of.codec : undefined })
    expect(found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
      { codec: "compressed", of: "json", format: "gzip" },
      { codec: "compressed", of: "json", format: "zlib" },
      { codec: "messagePack", of: "json" },
      { codec: "php", of: "json" },
    ])
    expect((await audit(schema, server().driver)).findings).toEqual([])
    for (const name of Object.keys(packers)) {
      const { value } = await inspectKey(schema, server().driver, `${name}-page:3`)
      expect(value).toMatchObject({ title: "Page 3", views: 3, ratio: 3.5, tags: ["a", "b"] })
      expect(JSON.stringify(value)).not.toContain("$2b$10")
    }
  })

  it("of which one is damaged are what the others are, and that one is a finding", async () => {
    await server().driver.batch([
      ...Array.from({ length: 10 }, (_, round) =>
        documents.map((one, n): Command => ["SET", `page:${round}${n}`, packers.php({ ...one, views: round })]),
      ).flat(),
      ["SET", "page:999", 'a:1:{s:5:"title";s:9:"cut'],
    ])
    const { schema, form } = await proposal()
    expect(JSON.stringify(form)).toContain('"codec":"php"')
    const { findings } = await audit(schema, server().driver)
    expect(findings.map(({ key }) => key)).toEqual(["page:999"])
  })

  it("that hold objects, or would fill the memory, stay named bytes or text", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    await server().driver.batch(
      documents.flatMap((_, n): Command[] => [
        ["SET", `object:${n}`, `O:8:"stdClass":1:{s:2:"id";i:${n};}`],
        ["SET", `bomb:${n}`, bomb],
      ]),
    )
    const { schema, specs } = await proposal()
    expect([...specs]).toEqual(
      expect.arrayContaining([
        [expect.stringContaining("object:"), { codec: "text" }],
        [expect.stringContaining("bomb:"), { codec: "bytes" }],
      ]),
    )
    expect((await audit(schema, server().driver)).findings).toEqual([])
  })
})
