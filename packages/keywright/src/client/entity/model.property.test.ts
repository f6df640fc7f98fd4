/* The repository against a plain model in memory: random commands, fast-check's
 * shrinking, and after each step the raw keys, which the checker of the fault suites
 * reads on its own. On the embedded engine, for speed. */

import { type Engine, start } from "@keywright/embedded"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { isFull } from "../../../../../test/full.ts"
import { KeywrightError } from "../../errors/error.ts"
import { json } from "../../schema/codec/json.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { indexViolations, type EntityRule } from "./index-checker.cases.ts"

const RUNS = isFull ? 1000 : 60

const Item = z.object({
  id: z.string(),
  code: z.string().nullable().optional(),
  shelf: z.string().optional(),
  rank: z.number().nullable().optional(),
  open: z.boolean().optional(),
  count: z.number().optional(),
})
type Item = z.infer<typeof Item>
type Patch = { [F in Exclude<keyof Item, "id">]?: Item[F] | undefined }

const store = keyspace(
  {
    item: entity("item:{id}", json(Item), {
      counter: "item:counter",
      all: "item:list",
      unique: { code: ["item:code:{code}", "code:{code}:item"] },
      index: {
        shelf: ["item:shelf:{shelf}", "shelf:{shelf}:items"],
        open: { patterns: "item:open:{shelf}", where: { open: true } },
        ranked: { patterns: "item:ranked:{shelf}", score: "rank" },
      },
    }),
  },
  { ttl: "never" },
)
const rule: EntityRule = {
  head: "item:",
  list: "item:list",
  indexes: [
    { kind: "unique", patterns: ["item:code:{code}", "code:{code}:item"] },
    { kind: "set", patterns: ["item:shelf:{shelf}", "shelf:{shelf}:items"] },
    { kind: "set", patterns: ["item:open:{shelf}"], where: { open: true } },
    { kind: "zset", patterns: ["item:ranked:{shelf}"], score: "rank" },
  ],
}

interface Model {
  readonly items: Map<string, Item>
}
interface Real {
  readonly db: ClientOf<typeof store>
}

const ids = ["1", "2", "3", "a", "b"]
const anId = fc.constantFrom(...ids)
const aCode = fc.constantFrom("x", "y", "z")
const aShelf = fc.constantFrom("s", "t")
const aPatch: fc.Arbitrary<Patch> = fc.record(
  {
    code: fc.oneof(aCode, fc.constantFrom(null, undefined)),
    shelf: fc.oneof(aShelf, fc.constant(undefined)),
    rank: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(null, undefined)),
    open: fc.oneof(fc.boolean(), fc.constant(undefined)),
    count: fc.integer({ min: 0, max: 9 }),
  },
  { requiredKeys: [] },
)

/** A document without fields that are undefined. */
const tidy = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item
const taken = ({ items }: Model, { id, code }: Item): boolean =>
  code !== undefined && code !== null && [...items.values()].some((other) => other.id !== id && other.code === code)

/** What became of a call: its result, or the code of its error. */
const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (error instanceof KeywrightError) return error.code
    throw error
  })

abstract class Step implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true
  }
  abstract act(model: Model, real: Real): Promise<void>
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real)
    const raw = (...command: string[]) => real.db.$driver().send(command)
    expect(await indexViolations(raw, [rule])).toEqual([])
    expect(new Map((await real.db.item.all()).map((item) => [item.id, item]))).toEqual(model.items)
  }
  abstract toString(): string
}

class Create extends Step {
  readonly id: string | undefined
  readonly patch: Patch
  constructor(id: string | undefined, patch: Patch) {
    super()
    this.id = id
    this.patch = patch
  }
  async act(model: Model, { db }: Real): Promise<void> {
    const result = await outcome(
      db.item.create({ ...this.patch, ...(this.id !== undefined && { id: this.id }) } as never),
    )
    const exists = this.id !== undefined && model.items.has(this.id)
    const clash = taken(model, { ...this.patch, id: this.id ?? "?" } as Item)
    if (exists) return expect(result).toBe("ENTITY.EXISTS")
    if (clash) return expect(result).toBe("INDEX.UNIQUE_TAKEN")
    const { id } = result as Item
    expect(model.items.has(id)).toBe(false)
    expect(result).toEqual(tidy({ ...this.patch, id } as Item))
    model.items.set(id, result as Item)
  }
  toString = () => `create ${this.id ?? "(counter)"} ${JSON.stringify(this.patch)}`
}

