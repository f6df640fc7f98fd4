/* A schema that was recorded on a server, or is in a file, and that was made so that reading or comparing it never ends. */

import { expect, it } from "vitest"
import { diffSchemas } from "../change/diff/diff.ts"
import type { KeyspaceForm } from "../schema/json/form.ts"
import { readStored } from "./schema-on-server.ts"

const TIMEOUT_MS = 500
const endless = "^(?:[a-z]+)+$"
const long = `${"a".repeat(60)}!`

const schemaOf = (codec: object): KeyspaceForm =>
  ({
    version: 1,
    ttl: "never",
    entries: { note: { kind: "string", pattern: "note:{id}", shape: { value: codec } } },
  }) as never

const idOf = (matching: string, example: string) => ({
  codec: "id",
  name: "note",
  of: { codec: "text" },
  matching,
  example,
})

/** Each refers twice to the next. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `d${i}`,
    i === 59 ? {} : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
  ]),
)
const forms = {
  "an expression that its own example keeps busy": schemaOf(idOf(endless, long)),
  "a JSON Schema whose references double": schemaOf({
    codec: "json",
    schema: { $ref: "#/$defs/d0", $defs: doubling },
  }),
}

for (const [what, form] of Object.entries(forms))
  it(`${what} is refused in time`, () => {
    const read = () => readStored(JSON.stringify(form), "redis://server", TIMEOUT_MS)
    expect(read).toThrow(expect.objectContaining({ code: "DIFF.STORED_SCHEMA" }))
    expect(() => diffSchemas(form, form, { timeoutMs: TIMEOUT_MS })).toThrow(
      expect.objectContaining({ code: "KEYSPACE.TOO_LARGE" }),
    )
  })

it("an expression that the other side's example keeps busy is not compared for ever", () => {
  const [before, after] = [schemaOf(idOf(endless, "abc")), schemaOf(idOf("^.{61}$", long))]
  expect(readStored(JSON.stringify(before), "redis://server")).toEqual(before)
  expect(() => diffSchemas(before, after, { timeoutMs: TIMEOUT_MS })).toThrow(
    expect.objectContaining({ code: "KEYSPACE.TOO_LARGE" }),
  )
})
