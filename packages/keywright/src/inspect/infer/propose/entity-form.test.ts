import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import { uuid } from "../mine/segments.cases.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import { times } from "../values/values.cases.ts"
import { entityForm } from "./entity-form.ts"
import { noIds } from "./proposal-params.ts"

const at = new Date(1_760_000_000_000).toISOString()
const documents = (more: object) =>
  patternFrom(
    "task:{int}",
    "string",
    times(20, String).map((n) => [JSON.stringify({ id: Number(n), ...more })]),
    ["id"],
  )
const entity = (pattern = documents({}), more: Partial<FoundEntity> = {}): FoundEntity => ({
  name: "task",
  pattern,
  idField: "id",
  indexes: [],
  ...more,
})
const mail = patternFrom("task:mail:{email}", "string", [["0"]], ["mail"])
const mirror = patternFrom("mail:{email}", "string", [["0"]], ["mail"])
const open = patternFrom("task:open", "set", [["0"]])
const hash = patternFrom(
  "task:{int}",
  "hash",
  times(20, String).map((n) => ["id", n, "name", `a ${n}`]),
  ["id"],
)
const uuids = patternOfKeys("task:{uuid}", "string", [[`task:${uuid(1)}`, [JSON.stringify({ id: uuid(1) })]]], {
  names: ["id"],
})

it.each<[string, object, FoundEntity]>([
  ["documents", { kind: "entity", pattern: "task:{id}", store: { as: "json" } }, entity()],
  ["hashes", { store: { as: "hash", fields: { id: { codec: "int" }, name: { codec: "text" } } } }, entity(hash)],
  ["a counter", { counter: "task:counter" }, entity(hash, { counter: patternFrom("task:counter", "string", [["3"]]) })],
  ["ids that are UUIDs", { ids: "uuid" }, entity(uuids)],
  ["a list of all", { all: "tasks" }, entity(hash, { all: patternFrom("tasks", "set", [["0"]]) })],
  [
    "an index and its mirror",
    { unique: { mail: { patterns: ["task:mail:{mail}", "mail:{mail}"] } } },
    entity(hash, { indexes: [{ name: "mail", unique: true, fields: ["mail"], patterns: [mail, mirror] }] }),
  ],
  [
    "an index of some, in order",
    { index: { open: { patterns: ["task:open"], where: { state: "open" }, score: "at" } } },
    entity(hash, {
      indexes: [{ name: "open", unique: false, fields: [], score: "at", where: { state: "open" }, patterns: [open] }],
    }),
  ],
  ["stamps", { stamps: ["createdAt", "updatedAt"] }, entity(documents({ createdAt: at, updatedAt: at }))],
  [
    "stamps of who it was",
    { stamps: ["createdAt", "updatedAt", "createdBy", "updatedBy"] },
    entity(documents({ createdAt: at, updatedAt: at, createdBy: "ann b", updatedBy: "ann b" })),
  ],
  ["ids in quotes", { quoted: true }, entity(hash, { quoted: true })],
  ["a secret field", { secret: ["password"] }, entity(documents({ password: "x y" }))],
])("an entity with %s", (_, form, given) => {
  expect(entityForm(given, noIds, "never")).toMatchObject(form)
})

it("says nothing of what it does not have, nor what is said around it", () => {
  const plain = entityForm(entity(documents({ createdAt: at })), noIds, "never")
  expect(Object.keys(plain)).toEqual(["kind", "pattern", "store"])
  expect(entityForm(entity(), noIds, undefined).ttl).toBeUndefined()
})
