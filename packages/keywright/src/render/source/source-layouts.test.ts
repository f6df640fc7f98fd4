import { expect, it } from "vitest"
import type { EntityForm } from "../../schema/json/form.ts"
import { commonConvention, type Convention, following, isOf } from "./source-layouts.ts"

const entity = (pattern: string, more: Partial<EntityForm> = {}): EntityForm => ({
  kind: "entity",
  pattern,
  store: { as: "json", value: { codec: "json" } },
  ...more,
})
const user = entity("user:{id}", {
  counter: "user:next",
  all: "user:all",
  unique: { email: { patterns: ["user:by:email:{email}"] } },
})
const role = entity("role:{id}", { all: "role:all" })

it.each<[string, EntityForm, word: string | undefined, Convention?]>([
  [
    "key, counter, list and index",
    user,
    "user",
    { key: "{entity}:{id}", counter: "{entity}:next", all: "{entity}:all", index: "{entity}:by:{index}:{value}" },
  ],
  ["a key alone", entity("app/user/{id}"), "user", { key: "app/{entity}/{id}" }],
  ["no hash", { ...user, store: { as: "hash", fields: {} } }, undefined],
  ["no key without a word", entity("{id}"), undefined],
  ["no word that comes twice", entity("user:user:{id}"), undefined],
  [
    "no indexes of different kinds",
    entity("user:{id}", { index: { a: { patterns: ["user:a:{a}"] }, b: { patterns: ["user:by:b:{b}"] } } }),
    undefined,
  ],
  ["no index without its name", entity("user:{id}", { index: { mail: { patterns: ["user:x:{email}"] } } }), undefined],
])("finds the convention of %s", (_, form, word, convention) => {
  expect(following(form)).toEqual(word === undefined ? undefined : { word, convention })
})

it("takes the convention that two follow, with what only some have", () => {
  const both = [user, role].map(following)
  const common = commonConvention(both)!
  expect(common).toEqual(following(user)!.convention)
  expect(both.map((one) => isOf(one, common))).toEqual([true, true])
  expect(isOf(following(entity("shop:{id}")), common)).toBe(false)
  expect(isOf(following(entity("shop:{id}", { all: "shop:all", counter: "other" })), common)).toBe(false)
  expect(commonConvention([following(user), undefined])).toBeUndefined()
})
