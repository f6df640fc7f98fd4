/* What the compiler must know of a declaration, and what it must refuse. */

import { type } from "arktype"
import { expectTypeOf, test } from "vitest"
import * as z from "zod"
import {
  counter,
  database,
  day,
  either,
  entity,
  family,
  fixed,
  hash,
  id,
  int,
  inverse,
  json,
  keyspace,
  layout,
  list,
  map,
  oneOf,
  refersTo,
  sameIds,
  scope,
  set,
  string,
  text,
  unixSeconds,
  zset,
  type Codec,
  type Day,
  type Def,
  type NumericCodec,
  type ReadOf,
} from "../index.ts"
import type { Coded, CodedFields } from "./coded.ts"
import type { Invalid } from "./pattern.ts"

test("a bare schema, and an index on an unknown field, are refused with a sentence", () => {
  const User = z.object({ id: z.string(), email: z.string() })
  const valid = type({ id: "string" })
  type Sentence = Invalid<"a schema is not a codec: wrap it in json()">
  expectTypeOf<Coded<typeof User>>().toEqualTypeOf<Sentence>()
  expectTypeOf<Coded<typeof valid>>().toEqualTypeOf<Sentence>()
  expectTypeOf<CodedFields<{ a: typeof text; b: typeof User }>>().toEqualTypeOf<{
    readonly a: typeof text
    readonly b: Sentence
  }>()

  const wrapped = json(User)
  // @ts-expect-error: wrap it in json()
  void string("a", User)
  // @ts-expect-error: wrap it in json()
  void map("a", text, User)
  // @ts-expect-error: wrap it in json()
  void list("a", User)
  // @ts-expect-error: wrap it in json()
  void set("a", User)
  // @ts-expect-error: wrap it in json()
  void zset("a", User)
  // @ts-expect-error: wrap it in json()
  void hash("a", { user: User })
  // @ts-expect-error: wrap it in json()
  void entity("a:{id}", User)
  // @ts-expect-error: wrap it in json()
  void layout({ key: "{entity}:{id}" })("a", User)
  // The sentence is the error at the index itself, not one about the codec or about overloads.
  void entity("a:{id}", wrapped, {
    // @ts-expect-error: {emial} is not a field of this entity
    unique: { email: "a:email:{emial}" },
  })
})

const token = id("token")
const user = id("user")

test("a definition's kind, pattern, parameters and shape are all in its type", () => {
  const viewed = zset("viewed:{token}", int, { score: unixSeconds, params: { token } })
  expectTypeOf(viewed).toExtend<Def<"zset", "viewed:{token}">>()
  expectTypeOf(viewed.shape.score).toEqualTypeOf<NumericCodec<Date>>()
  expectTypeOf<ReadOf<(typeof viewed)["params"]["token"]>>().toExtend<string>()
  expectTypeOf(string("a", text)).toEqualTypeOf<Def<"string", "a", {}, { value: Codec<string> }>>()
  expectTypeOf(counter("a").shape.value).toEqualTypeOf<NumericCodec<number>>()
  expectTypeOf(zset("a", text).shape.score).toEqualTypeOf<NumericCodec<number>>()
  expectTypeOf(map("a", text, int).shape.value).toExtend<NumericCodec<number>>()
  expectTypeOf(map("a", text, int({ min: 0 })).shape.value).toEqualTypeOf<NumericCodec<number>>()
  // @ts-expect-error bounds are numbers
  int({ min: "0" })
  expectTypeOf(hash("a", { day }).shape.fields.day).toEqualTypeOf<Codec<Day>>()
})

test("what it knows survives groups and the keyspace", () => {
  const made = keyspace({
    live: database(0, "live", {
      service: scope("P:{project}:", { online: set("On:{day}", user, { params: { day } }), log: list("L", text) }),
      channel: family("Ch:{channel}", { ttl: "3h" }, { info: hash("", { name: text }) }),
    }),
  })
  const { service, channel } = made.entries.live.entries
  expectTypeOf(service.prefix).toEqualTypeOf<"P:{project}:">()
  expectTypeOf(service.entries.online.pattern).toEqualTypeOf<"On:{day}">()
  expectTypeOf<ReadOf<(typeof service.entries.online)["params"]["day"]>>().toEqualTypeOf<Day>()
  expectTypeOf(service.entries.log.params).toEqualTypeOf<{}>()
  expectTypeOf(channel.entries.info.shape.fields.name).toEqualTypeOf<Codec<string>>()
})

test("bad patterns are refused in the editor", () => {
  // @ts-expect-error two parameters touch
  string("a:{x}{y}", text)
  // @ts-expect-error a parameter needs a name
  string("a:{}", text)
  // @ts-expect-error a { without its }
  set("a:{x", text)
  // @ts-expect-error {x} appears twice
  scope("a:{x}:{x}:", {})
  // @ts-expect-error every object has one
  string("a:{constructor}", text)
  // @ts-expect-error a } without its {
  entity("user:id}", json(type({ id: "string" })))
})

