/* Random schemas with secrets in random places, and commands that fill a server for them: every secret place holds
 * canaries, and no other place does. Much of the data is wrong: other types, values that no codec reads, cut documents,
 * index entries that are missing or left over, ids that lead nowhere. */

import * as z from "zod"
import type { Command, Wire } from "../driver/driver.ts"
import { anyOf } from "./codec/any-of.ts"
import { compressed } from "./codec/bytes.ts"
import type { AnyCodec } from "./codec/codec.ts"
import { isoInstant, unixSeconds } from "./codec/date.ts"
import { delimited, many } from "./codec/delimited.ts"
import { id } from "./codec/id.ts"
import { json } from "./codec/json.ts"
import { messagePack } from "./codec/message-pack.ts"
import { float, int } from "./codec/number.ts"
import { quoted } from "./codec/quoted.ts"
import { text } from "./codec/text.ts"
import { optional, secret } from "./codec/wrap.ts"
import { compare } from "./compare.ts"
import { type Def, geo, hash, list, map, set, stream, string, zset } from "./define.ts"
import { entity } from "./entity.ts"
import { excludes } from "./excludes.ts"
import { scope } from "./group.ts"
import { hideSecrets } from "./hidden-secrets.ts"
import { inverse, refersTo, sameIds } from "./invariant.ts"
import { type Keyspace, keyspace } from "./keyspace.ts"
import { at } from "./place.ts"

hideSecrets() // as what reads values does when it is loaded, which is before any schema

export interface RandomSecrets {
  readonly keyspace: Keyspace
  readonly commands: readonly Command[]
  /** Texts that nobody may see. */
  readonly canaries: readonly string[]
  /** Records to create, by entity: with canaries in the same fields. */
  readonly records: readonly (readonly [entity: string, record: Readonly<Record<string, unknown>>])[]
}

/** A part of a value: its codec, and what may be stored there. */
interface Place {
  readonly codec: AnyCodec
  readonly raw: () => Wire
}

const LISTED = ["pin", "code"]
const FIELDS = ["id", "mail", "team", "rank", "ref"]

