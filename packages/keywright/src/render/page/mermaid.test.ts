import { expect, it } from "vitest"
import * as z from "zod"
import { entity, id, json, keyspace, map, set, string, text, zset, type Keyspace } from "../../index.ts"
import { mermaid } from "./mermaid.ts"

const params = { token: id("token") }
const Doc = json(z.object({ id: z.string(), "role id": z.string() }))

it.each<[string, object, object, string[]]>([
  ["nothing", { a: string("a", text) }, {}, []],
  ["one to many", { v: set("v:{token}", id("item")) }, { params }, ["  token", "  item", '  token ||--o{ item : "v"']],
  ["one to one", { m: map("m", params.token, id("user")) }, {}, ["  token", "  user", '  token ||--|| user : "m"']],
  ["rows of a box", { r: zset("recent:", params.token) }, {}, ["  token {", "    zset recent", "  }"]],
  ["names as words", { p: entity("p:{id}", Doc) }, {}, ["  p {", "    text id", "    text role_id", "  }"]],
])("writes %s", (_, entries, options, lines) => {
  const schema = keyspace(entries as Record<string, never>, options) as Keyspace
  expect(mermaid(schema)).toBe(["erDiagram", ...lines, ""].join("\n"))
})
