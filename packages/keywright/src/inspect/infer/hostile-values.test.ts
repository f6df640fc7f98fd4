/* One value that somebody made, in a server that is otherwise as any: it stops neither infer nor the audit by what
 * infer proposed. */

import { expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { infer } from "./infer.ts"

const DEPTH = 20_000
const ids = Array.from({ length: 12 }, (_, i) => String(i))

/** Records with a field of this name, all ids, and an index by the field. */
const records = (field: string): Command[] => [
  ...ids.map((id): Command => ["SET", `u:${id}`, JSON.stringify({ id, ...JSON.parse(`{"${field}":"x${id}"}`) })]),
  ["SADD", "u:all", ...ids],
  ...ids.map((id): Command => ["SET", `u:by:${field}:x${id}`, id]),
]

const documents = (odd: string): Command[] => [
  ...ids.map((id): Command => ["SET", `page:${id}`, JSON.stringify({ title: `page ${id}`, body: [id] })]),
  ["SET", "page:99", odd],
]

onAnyServer("values that are made to stop infer", (server) => {
  it.each(["constructor", "__proto__", "toString", "\\ud800"])("a field that is called %s", async (field) => {
    await server().driver.batch(records(field))
    const { keys, explained, form } = await infer(server().driver)
    expect([keys, explained]).toEqual([25, 25])
    expect((await audit(fromJson(form), server().driver)).findings).toEqual([])
  })

  it.each([
    ["arrays", `{"title":"x","body":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`],
    ["objects", `{"title":"x","body":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}`],
    ["a list of lists", `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`],
  ])("a document of %s in each other", async (_, odd) => {
    await server().driver.batch(documents(odd))
    const { keys, form } = await infer(server().driver)
    expect(keys).toBe(13)
    const { findings } = await audit(fromJson(form), server().driver)
    expect(findings.map(({ key }) => key).filter((key) => key !== "page:99")).toEqual([])
  })
})
