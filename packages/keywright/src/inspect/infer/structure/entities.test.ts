import { expect, it } from "vitest"
import { askOf, type Held, patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { complete, entitiesOf } from "./entities.ts"

const ids = ["1", "2", "3"]
const hash = (spelling: string, fields: (id: string) => string[]): Pattern =>
  patternOfKeys(
    spelling,
    "hash",
    ids.map((id) => [spelling.replace(/\{\w+\}/, id), fields(id)]),
  )
const records = (name: string, more: (id: string) => string[] = () => []): Pattern =>
  hash(`${name}:{int}`, (id) => ["id", id, "name", `n ${id}`, ...more(id)])

it.each<[string, string | undefined, Pattern]>([
  ["hashes that hold the id of their key", "user.id", records("users")],
  [
    "documents that hold it",
    "order.code",
    patternOfKeys(
      "order:{slug}",
      "string",
      ids.map((id) => [`order:a-${id}`, [JSON.stringify({ code: `a-${id}`, n: 1 })]]),
    ),
  ],
  [
    "records that hold it under a name of their own",
    "user.number",
    hash("user:{int}", (id) => ["number", id, "name", `n ${id}`]),
  ],
  ["records with another id", undefined, hash("user:{int}", (id) => ["id", `9${id}`, "name", `n ${id}`])],
  [
    "records of which one has another id",
    undefined,
    hash("user:{int}", (id) => ["id", id === "3" ? "7" : id, "name", "a b"]),
  ],
  ["texts", undefined, patternFrom("user:{int}", "string", [["0"], ["1"], ["2"]])],
  [
    "records by two parameters",
    undefined,
    patternOfKeys("a:{int}:{int}", "hash", [["a:1:1", ["id", "1", "name", "a b"]]]),
  ],
  [
    "a record without a parameter",
    undefined,
    patternOfKeys("config", "hash", [["config", ["id", "1", "name", "a b"]]]),
  ],
])("%s are the entity %s", (_, expected, pattern) => {
  expect(entitiesOf([pattern]).map(({ name, idField }) => `${name}.${idField}`)).toEqual(expected ? [expected] : [])
})

it("gives two entities two names", () => {
  const both = [records("user"), hash("old:user:{int}", (id) => ["id", id, "mail", `m ${id}`])]
  expect(entitiesOf(both).map(({ name }) => name)).toEqual(["user", "user2"])
})

const single = (key: string, type: string, elements: string[]) => patternOfKeys(key, type, [[key, elements]])
async function completed(user: Pattern, ...others: Pattern[]) {
  const entities = entitiesOf([user])
  await complete(entities, [user, ...others], askOf([user, ...others]))
  return entities[0]!
}
const user = () => records("user", (id) => ["mail", `u${id}@x.org`])
const mails = (spelling: string): Pattern => {
  const held: Held = ids.map((id) => [spelling.replace(/\{\w+\}/, `u${id}@x.org`), [id]])
  return patternOfKeys(spelling, "string", held)
}

it.each<[string, boolean, Pattern]>([
  ["a set of all ids that names them", true, single("users", "set", ids)],
  ["a set that lacks one", false, single("users", "set", ids.slice(1))],
  ["a set with more", false, single("users", "set", [...ids, "9"])],
  ["a set of the same numbers of something else", false, single("posts", "set", ids)],
])("%s is the list of all: %s", async (_, is, all) => {
  expect((await completed(user(), all)).all).toBe(is ? all : undefined)
})

it.each<[string, boolean, Pattern]>([
  ["as high as the highest id", true, single("user:counter", "string", ["3"])],
  ["lower than the highest id", false, single("user:counter", "string", ["2"])],
  ["of something else", false, single("post:counter", "string", ["3"])],
  ["of visits", false, single("user:visits", "string", ["3"])],
])("a counter %s gives the ids: %s", async (_, is, counter) => {
  expect((await completed(user(), counter)).counter).toBe(is ? counter : undefined)
})

it("joins patterns on the same fields: what begins as the records do is the index, the other its mirror", async () => {
  const [mirror, index] = [mails("login:{email}"), mails("user:mail:{email}")]
  const { indexes } = await completed(user(), mirror, index)
  expect(indexes).toEqual([{ name: "mail", unique: true, fields: ["mail"], patterns: [index, mirror] }])
  expect([index.names, mirror.names]).toEqual([["mail"], ["mail"]])
})

it("leaves a pattern out that holds the ids in another form than the rest", async () => {
  const quoted = patternOfKeys(
    "user:mail:{email}",
    "string",
    ids.map((id) => [`user:mail:u${id}@x.org`, [`"${id}"`]]),
  )
  const { quoted: form, indexes } = await completed(user(), single("users", "set", ids), quoted)
  expect([form, indexes]).toEqual([false, []])
  expect((await completed(user(), quoted)).indexes.length).toBe(1)
})

const many = Array.from({ length: 60 }, (_, i) => String(i + 1))
const people = () =>
  patternOfKeys(
    "user:{int}",
    "hash",
    many.map((id) => [`user:${id}`, ["id", id, "name", `n ${id}`]]),
  )
it.each<[string, string | undefined, Pattern[]]>([
  ["one too few, where the keys begin alike", "user:list", [single("user:list", "set", many.slice(0, -1))]],
  ["one too few, of another program", undefined, [single("shop:idsets:User", "set", many.slice(0, -1))]],
  ["one too many, of another program", undefined, [single("shop:idsets:User", "set", [...many, "61"])]],
  ["exactly the same ones, whatever the keys begin with", "shop:users", [single("shop:users", "set", many)]],
  [
    "the same ones twice: where the keys begin alike",
    "user:list",
    [single("shop:users", "set", many), single("user:list", "set", many)],
  ],
])("a set that has %s: %s", async (_, all, sets) => {
  expect((await completed(people(), ...sets)).all?.row.pattern()).toBe(all)
})
