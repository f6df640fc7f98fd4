/* A program that writes records until it is killed, and says on its output what it is
 * about to do and what was acknowledged; and how to deduce from that what may be in the
 * database afterwards. */

import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { EntityRule } from "./index-checker.cases.ts"

/** What the program below declares. */
export const menu = keyspace(
  {
    dish: entity(
      "dish:{id}",
      json(
        z.object({
          id: z.string(),
          code: z.string(),
          category: z.string(),
          at: z.number(),
          sale: z.boolean(),
          step: z.number(),
        }),
      ),
      {
        all: "dish:list",
        unique: { code: "dish:code:{code}" },
        index: {
          category: ["dish:index:category:{category}", "category:{category}:dishes"],
          dates: { patterns: "dish:dates:{category}", score: "at" },
          sale: { patterns: "dish:sale:{category}", where: { sale: true } },
        },
      },
    ),
  },
  { ttl: "never" },
)

export const dishRule: EntityRule = {
  head: "dish:",
  list: "dish:list",
  indexes: [
    { kind: "unique", patterns: ["dish:code:{code}"] },
    { kind: "set", patterns: ["dish:index:category:{category}", "category:{category}:dishes"] },
    { kind: "zset", patterns: ["dish:dates:{category}"], score: "at" },
    { kind: "set", patterns: ["dish:sale:{category}"], where: { sale: true } },
  ],
}

/** argv: url, mode ("keywright" or "naive"), seed. Lines: `i id step json|-` before, `a id step` after. */
export const writerProgram = `
import { connect, entity, json, keyspace } from "keywright"
import * as z from "zod"
const [url, mode, seed] = process.argv.slice(-3)
const Dish = z.object({ id: z.string(), code: z.string(), category: z.string(), at: z.number(), sale: z.boolean(), step: z.number() })
const menu = keyspace({
  dish: entity("dish:{id}", json(Dish), {
    all: "dish:list",
    unique: { code: "dish:code:{code}" },
    index: {
      category: ["dish:index:category:{category}", "category:{category}:dishes"],
      dates: { patterns: "dish:dates:{category}", score: "at" },
      sale: { patterns: "dish:sale:{category}", where: { sale: true } },
    },
  }),
}, { ttl: "never" })
const db = await connect(menu, url)
const send = (...command) => db.$driver().send(command)
const naive = {
  async get(id) { const raw = await send("GET", "dish:" + id); return raw === null ? undefined : JSON.parse(raw) },
  async put(next, old) {
    await send("SET", "dish:" + next.id, JSON.stringify(next))
    await send("SADD", "dish:list", next.id)
    if (old) await naive.drop(old)
    await send("SET", "dish:code:" + next.code, next.id)
    await send("SADD", "dish:index:category:" + next.category, next.id)
    await send("SADD", "category:" + next.category + ":dishes", next.id)
    await send("ZADD", "dish:dates:" + next.category, String(next.at), next.id)
    if (next.sale) await send("SADD", "dish:sale:" + next.category, next.id)
  },
  async drop(old) {
    await send("DEL", "dish:code:" + old.code)
    await send("SREM", "dish:index:category:" + old.category, old.id)
    await send("SREM", "category:" + old.category + ":dishes", old.id)
    await send("ZREM", "dish:dates:" + old.category, old.id)
    await send("SREM", "dish:sale:" + old.category, old.id)
  },
  async create(next) { await naive.put(next) },
  async update(old, next) { await naive.put(next, old) },
  async delete(old) {
    await send("DEL", "dish:" + old.id)
    await send("SREM", "dish:list", old.id)
    await naive.drop(old)
  },
}
const store = mode === "naive" ? naive : { get: (id) => db.dish.get(id), create: (next) => db.dish.create(next), update: (old, next) => db.dish.update(old, next), delete: (old) => db.dish.delete(old) }
let random = Number(seed)
const next = (n) => { random = (random * 1103515245 + 12345) % 2147483648; return random % n }
// Waits until the line has left the process: what a full pipe still holds back is lost when it is killed.
const say = (line) => new Promise((left) => process.stdout.write(line + "\\n", left))
async function lane(l) {
  for (let step = Date.now() * 1000 + l; ; step += 8) {
    const id = "d" + l + "-" + next(4)
    const old = await store.get(id)
    const fresh = { id, code: "c" + l + "-" + step, category: "k" + next(5), at: next(1000), sale: next(2) === 1, step }
    const gone = old && next(4) === 0
    await say("i " + id + " " + step + " " + (gone ? "-" : JSON.stringify(fresh)))
    if (gone) await store.delete(old)
    else if (old) await store.update(old, fresh)
    else await store.create(fresh)
    await say("a " + id + " " + step)
  }
}
await say("ready")
await Promise.allSettled(Array.from({ length: 8 }, (_, l) => lane(l)))
`

/** What the lines say of each record: the states that it may be in now, as JSON or "-" for none. */
export function possibleStates(lines: readonly string[]): Map<string, Set<string>> {
  const states = new Map<string, Set<string>>()
  const intents = new Map<string, string>()
  for (const line of lines) {
    const [kind, id, step, ...rest] = line.split(" ") as [string, string, string, ...string[]]
    if (kind === "i") {
      const state = rest.join(" ")
      intents.set(`${id} ${step}`, state)
      states.set(id, new Set([...(states.get(id) ?? ["?"]), state]))
    } else if (kind === "a") states.set(id, new Set([intents.get(`${id} ${step}`)!]))
  }
  return states
}