/** `random` returns numbers from 0 to below 1. */
export function randomSecrets(random: () => number): RandomSecrets {
  const chance = (part: number) => random() < part
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const canaries: string[] = []
  const commands: Command[] = []
  const records: [string, Record<string, unknown>][] = []
  const told = <T>(value: T): T => (canaries.push(String(value)), value)
  const digits = (isHot: boolean) => (isHot ? told(7e9 + Math.floor(random() * 1e9)) : Math.floor(random() * 9))
  const word = (isHot: boolean) => (isHot ? told(`kx${random().toString(36).slice(2, 12)}`) : `plain${pick([1, 2, 3])}`)
  const marked = <C extends AnyCodec>(isSecret: boolean, codec: C): C => (isSecret ? secret(codec) : codec)
  const cut = (raw: Wire): Wire => (chance(0.2) ? raw.slice(0, -1) : raw)

  /** Its listed fields hold canaries; if it is secret as a whole, all of them do. */
  const document = (isHot: boolean, listed: readonly string[], depth = 0): object => {
    const inner = (isIn: boolean) =>
      depth < 2 && chance(0.3) ? document(isIn, listed, depth + 1) : pick([word, digits])(isIn)
    const of = Object.fromEntries(["name", ...LISTED].map((name) => [name, inner(isHot || listed.includes(name))]))
    return chance(0.2) ? { all: [of], text: JSON.stringify(of) } : of
  }
  const quoting = { error: ({ input }: { input?: unknown }) => `refused ${JSON.stringify(input)}` }
  const schemas = [
    z.any(),
    z.any().refine(() => false, quoting),
    z.looseObject({ pin: z.any().refine(() => false, quoting) }),
    z.any().transform((of: { pin?: unknown }) => ({ other: of?.pin })),
    z.any().transform((of) => JSON.stringify(of)),
  ]
  const part = (isWhole: boolean, listed: readonly string[]): Place => {
    const isSecret = chance(0.4)
    const isHot = isWhole || isSecret
    const of = json(pick(schemas) as z.ZodType)
    const doc = () => JSON.stringify(document(isHot, listed))
    const { codec, raw } = pick<Place>([
      { codec: text, raw: () => word(isHot) },
      { codec: int, raw: () => String(pick([word, digits])(isHot)) },
      { codec: isoInstant, raw: () => word(isHot) },
      { codec: compressed(text), raw: () => compressed(text).encode(word(isHot)) },
      { codec: delimited("|", { name: text, pin: text }), raw: () => `a|${word(isHot || listed.includes("pin"))}` },
      { codec: of, raw: () => cut(doc()) },
      { codec: messagePack(of), raw: () => messagePack(json(z.any())).encode(document(isHot, listed)) },
      { codec: quoted(of), raw: () => JSON.stringify(doc()) },
      { codec: many(of, "#"), raw: () => cut(`${doc()}#${doc()}`) },
      { codec: anyOf(int, of), raw: () => cut(doc()) },
      { codec: text, raw: doc },
    ])
    return { codec: marked(isSecret, codec), raw }
  }

  /** A plain key with some values. */
  const plain = (name: string, prefix = ""): Def => {
    const isWhole = chance(0.2)
    const listed = LISTED.filter(() => !isWhole && chance(0.4))
    const inKey = chance(0.4)
    const notes = {
      ...((isWhole || listed.length > 0) && { secret: isWhole ? (true as const) : listed }),
      ...(inKey && { params: { id: secret(text) } }),
    }
    const [one, other] = [part(isWhole, listed), part(isWhole, listed)]
    const fields = Object.fromEntries(
      ["name", ...LISTED].map((field) => [field, part(isWhole || listed.includes(field), listed)]),
    )
    const codecs = Object.fromEntries(Object.entries(fields).map(([field, { codec }]) => [field, optional(codec)]))
    const pairs = () => Object.entries(fields).flatMap(([field, { raw }]) => [field, raw()])
    const [isScore, isName] = [chance(0.4), chance(0.4)]
    const score = () => String(digits(isWhole || isScore))
    const pattern = `${name}:{id}` as const
    const [def, write] = pick<() => [unknown, (key: string) => Command]>([
      () => [string(pattern, one.codec as never, notes), (key) => ["SET", key, one.raw()]],
      () => [hash(pattern, codecs, notes), (key) => ["HSET", key, ...pairs()]],
      () => [stream(pattern, codecs, notes), (key) => ["XADD", key, "*", ...pairs()]],
      () => [list(pattern, one.codec as never, notes), (key) => ["RPUSH", key, one.raw(), one.raw()]],
      () => [set(pattern, one.codec as never, notes), (key) => ["SADD", key, one.raw(), one.raw()]],
      () => [geo(pattern, one.codec as never, notes), (key) => ["GEOADD", key, "13.36", "38.11", one.raw()]],
      () => [
        map(pattern, marked(isName, text), other.codec as never, notes),
        (key) => ["HSET", key, word(isWhole || isName), other.raw()],
      ],
      () => [
        zset(pattern, one.codec as never, {
          ...notes,
          score: marked(isScore, pick([int, float, unixSeconds])) as never,
        }),
        (key) => ["ZADD", key, score(), one.raw(), score(), one.raw()],
      ],
    ])()
    const key = () => `${prefix}${name}:${word(inKey)}`
    commands.push(write(key()), write(key()), write(key()))
    // A key of another type does not say what is secret.
    if (isWhole || inKey || listed.length > 0) {
      const [other, isText] = [key(), commands.at(-1)![0] === "SET"]
      commands.push(["DEL", other], [isText ? "RPUSH" : "SET", other, word(true)])
    }
    return def as Def
  }

  /** An entity, with records and what may be in its indexes. */
  const record = (name: string, prefix = "") => {
    const [isHash, isWhole] = [chance(0.5), chance(0.15)]
    const hot = FIELDS.filter(() => chance(0.35))
    const isHot = (field: string) => isWhole || hot.includes(field)
    const isListed = !isHash || chance(0.5)
    const coded = (field: string) => marked(!isListed && hot.includes(field), field === "rank" ? int : text)
    const make = (): Record<string, unknown> =>
      Object.fromEntries(FIELDS.map((field) => [field, (field === "rank" ? digits : word)(isHot(field))]))
    for (let i = 0; i < 4; i++) {
      const doc = make()
      const key = `${prefix}${name}:${String(doc["id"])}`
      const all = Object.entries(doc).flatMap(([field, value]) => (chance(0.9) ? [field, String(value)] : []))
      commands.push(isHash ? ["HSET", key, "id", String(doc["id"]), ...all] : ["SET", key, cut(JSON.stringify(doc))])
      // What leads to this record, to another one, or nowhere.
      const of = (field: string) => String((chance(0.7) ? doc : make())[field])
      commands.push(
        ...[
          ["SET", `${prefix}${name}:mail:${of("mail")}`, of("id")],
          ["SADD", `${prefix}${name}:both:${of("team")}:${of("rank")}`, of("id")],
          ["ZADD", `${prefix}${name}:ranked:${of("team")}`, of("rank"), of("id")],
          ["SADD", `${prefix}${name}:all`, of("id")],
        ].filter(() => chance(0.7)),
      )
    }
    if (prefix === "") records.push([name, make()], [name, { ...make(), rank: word(isHot("rank")) }])
    const fields = Object.fromEntries(FIELDS.map((field) => [field, coded(field)]))
    const shape = z.object({ id: z.string(), mail: z.string(), team: z.string(), rank: z.number(), ref: z.string() })
    return entity(`${name}:{id}`, (isHash ? fields : json(shape)) as never, {
      all: `${name}:all`,
      unique: { mail: [`${name}:mail:{mail}`, `${name}:mail2:{mail}`] },
      index: {
        both: `${name}:both:{team}:{rank}`,
        ranked: { patterns: `${name}:ranked:{team}`, score: "rank" },
        some: { patterns: `${name}:some`, where: { team: "plain1" } },
      } as never,
      ...(isWhole ? { secret: true as const } : isListed && hot.length > 0 ? { secret: hot } : {}),
    })
  }

  /** Keys with rules between them; an id is secret in all of its places, or in none. */
  const ruled = () => {
    const [isToken, isUser, isRoom, isLow, isHigh] = [chance(0.5), chance(0.5), chance(0.5), chance(0.5), chance(0.5)]
    const [token, user, room] = [id("token"), id("user"), id("room")]
    const codecs = { token: marked(isToken, token), user: marked(isUser, user), room: marked(isRoom, room) }
    const [both, who] = [word(isRoom), word(isUser)]
    commands.push(
      ["HSET", "login", word(isToken), "a", word(isToken), "b"],
      ["ZADD", "recent", String(digits(isLow)), word(isToken)],
      ["SADD", `members:${both}`, who, word(isUser)],
      ["SADD", `banned:${both}`, who],
      ["SADD", `rooms:${word(isUser)}`, word(isRoom)],
      [
        "HSET",
        `set:${word(isToken)}`,
        "low",
        String(digits(isLow)),
        "high",
        String(digits(isHigh)),
        "of",
        word(isToken),
      ],
    )
    const entries = {
      login: map("login", codecs.token, text),
      recent: zset("recent", codecs.token, { score: marked(isLow, int) }),
      members: set("members:{room}", codecs.user, { params: { room: codecs.room } }),
      banned: set("banned:{room}", codecs.user, { params: { room: codecs.room } }),
      rooms: set("rooms:{user}", codecs.room, { params: { user: codecs.user } }),
      set: hash(
        "set:{token}",
        { low: marked(isLow, int), high: marked(isHigh, int), of: codecs.token },
        { params: { token: codecs.token } },
      ),
    }
    const invariants = [
      sameIds(token, ["login", "recent"]),
      refersTo(token, at("set", "of"), "login"),
      inverse("members", "rooms"),
      excludes("banned", "members"),
      compare(at("set", "low"), pick(["<", "=", ">"]), at("set", "high")),
      compare(at("recent", "score"), "<", 1),
      compare(at("set", "{token}"), "=", at("set", "of")),
    ]
    return { entries, invariants }
  }

  const { entries, invariants } = ruled()
  const isArea = chance(0.5)
  const prefix = `area:${word(isArea)}:`
  const inside = { p9: plain("p9", prefix), e9: record("e9", prefix) }
  const names = ["p1", "p2", "p3", "p4", "p5", "p6"]
  const made = keyspace(
    {
      ...Object.fromEntries(names.map((name) => [name, plain(name)])),
      e1: record("e1"),
      e2: record("e2"),
      area: scope("area:{area}:", inside, { params: { area: marked(isArea, text) } }),
      ...entries,
    } as never,
    {
      name: "random",
      ttl: "never",
      invariants: invariants as never,
      relations: { e1: { to: { one: "e2", from: "ref" } } } as never,
    },
  )
  return { keyspace: made as unknown as Keyspace, commands, canaries, records }
}
