/* Actions as calls of the script: many in one call, small enough not to hold up others. */

import { clusterSlot } from "../../driver/cluster-slot.ts"
import type { Wire } from "../../driver/driver.ts"
import type { Action, Expectation, Expected } from "../plan/plan.ts"
import { asRemoval, type Run, runOf } from "./removals.ts"
import { type Word, wireOf } from "../plan/word.ts"

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
const MOST_WORDS = 12_000
const MOST_BYTES = 1_000_000

/** Cuts steps into batches: each of one database and, in a cluster, of one slot. */
export function* batchesOf(steps: Iterable<readonly [number, Step]>, cluster: boolean): Generator<Batch> {
  const open = new Map<string, Open>()
  for (const [number, step] of steps) {
    const place = cluster ? `${step.db} ${clusterSlot(firstKey(step))}` : String(step.db)
    let at = open.get(place)
    if (at === undefined) {
      const batch = { db: step.db, actions: [], keys: [], args: [cluster ? "" : String(step.db)] }
      open.set(place, (at = { batch, actions: 0, words: 0, bytes: 0, run: undefined }))
    }
    const { batch } = at
    const removal = asRemoval(step)
    if (at.run !== undefined && (removal === undefined || !at.run.add(removal, number))) endRun(at)
    if (removal === undefined) {
      addStep(step, batch)
      batch.actions.push(number)
    } else if (at.run === undefined) {
      at.run = runOf(removal)
      at.run.add(removal, number)
    }
    at.actions++
    weigh(step, at)
    if (at.actions < MOST_ACTIONS && at.words < MOST_WORDS && at.bytes < MOST_BYTES) continue
    endRun(at)
    open.delete(place)
    yield batch
  }
  for (const at of open.values()) {
    endRun(at)
    yield at.batch
  }
}

interface Open {
  readonly batch: Batch
  /** With those of the run. */
  actions: number
  words: number
  bytes: number
  /** Removals that go together, and are not in the batch yet. */
  run: Run | undefined
}

function endRun(at: Open): void {
  at.run?.end(at.batch)
  at.run = undefined
}

function addStep({ expects, commands }: Step, { keys, args }: Batch): void {
  args.push("action", String(expects.length), String(commands.length))
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
  if (is === null) return ["none", ""]
  if (typeof is === "number") return ["integer", String(is)]
  if (typeof is === "string") return ["text", is]
  if ("score" in is) return ["score", is.score]
  if ("sha1" in is) return ["digest", is.sha1]
  if ("pairs" in is) return ["pairs", is.pairs]
  return ["above", String(is.above)]
}

const firstKey = ({ commands, expects }: Step): Wire => wireOf(commands[0]?.[1] ?? expects[0]!.read[1]!)

/** Words that are sent, and bytes: also those that are compared with a digest, which takes the server as long. */
function weigh({ expects, commands }: Step, at: Open): void {
  for (const words of commands) {
    at.words += words.length + 1
    for (let i = 2; i < words.length; i++) at.bytes += lengthOf(words[i]!)
  }
  for (const { read, is } of expects) {
    at.words += read.length + 3
    if (typeof is === "object" && is !== null && "sha1" in is) at.bytes += is.length
  }
}

const lengthOf = (word: Word): number => (typeof word === "string" ? word : word.base64).length

/** A step in a cluster, where no script spans slots. */
export interface Apart {
  /** What can be done as one: on the record of a purge, else on the first key. */
  readonly step: Step
  /** What is expected of keys in other slots: to be asked for before it. */
  readonly elsewhere: readonly Expectation[]
  /** What is left to do in other slots, if it was done: a command each. */
  readonly later: readonly Step[]
}

export function apart(step: Step): Apart {
  const { db, expects, commands } = step
  const slot = clusterSlot(mainKey(step))
  const isHere = ([, key]: readonly Word[]) => clusterSlot(wireOf(key!)) === slot
  return {
    step: { db, expects: expects.filter(({ read }) => isHere(read)), commands: commands.filter(isHere) },
    elsewhere: expects.filter(({ read }) => !isHere(read)),
    later: commands.filter((command) => !isHere(command)).map((command) => ({ db, expects: [], commands: [command] })),
  }
}

/** Records are the source of truth: they are removed first, and restored first. */
function mainKey(step: Step): Wire {
  const last = step.commands.at(-1)
  return last?.[0] === "UNLINK" ? wireOf(last[1]!) : firstKey(step)
}
