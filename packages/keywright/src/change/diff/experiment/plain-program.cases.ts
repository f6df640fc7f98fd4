/* A program that works with one plain key, of any kind. */

import type { Keyspace } from "../../../index.ts"
import type { Driver } from "../../../driver/driver.ts"
import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { Key } from "../../../schema/key.ts"
import type { Any, Item, Program } from "./program.cases.ts"
import { itemsOf } from "./sample-items.cases.ts"

export function plainProgram(keyspace: Keyspace, db: Any, name: string, driver: Driver, most: number): Program {
  const key = keyspace.keys.find((one) => one.name === name)!
  const entry = name.split(".").reduce((at, part) => at[part], db)
  // The shard follows from the others.
  const names = Object.keys(key.params).filter((one) => key.params[one]!.shard === undefined)
  const handle = (item: Item): Any => {
    const { shard: _, ...params } = item.params
    // Ids are handed over as they are meant; parameters of another name by their place.
    const given = Object.values(params)
    const own = names.map((one, i) => [one, carried(one in params ? params[one] : (given[i] ?? "1"), key.params[one]!)])
    return names.length === 0 ? entry() : entry(Object.fromEntries(own))
  }
  const verbs = verbsOf[key.kind]!
  const notes = key.ttl?.on === "choice" ? { ttl: shortest(key) } : key.ttl?.on === "bound" ? { ttl: "1h" } : undefined
  const read = async (item: Item) =>
    (await isMissed(handle(item), key, item)) ? undefined : verbs.read(handle(item), item.content)
  return {
    keyspace,
    key,
    items: itemsOf(key).slice(0, most),
    write: async (item) => {
      await verbs.write(handle(item), item.content, notes)
      if (item.raw !== undefined) await driver.send(["SET", handle(item).key, item.raw])
      return item
    },
    read,
    peek: read,
    left: async (item) => {
      const left = await handle(item).ttl()
      return left === "never" ? Infinity : left === "missing" ? 0 : left
    },
    age: async (item, ms) => {
      const left = (await handle(item).ttl()) as number
      return driver.send(["PEXPIRE", handle(item).key, String(left - ms)])
    },
  }
}

/** Whether a program that looks for a member, or for a field, does not find what is there. */
async function isMissed(handle: Any, { kind, shape }: Key, { content }: Item): Promise<boolean> {
  const { member, field } = shape as Partial<Record<"member" | "field", AnyCodec>>
  const codec = member ?? field
  if (codec === undefined || !["set", "zset", "map"].includes(kind) || !Array.isArray(content)) return false
  // A cap drops some.
  if ((await handle.size()) < content.length) return false
  for (const one of content as Any[]) {
    const name = carried(kind === "set" ? one : one[0], codec)
    // What it cannot name, it does not look for.
    if (!fits(name, codec)) continue
    const isThere = kind === "zset" ? (await handle.score(name)) !== undefined : await handle.has(name)
    if (!isThere) return true
  }
  return false
}

/** The same id for another codec: a number where text is wanted, and the other way round. */
function carried(id: unknown, codec: AnyCodec): unknown {
  const forms = [id, String(id), ...(String(Number(id)) === id ? [Number(id)] : [])]
  return forms.find((form) => fits(form, codec)) ?? id
}

function fits(value: unknown, codec: AnyCodec): boolean {
  try {
    codec.encode(value)
    return true
  } catch {
    return false
  }
}

const shortest = ({ ttl }: Key): string => {
  const choices = ttl?.on === "choice" ? ttl.choices : []
  return choices.includes("never") ? "never" : `${Math.min(...(choices as number[]))}ms`
}

interface Verbs {
  write(handle: Any, content: Any, notes: object | undefined): Promise<unknown>
  read(handle: Any, content: Any): Promise<unknown>
}

const verbsOf: Readonly<Record<string, Verbs>> = {
  string: { write: (h, c, n) => h.set(c, n), read: (h) => h.get() },
  counter: { write: (h, c, n) => h.set(c, n), read: async (h) => ((await h.exists()) ? h.get() : undefined) },
  hash: { write: (h, c, n) => h.replace(c, n), read: (h) => h.get() },
  map: { write: (h, c, n) => h.setMany(c, n), read: async (h) => emptyAs(await h.all()) },
  list: { write: (h, c, n) => h.pushRightMany(c, n), read: async (h) => emptyAs(await h.range(0, -1)) },
  set: { write: (h, c, n) => h.addMany(c, n), read: async (h) => emptyAs(await h.members()) },
  zset: { write: (h, c, n) => h.addMany(c, n), read: async (h) => emptyAs(await h.rangeWithScores(0, -1)) },
  stream: {
    write: (h, c, n) => h.append(c, n),
    read: async (h) => {
      const found = await h.range()
      return found.at(-1)?.value
    },
  },
  bitmap: {
    write: (h, c, n) => h.setMany(c, true, n),
    read: async (h) => ((await h.exists()) ? bits(await h.getMany([...Array(64).keys()])) : undefined),
  },
  hyperloglog: {
    write: (h, c, n) => h.addMany(c, n),
    read: async (h, c) => ((await h.exists()) && (await h.count()) === c.length ? c : (await h.count(), undefined)),
  },
  geo: {
    write: (h, c, n) => h.addMany(c, n),
    read: async (h, c) =>
      (await h.size()) === c.length ? h.positions(c.map(([member]: [unknown]) => member)).then(() => c) : undefined,
  },
}

const bits = (found: boolean[]): number[] => found.flatMap((bit, i) => (bit ? [i] : []))

const emptyAs = <T>(found: T): T | undefined =>
  (Array.isArray(found) && found.length === 0) || (found instanceof Map && found.size === 0) ? undefined : found
