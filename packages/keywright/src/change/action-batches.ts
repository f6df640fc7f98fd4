/* Actions as calls of the script: many in one call, small enough not to hold up others. */

import { clusterSlot } from "../driver/cluster-slot.ts"
import type { Wire } from "../driver/driver.ts"
import type { Action, Expectation, Expected } from "./plan.ts"
import { type Word, wireOf } from "./word.ts"

/** What is carried out: an action, or its undo. */
export type Step = Pick<Action, "db" | "expects" | "commands">

export interface Batch {
  readonly db: number
  /** Numbers of the actions in the plan, in the order of the script's outcomes. */
  readonly actions: number[]
  readonly keys: Wire[]
  readonly args: Wire[]
}

const MOST_ACTIONS = 1000
const MOST_WORDS = 4000
const MOST_BYTES = 1_000_000

/** Cuts steps into batches: each of one database and, in a cluster, of one slot. */
export function* batchesOf(steps: Iterable<readonly [number, Step]>, cluster: boolean): Generator<Batch> {
  const open = new Map<string, Open>()
  for (const [number, step] of steps) {
    const place = cluster ? `${step.db} ${clusterSlot(firstKey(step))}` : String(step.db)
    let at = open.get(place)
    if (at === undefined) {
      const batch = { db: step.db, actions: [], keys: [], args: [cluster ? "" : String(step.db)] }
      open.set(place, (at = { batch, bytes: 0, set: undefined }))
    }
    const { batch } = at
    const removal = asRemoval(step)
    if (
      at.set !== undefined &&
      (at.set.key !== removal?.set || at.set.digests.length > 0 !== (removal.digest !== undefined))
    )
      endSet(at)
    if (removal === undefined) addStep(step, batch)
    else {
      if (at.set === undefined) {
        at.set = { key: removal.set, ids: [], digests: [] }
        batch.keys.push(wireOf(removal.set))
      }
      batch.keys.push(removal.record)
      at.set.ids.push(removal.id)
      if (removal.digest !== undefined) at.set.digests.push(removal.digest)
    }
    batch.actions.push(number)
    at.bytes += sizeOf(step)
    const isFull =
      batch.actions.length >= MOST_ACTIONS ||
      batch.args.length + batch.keys.length >= MOST_WORDS ||
      at.bytes >= MOST_BYTES
    if (!isFull) continue
    endSet(at)
    open.delete(place)
    yield batch
  }
  for (const at of open.values()) {
    endSet(at)
    yield at.batch
  }
}

interface Open {
  readonly batch: Batch
  bytes: number
  /** Removals from one set, which go together. */
  set: { readonly key: Word; readonly ids: Wire[]; readonly digests: string[] } | undefined
}

function endSet(at: Open): void {
  if (at.set === undefined) return
  const { ids, digests } = at.set
  at.batch.args.push(digests.length === 0 ? "D" : "S", String(ids.length), ...ids, ...digests)
  at.set = undefined
}

interface Removal {
  readonly set: Word
  readonly record: Wire
  readonly id: Wire
  /** Of the record's document; without it, there must be no record. */
  readonly digest: string | undefined
}

/** What happens most: an id goes from a set, because its record does not exist or belongs elsewhere. */
function asRemoval({ expects, commands }: Step): Removal | undefined {
  const [expectation] = expects
  const [command] = commands
  if (commands.length !== 1 || expects.length !== 1 || command![0] !== "SREM" || command!.length !== 3) return undefined
  const { db, read, is } = expectation!
  if (db !== undefined) return undefined
  const digest = typeof is === "object" && is !== null && "sha1" in is ? is.sha1 : undefined
  const isRemoval = digest === undefined ? read[0] === "EXISTS" && is === 0 : read[0] === "GET"
  return isRemoval ? { set: command![1]!, record: wireOf(read[1]!), id: wireOf(command![2]!), digest } : undefined
}

function addStep({ expects, commands }: Step, { keys, args }: Batch): void {
  args.push("A", String(expects.length), String(commands.length))
  for (const { db, read, is } of expects) {
    keys.push(wireOf(read[1]!))
    args.push(db === undefined ? "" : String(db), wireOf(read[0]!), String(read.length - 2))
    for (let i = 2; i < read.length; i++) args.push(wireOf(read[i]!))
    args.push(...comparison(is))
  }
  for (const command of commands) {
    keys.push(wireOf(command[1]!))
    args.push(wireOf(command[0]!), String(command.length - 2))
    for (let i = 2; i < command.length; i++) args.push(wireOf(command[i]!))
  }
}

function comparison(is: Expected): readonly [string, string] {
  if (is === null) return ["n", ""]
  if (typeof is === "number") return ["i", String(is)]
  if (typeof is === "string") return ["t", is]
  if ("score" in is) return ["s", is.score]
  if ("sha1" in is) return ["d", is.sha1]
  if ("pairs" in is) return ["p", is.pairs]
  return [">", String(is.above)]
}

const firstKey = ({ commands, expects }: Step): Wire => wireOf(commands[0]?.[1] ?? expects[0]!.read[1]!)

const sizeOf = ({ commands }: Step): number =>
  commands.reduce(
    (sum, words) => words.reduce((all, word) => all + (typeof word === "string" ? word : word.base64).length, sum),
    0,
  )

/** In a cluster: what an action expects of keys in other slots, to be asked for before it. */
export function apart(step: Step): { readonly step: Step; readonly elsewhere: readonly Expectation[] } {
  const slot = clusterSlot(firstKey(step))
  const isHere = ({ read }: Expectation) => clusterSlot(wireOf(read[1]!)) === slot
  return {
    step: { ...step, expects: step.expects.filter(isHere) },
    elsewhere: step.expects.filter((one) => !isHere(one)),
  }
}
