/* What the writers do: random transactions over records of both forms, lists, sets,
 * strings and counters. A transaction is planned as data before it is carried out, so
 * that it can be repeated, also by another process.
 *
 * A slot is a key that many use at the same time. When it holds enough elements, they
 * move on to its next generation: reads and comparisons stay short. */

import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, list, set, string } from "../../schema/define.ts"
import { entity, replicated } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import type { Operation } from "./history.cases.ts"
import type { Random } from "../../../../../test/random.ts"

const declare = (durability: { durability?: ReturnType<typeof replicated> }) => ({
  doc: entity("doc:{id}", json(z.object({ id: z.string(), items: z.array(z.number()) })), durability),
  row: entity("row:{id}", { id: text, items: text }, durability),
  account: entity("account:{id}", json(z.object({ id: z.string(), balance: z.number() })), durability),
  log: list("log:{id}", int),
  tags: set("tags:{id}", int),
  line: string("line:{id}", text),
  hits: counter("hits:{id}"),
})

export const workspace = keyspace(declare({}), { ttl: "never" })
export const replicatedWorkspace = keyspace(declare({ durability: replicated(1) }), { ttl: "never" })
/** In a cluster: the whole workload, once for each tag, in the slot of that tag. */
export const slotWorkspace = keyspace(
  { slot: scope("{{tag}}:", declare({ durability: replicated(1) })) },
  { ttl: "never" },
)
export type SlotWorkspace = ClientOf<typeof slotWorkspace>
/** What the keys of a tag begin with. */
export const prefixOf = (tag: string | undefined): string => (tag === undefined ? "" : `{${tag}}:`)
export type Workspace = ClientOf<typeof workspace>
export type Inside = Parameters<Parameters<Workspace["$transaction"]>[0]>[0]

type ListKind = "doc" | "row" | "log" | "line"
type Step =
  | { readonly f: "append"; readonly kind: ListKind; readonly id: string; readonly value: number }
  | { readonly f: "add"; readonly kind: "tags"; readonly id: string; readonly value: number }
  | { readonly f: "increment"; readonly kind: "hits"; readonly id: string }
  | { readonly f: "read"; readonly kind: ListKind | "tags"; readonly id: string }
  | { readonly f: "total"; readonly kind: "hits"; readonly id: string }

export interface Planned {
  readonly tx: number
  readonly steps: readonly Step[]
  /** Its reads come first, all at once. */
  readonly parallel: boolean
  /** Its work throws in the end. */
  readonly aborts: boolean
  /** Moves so much between the accounts of a pair, or only looks at them. */
  readonly pair?: { readonly number: number; readonly moves: number }
  readonly timeoutMs: number
  readonly operationId?: string
  /** Asked for again after it has answered. */
  readonly again: boolean
}

export const PAIRS = 3
const SUM = 100
/** After this many elements, the next generation of the slot is used. */
const FULL_LENGTH = 20
const SLOTS: readonly (readonly [Step["kind"], number])[] = [
  ["doc", 3],
  ["row", 3],
  ["log", 2],
  ["tags", 1],
  ["line", 2],
  ["hits", 1],
]
const slots = SLOTS.flatMap(([kind, count]) => Array.from({ length: count }, (_, slot) => ({ kind, slot })))
const records = slots.filter(({ kind }) => kind === "doc" || kind === "row")

/** Plans transactions; `seen` informs it how long the lists have become. */
export class Planner {
  readonly #random: Random
  readonly #slots: typeof slots
  readonly #generations = new Map<string, number>()

  /** With `onlyRecords`, nothing is written that no replica confirms. */
  constructor(random: Random, onlyRecords: boolean) {
    this.#random = random
    this.#slots = onlyRecords ? records : slots
  }

  next(tx: number): Planned {
    const random = this.#random
    const how = {
      tx,
      parallel: random.int(3) === 0,
      timeoutMs: random.pick([150, 400, 1000, 2000]),
      again: random.int(8) === 0,
      ...(random.int(2) === 0 ? { operationId: `op-${tx}` } : {}),
    }
    if (random.int(8) === 0) {
      const pair = { number: random.int(PAIRS), moves: random.pick([0, 0, 1 + random.int(20)]) }
      return { ...how, steps: [], aborts: false, pair }
    }
    const kind = random.pick(["mixed", "mixed", "mixed", "reads", "reads", "aborts"])
    const steps: Step[] = []
    const written = new Set<string>()
    for (let n = 2 + random.int(4); n > 0; n--) {
      const step = this.#step(tx * 10 + steps.length, kind === "reads" || random.int(2) === 0)
      const key = keyOf(step)
      // A transaction can read what it has written itself in records, and not in plain keys.
      const isRecord = step.kind === "doc" || step.kind === "row"
      if (!isRecord && written.has(key)) continue
      if (step.f !== "read" && step.f !== "total") written.add(key)
      steps.push(step)
    }
    return { ...how, steps, aborts: kind === "aborts" }
  }