test("wrong parameters, durations and caps are refused in the editor", () => {
  // @ts-expect-error there is no {dat} in the pattern
  string("log-{date}", text, { params: { dat: day } })
  // @ts-expect-error "10 minutes" is not a duration
  string("a", text, { ttl: "10 minutes" })
  // @ts-expect-error nor is a number
  string("a", text, { ttl: 600 })
  // @ts-expect-error one choice is not a choice
  either("30s")
  // @ts-expect-error fixed for ever makes no sense
  fixed("never")
  // @ts-expect-error a family has a deadline
  family("f:", {}, {})
  // @ts-expect-error a family's deadline is a duration
  family("f:", { ttl: "never" }, {})
  // @ts-expect-error a set has no order, so nothing is newest
  set("a", text, { keep: 5 })
  // @ts-expect-error a misspelled note
  string("a", text, { tll: "5m" })
})

const User = json(z.object({ id: z.string(), email: z.string(), roleId: z.string(), age: z.number() }))
const Role = json(z.object({ id: z.string(), name: z.string() }))

test("an entity's indexes are on fields that its pattern names and the record has", () => {
  const made = entity("user:{id}", User, {
    unique: { email: ["user:email:{email}", "mail:{email}"] },
    index: { role: "user:role:{roleId}", old: { patterns: "user:old:{roleId}", score: "age" } },
  })
  expectTypeOf<NonNullable<(typeof made)["~indexes"]>>().toEqualTypeOf<{
    readonly unique: { readonly email: "email" }
    readonly index: { readonly role: "roleId"; readonly old: "roleId" }
  }>()
  // @ts-expect-error {mail} is not a field of this entity
  entity("user:{id}", User, { unique: { email: "user:email:{mail}" } })
  // @ts-expect-error nor is it one of a hash
  entity("user:{id}", { id: text, email: text }, { index: { email: "user:email:{mail}" } })
})

test("a layout keeps the types of patterns and indexes", () => {
  const record = layout({ key: "{entity}:{id}", index: "{entity}:index:{index}:{value}" })
  const made = record("user", User, { unique: { email: "email" }, index: { role: ["roleId", "role:{roleId}:users"] } })
  expectTypeOf(made.pattern).toEqualTypeOf<"user:{id}">()
  expectTypeOf<NonNullable<(typeof made)["~indexes"]>["index"]>().toEqualTypeOf<{ readonly role: "roleId" }>()
  // @ts-expect-error "mail" is not a field of this entity
  record("user", User, { unique: { email: "mail" } })
  // @ts-expect-error a mirror may only name {roleId}
  record("user", User, { index: { role: ["roleId", "role:{role}:users"] } })
})

const entries = {
  user: entity("user:{id}", User, { index: { role: "user:role:{roleId}" }, unique: { email: "user:email:{email}" } }),
  role: entity("role:{id}", Role),
  members: set("role:{roleId}:members", user),
  note: string("note", text),
} as const

test("relations name entities, fields, indexes and sets that exist", () => {
  keyspace(entries, {
    relations: {
      user: { role: { one: "role", from: "roleId", inverse: "users" } },
      role: { users: { many: "user", by: "role" }, members: { many: "user", through: "members" } },
    },
  })
  // @ts-expect-error user has no field role_id
  keyspace(entries, { relations: { user: { role: { one: "role", from: "role_id" } } } })
  // @ts-expect-error there is no entity rol
  keyspace(entries, { relations: { user: { role: { one: "rol", from: "roleId" } } } })
  // @ts-expect-error user has no set index on e-mail
  keyspace(entries, { relations: { role: { users: { many: "user", by: "email" } } } })
  // @ts-expect-error a note has no members
  keyspace(entries, { relations: { role: { users: { many: "user", through: "note" } } } })
  // @ts-expect-error a plain key has no relations
  keyspace(entries, { relations: { note: {} } })
})

test("invariants name keys that exist, by their paths, and ids that have a name", () => {
  const plain = {
    login: map("login:", token, user),
    group: scope("g:", { recent: zset("recent:", token), subs: set("s:{user}", user) }),
  }
  keyspace(plain, { invariants: [sameIds(token, ["login", "group.recent"]), refersTo(user, "login", "group.subs")] })
  // @ts-expect-error recent is in the group
  keyspace(plain, { invariants: [sameIds(token, ["login", "recent"])] })
  // @ts-expect-error a group is not a key
  keyspace(plain, { invariants: [inverse("login", "group")] })
  // @ts-expect-error text has no name
  sameIds(text, ["login", "group.recent"])
})

test("choices stay choices", () => {
  const recent = zset("recent{category}", int, { params: { category: oneOf(1, 2, 3) } })
  expectTypeOf<ReadOf<(typeof recent)["params"]["category"]>>().toEqualTypeOf<1 | 2 | 3>()
})