class Change extends Step {
  readonly how: "update" | "function" | "record" | "replace" | "upsert" | "transaction"
  readonly id: string
  readonly patch: Patch
  constructor(how: Change["how"], id: string, patch: Patch) {
    super()
    this.how = how
    this.id = id
    this.patch = patch
  }
  async act(model: Model, { db }: Real): Promise<void> {
    const { id, patch, how } = this
    const old = model.items.get(id)
    const next = tidy({ ...(how === "replace" ? { id } : (old ?? { id })), ...patch } as Item)
    const held = how === "record" ? await db.item.get(id) : undefined
    const calls = {
      update: () => db.item.update(id, patch),
      function: () => db.item.update(id, () => patch),
      record: () => db.item.update(held ?? id, patch),
      replace: () => db.item.replace(id, patch as never),
      upsert: () => db.item.upsert({ ...patch, id } as never),
      transaction: () => db.$transaction((t) => t.item.update(id, patch)),
    }
    const result = await outcome(calls[how]())
    if (!old && how !== "upsert") return expect(result).toBe("ENTITY.NOT_FOUND")
    if (taken(model, next)) return expect(result).toBe("INDEX.UNIQUE_TAKEN")
    expect(result).toEqual(next)
    model.items.set(id, next)
  }
  toString = () => `${this.how} ${this.id} ${JSON.stringify(this.patch)}`
}

class Remove extends Step {
  readonly id: string
  constructor(id: string) {
    super()
    this.id = id
  }
  async act(model: Model, { db }: Real): Promise<void> {
    expect(await db.item.delete(this.id)).toBe(model.items.delete(this.id))
  }
  toString = () => `delete ${this.id}`
}

class Swap extends Step {
  readonly one: string
  readonly other: string
  constructor(one: string, other: string) {
    super()
    this.one = one
    this.other = other
  }
  override check(): boolean {
    return this.one !== this.other
  }
  async act(model: Model, { db }: Real): Promise<void> {
    const [a, b] = [model.items.get(this.one), model.items.get(this.other)]
    const result = await outcome(
      db.$transaction(async (t) => {
        const [x, y] = [await t.item.get(this.one), await t.item.get(this.other)]
        await t.item.update(this.one, { code: y?.code })
        await t.item.update(this.other, { code: x?.code })
        return "done"
      }),
    )
    if (!a || !b) return expect(result).toBe("ENTITY.NOT_FOUND")
    expect(result).toBe("done")
    model.items.set(this.one, tidy({ ...a, code: b.code }))
    model.items.set(this.other, tidy({ ...b, code: a.code }))
  }
  toString = () => `swap ${this.one} ${this.other}`
}

class Look extends Step {
  readonly code: string
  readonly shelf: string
  constructor(code: string, shelf: string) {
    super()
    this.code = code
    this.shelf = shelf
  }
  async act({ items }: Model, { db }: Real): Promise<void> {
    const all = [...items.values()]
    const sorted = (list: readonly Item[]) => list.map(({ id }) => id).sort()
    expect(await db.item.find("code", { code: this.code })).toEqual(all.find(({ code }) => code === this.code))
    const onShelf = all.filter(({ shelf }) => shelf === this.shelf)
    expect(sorted(await db.item.list("shelf", { shelf: this.shelf }))).toEqual(sorted(onShelf))
    expect(await db.item.count("open", { shelf: this.shelf })).toBe(onShelf.filter(({ open }) => open).length)
    const ranks = onShelf
      .flatMap(({ rank }) => (rank === undefined || rank === null ? [] : [rank]))
      .sort((x, y) => x - y)
    expect((await db.item.list("ranked", { shelf: this.shelf })).map(({ rank }) => rank)).toEqual(ranks)
  }
  toString = () => `look ${this.code} ${this.shelf}`
}

let engine: Engine
let db: ClientOf<typeof store>
beforeAll(async () => {
  engine = await start()
  db = await connect(store, { engine }, { sweep: false })
})
afterAll(async () => {
  await db?.$close()
  await engine?.stop()
})

test("whatever is done to records, they are as the model says and their indexes are right", async () => {
  const how = fc.constantFrom("update", "function", "record", "replace", "upsert", "transaction")
  const commands = fc.commands(
    [
      fc.tuple(fc.option(anId, { nil: undefined }), aPatch).map(([id, patch]) => new Create(id, patch)),
      fc.tuple(how, anId, aPatch).map(([kind, id, patch]) => new Change(kind as Change["how"], id, patch)),
      anId.map((id) => new Remove(id)),
      fc.tuple(anId, anId).map(([one, other]) => new Swap(one, other)),
      fc.tuple(aCode, aShelf).map(([code, shelf]) => new Look(code, shelf)),
    ],
    { maxCommands: 25 },
  )
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      await db.$driver().send(["FLUSHALL"])
      await fc.asyncModelRun(() => ({ model: { items: new Map() }, real: { db } }), steps)
    }),
    { numRuns: RUNS },
  )
})