  #step(value: number, isRead: boolean): Step {
    const { kind, slot } = this.#random.pick(this.#slots)
    const id = `${slot}-${this.#generations.get(`${kind}:${slot}`) ?? 0}`
    if (kind === "hits") return isRead ? { f: "total", kind, id } : { f: "increment", kind, id }
    if (isRead) return { f: "read", kind, id }
    return kind === "tags" ? { f: "add", kind, id, value } : { f: "append", kind, id, value }
  }

  seen(operations: readonly Operation[]): void {
    for (const operation of operations) {
      if (operation.f !== "read" && operation.f !== "total") continue
      const length = operation.f === "read" ? operation.values.length : operation.total / 10
      const [slot, generation] = operation.key.split("-") as [string, string]
      const next = Number(generation) + (length >= FULL_LENGTH ? 1 : 0)
      if (next > (this.#generations.get(slot) ?? 0)) this.#generations.set(slot, next)
    }
  }
}

const keyOf = ({ kind, id }: Step): string => `${kind}:${id}`

/** What a transaction is to write, without any answer. */
export const writesOf = ({ steps }: Planned): Operation[] =>
  steps.flatMap((step): Operation[] => {
    const key = keyOf(step)
    if (step.f === "append" || step.f === "add") return [{ f: step.f, key, value: step.value }]
    return step.f === "increment" ? [{ f: "increment", key }] : []
  })

/** Thrown by work that has seen what cannot be. */
export class Impossible extends Error {}
/** Thrown by work that decides against itself. */
export class Aborted extends Error {}

/** The work of a planned transaction; `done` is what it has done and was answered, as it goes. */
export async function carryOut(db: Inside, planned: Planned, done: Operation[]): Promise<readonly Operation[]> {
  const { steps, parallel, aborts, pair } = planned
  if (pair) await balance(db, pair)
  const isRead = ({ f }: Step) => f === "read" || f === "total"
  const reads = parallel ? steps.filter(isRead) : []
  done.push(...(await Promise.all(reads.map((step) => doStep(db, step)))))
  for (const step of steps) if (!parallel || !isRead(step)) done.push(await doStep(db, step))
  if (aborts) throw new Aborted("as planned")
  return done
}

async function balance(db: Inside, { number, moves }: NonNullable<Planned["pair"]>): Promise<void> {
  const [a, b] = [await db.account.get(`${number}a`), await db.account.get(`${number}b`)]
  if (!a || !b || a.balance + b.balance !== SUM)
    throw new Impossible(`accounts ${number} with ${a?.balance} and ${b?.balance}`)
  if (moves === 0) return
  await db.account.update(a, { balance: a.balance - moves })
  await db.account.update(b, { balance: b.balance + moves })
}

async function doStep(db: Inside, step: Step): Promise<Operation> {
  const { id } = step
  const key = keyOf(step)
  switch (step.f) {
    case "read":
      return { f: "read", key, values: await readStep(db, step.kind, id) }
    case "total":
      return { f: "total", key, total: await db.hits({ id }).get() }
    case "add":
      await db.tags({ id }).add(step.value)
      return { f: "add", key, value: step.value }
    case "increment": {
      const total: unknown = await db.hits({ id }).increment()
      return typeof total === "number" ? { f: "increment", key, total } : { f: "increment", key }
    }
    case "append": {
      const length = await appendStep(db, step.kind, id, step.value)
      const appended = { f: "append", key, value: step.value } as const
      return typeof length === "number" ? { ...appended, length } : appended
    }
  }
}

async function readStep(db: Inside, kind: ListKind | "tags", id: string): Promise<number[]> {
  switch (kind) {
    case "doc":
      return (await db.doc.get(id))?.items ?? []
    case "row":
      return numbers((await db.row.get(id))?.items)
    case "log":
      return db.log({ id }).range(0, -1)
    case "tags":
      return (await db.tags({ id }).members()).sort((a, b) => a - b)
    case "line":
      return numbers(await db.line({ id }).get())
  }
}

/** Answers the length, where it is answered. */
async function appendStep(db: Inside, kind: ListKind, id: string, value: number): Promise<unknown> {
  switch (kind) {
    case "doc": {
      const found = await db.doc.get(id)
      return found
        ? (await db.doc.update(found, { items: [...found.items, value] })).items.length
        : (await db.doc.create({ id, items: [value] })).items.length
    }
    case "row": {
      const found = await db.row.get(id)
      return found
        ? void (await db.row.update(id, { items: `${found.items} ${value}` }))
        : void (await db.row.create({ id, items: String(value) }))
    }
    case "log":
      return db.log({ id }).pushRight(value)
    case "line": {
      const found = await db.line({ id }).get()
      return void (await db.line({ id }).set(found === undefined ? String(value) : `${found} ${value}`))
    }
  }
}

export const numbers = (words: string | null | undefined): number[] =>
  words === undefined || words === null || words === "" ? [] : words.split(" ").map(Number)

/** The accounts, before anybody begins. */
export async function openAccounts(db: Pick<Workspace, "account">): Promise<void> {
  for (let number = 0; number < PAIRS; number++) {
    await db.account.upsert({ id: `${number}a`, balance: SUM / 2 })
    await db.account.upsert({ id: `${number}b`, balance: SUM / 2 })
  }
}
