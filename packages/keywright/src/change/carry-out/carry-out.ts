/* Carrying out a plan while the server is in use: each action is compared and applied
 * in one step of a script, many actions in a call, a few calls under way at a time. */

import { setImmediate } from "node:timers/promises"
import { listOf, textOf } from "../../client/call/reply.ts"
import type { Driver } from "../../driver/driver.ts"
import { changeInterrupted, planRefused } from "../../errors/change.ts"
import { apart, type Batch, batchesOf, type Step } from "./action-batches.ts"
import { carryOutScript } from "../lua/index.ts"
import { expectedOf } from "../plan/expected.ts"
import { Journal } from "./journal.ts"
import type { Action, ChangePlan, Expectation } from "../plan/plan.ts"
import { actionsDigest, headDigest } from "./plan-digest.ts"
import { isChange, isRead, isUndo } from "../plan/plan-grammar.ts"
import { replacedBy } from "../plan/replaced.ts"
import { serverMark } from "../server-mark.ts"
import { readAfter } from "../plan/undo.ts"
import { wireOf, wordOf } from "../plan/word.ts"

/**
 * Options of `applyRepair` and `undoRepair`.
 * @example
 * const options: CarryOutOptions = { journal: "plan.json.journal", onProgress: ({ done, of }) => console.log(done, of) }
 */
export interface CarryOutOptions {
  /** Where to note what was done: with it, the same call continues after a crash. */
  readonly journal?: string
  /** The journal may have been written on another server, or on this one by another address. Default: false */
  readonly anyServer?: boolean
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void
  readonly signal?: AbortSignal
}

/**
 * What `applyRepair` and `undoRepair` return: how many actions had which outcome.
 * @example
 * const complete = ({ actions, done, already }: ChangeReport) => done + already === actions
 */
export interface ChangeReport {
  readonly actions: number
  readonly done: number
  /** Somebody else had done it already. */
  readonly already: number
  /** Their conditions no longer hold: nothing was done. Audit again. */
  readonly skipped: number
  readonly refused: number
  /** Why the first one was refused. */
  readonly refusal?: string
  /** What became of each action, in the plan's order. */
  readonly outcomes: readonly ("done" | "already" | "skipped" | "refused")[]
  /** By code: how many were done. */
  readonly byCode: Readonly<Record<string, number>>
}

const AT_ONCE = 16
const WORDS = { 0: "skipped", 1: "done", 2: "already", 3: "refused" } as const

/**
 * Carries out a plan. Safe to call again with the same journal: what is done stays done. A plan that does not
 * come from `planRepair` or `planPurge` is read with `loadPlan`, which knows what a plan may do.
 * @example
 * const { findings } = await audit(shop, db.$driver())
 * const plan = await planRepair(findings, shop, db.$driver())
 * const { done, skipped } = await applyRepair(plan, db.$driver(), { journal: "plan.json.journal" })
 */
export async function applyRepair(
  plan: ChangePlan,
  driver: Driver,
  options: CarryOutOptions = {},
): Promise<ChangeReport> {
  requirePlan(plan)
  const steps = plan.actions.map((action): Step => {
    const replaced = replacedBy(action)
    return replaced.length === 0 ? action : { ...action, expects: [...action.expects, ...replaced] }
  })
  return carryOutSteps(plan, steps, driver, options, headDigest(plan), {
    isVerifiedFirst,
    outdated: plan.outdated ?? [],
  })
}

/**
 * Whether an action is verified before it is noted as begun: one that would be undone by a value. After a crash, a begun
 * action whose result is already there counts as done. So an action whose result was there beforehand must not be noted
 * as begun. Single entries of sets are not verified: there are many of them, and repair sets them right.
 */
const isVerifiedFirst = ({ commands, undo }: Action): boolean =>
  undo.length > 0 && !(commands.length === 1 && (commands[0]![0] === "SREM" || commands[0]![0] === "SADD"))

/** Carries out commands of any kind, which the caller has made itself: an edit in the studio. */
export const applyEdit = (plan: ChangePlan, driver: Driver): Promise<ChangeReport> =>
  carryOutSteps(plan, plan.actions, driver, {}, "")

/**
 * Takes back what a plan did, the last action first; only what was done, and only where nothing has changed since.
 * @example
 * const plan = await loadPlan("plan.json", shop, db.$driver())
 * const { done } = await undoRepair(plan, db.$driver(), { done: doneOf(plan, journalOf("plan.json")) })
 */
export async function undoRepair(
  plan: ChangePlan,
  driver: Driver,
  options: CarryOutOptions & { readonly done: readonly boolean[] },
): Promise<ChangeReport> {
  requirePlan(plan)
  const steps = plan.actions.map((action, i) =>
    options.done[i] === true && action.undo.length > 0 ? undoStep(action) : undefined,
  )
  return carryOutSteps(plan, steps, driver, options, undoStampOf(plan), { isBackwards: true })
}

/**
 * Which actions of a plan its journal says were done. With `server`, a journal written on another server is refused.
 * If the plan was interrupted, call `settleRepair` first.
 * @example
 * const plan = await loadPlan("plan.json", shop, db.$driver())
 * await undoRepair(plan, db.$driver(), { done: doneOf(plan, journalOf("plan.json")) })
 */
export function doneOf(plan: ChangePlan, journal: string, server?: string): boolean[] {
  const read = openJournal(plan, { journal }, headDigest(plan), server)
  read.close()
  return plan.actions.map((_, i) => read.outcome(i) === "1")
}

/**
 * Notes in the journal of a plan that was interrupted which of the actions under way were carried out, as the data
 * shows it. Returns how many there are of which nobody can tell.
 * @example
 * const plan = await loadPlan("plan.json", shop, db.$driver())
 * const unknown = await settleRepair(plan, db.$driver(), { journal: journalOf("plan.json") })
 */
export async function settleRepair(
  plan: ChangePlan,
  driver: Driver,
  options: CarryOutOptions & { readonly journal: string },
): Promise<number> {
  requirePlan(plan)
  const journal = openJournal(plan, options, headDigest(plan), await serverMark(driver))
  try {
    const drivers = await driversOf(plan, driver)
    const begun = [...journal.begun]
    await settleBegun(begun, plan.actions, drivers, journal)
    const left = begun.filter((i) => !journal.has(i))
    // What was not carried out still finds what it expects.
    const untouched = await holding(left, (i) => plan.actions[i]!, drivers)
    return left.length - untouched.length
  } finally {
    journal.close()
  }
}

/** How actions are carried out. */
interface CarryOutRules {
  readonly isVerifiedFirst?: (action: Action) => boolean
  /** Skipped even if their conditions hold again. */
  readonly outdated?: readonly number[]
  /** The last one first: what one action left is what the one after it found. */
  readonly isBackwards?: boolean
}

async function carryOutSteps(
  plan: ChangePlan,
  steps: readonly (Step | undefined)[],
  driver: Driver,
  options: CarryOutOptions,
  stamp: string,
  { isVerifiedFirst: isVerified = () => false, outdated = [], isBackwards = false }: CarryOutRules = {},
): Promise<ChangeReport> {
  const server = options.journal === undefined ? undefined : await serverMark(driver)
  const journal = openJournal(plan, options, stamp, server)
  const drivers = await driversOf(plan, driver)
  let refusal: string | undefined
  const running = new Set<Promise<void>>()
  let failure: unknown
  const wasBegun = [...new Set([...journal.begun, ...journal.begunAgain])]

  /** Parts of steps, in a cluster. */
  const parts = new Map<number, Step>()
  /** Begins the actions whose conditions hold now; others are not started. */
  const begin = async (actions: readonly number[], db: number): Promise<void> => {
    const looked = server === undefined ? [] : actions.filter((i) => isVerified(plan.actions[i]!))
    if (looked.length === 0) return journal.begin(actions)
    const steady = new Set(actions)
    for (const i of looked) steady.delete(i)
    const checks = looked.flatMap((i): [number, Step][] => {
      const { expects } = parts.get(i) ?? steps[i]!
      if (expects.length > 0) return [[i, { db, expects, commands: [] }]]
      steady.add(i)
      return []
    })
    for (const batch of batchesOf(checks, driver.cluster)) {
      const digits = await digitsOf(batch, drivers.get(db)!)
      batch.actions.forEach((i, at) => void (digits[at] === "1" && steady.add(i)))
    }
    if (steady.size > 0) journal.begin(actions.filter((i) => steady.has(i)))
  }

  const send = async (batch: Batch): Promise<void> => {
    await begin(batch.actions, batch.db)
    const there = drivers.get(batch.db)!
    const [digits, why] = listOf(await there.run(carryOutScript, batch.keys, batch.args))
    refusal ??= why === null || why === undefined ? undefined : textOf(why)
    journal.end(batch.actions, textOf(digits))
    options.onProgress?.({ done: journal.ended, of: steps.length })
  }

  try {
    const passed = outdated.filter((i) => !journal.has(i))
    if (passed.length > 0) journal.end(passed, "0".repeat(passed.length))
    const open = pending(steps, journal, isBackwards)
    const todo = driver.cluster ? await separated(open, drivers, journal, parts, begin) : open
    for (const batch of batchesOf(todo, driver.cluster)) {
      options.signal?.throwIfAborted()
      const work = send(batch)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => running.delete(work))
      running.add(work)
      // So that the server has it while the next one is made.
      await setImmediate()
      if (running.size >= AT_ONCE) await Promise.race(running)
      if (failure !== undefined) throw failure
    }
    await Promise.all(running)
    if (failure !== undefined) throw failure
    await settleBegun(wasBegun, steps, drivers, journal)
    return reportOf(plan, journal, refusal)
  } catch (error) {
    await Promise.allSettled(running)
    throw changeInterrupted(journal.ended, steps.length, error)
  } finally {
    journal.close()
  }
}

/** For each database that the plan is about. */
async function driversOf(plan: ChangePlan, driver: Driver): Promise<ReadonlyMap<number, Driver>> {
  const drivers = new Map<number, Driver>()
  for (const { db } of plan.actions)
    if (!drivers.has(db)) drivers.set(db, db === driver.db ? driver : await driver.database(db))
  return drivers
}

/** In memory alone, when none is asked for. */
const openJournal = (
  plan: ChangePlan,
  { journal, anyServer }: CarryOutOptions,
  stamp: string,
  server: string | undefined,
): Journal =>
  new Journal(plan.actions.length, journal, {
    stamp,
    digestOf: (numbers) => actionsDigest(plan.actions, numbers),
    server,
    anyServer,
  })

function* pending(
  steps: readonly (Step | undefined)[],
  journal: Journal,
  isBackwards: boolean,
): Generator<readonly [number, Step]> {
  for (let n = 0; n < steps.length; n++) {
    const i = isBackwards ? steps.length - 1 - n : n
    const step = steps[i]
    if (step !== undefined && !journal.has(i) && step.commands.length > 0) yield [i, step]
  }
}

/**
 * In a cluster no step spans slots: what is expected of other slots is asked for just before, and what is to be done
 * there is done just after, here. The steps that are left are each of one slot.
 */
async function separated(
  open: Iterable<readonly [number, Step]>,
  drivers: ReadonlyMap<number, Driver>,
  journal: Journal,
  parts: Map<number, Step>,
  begin: (actions: readonly number[], db: number) => Promise<void>,
): Promise<[number, Step][]> {
  const kept: [number, Step][] = []
  for (const [i, whole] of open) {
    const driver = drivers.get(whole.db)!
    const { step, elsewhere, later } = apart(whole)
    parts.set(i, step)
    if (!(await allHold(elsewhere, whole.db, driver))) journal.end([i], "0")
    else if (later.length === 0) kept.push([i, step])
    else {
      await begin([i], whole.db)
      const outcome = await outcomeOf(step, driver)
      if (outcome === "1") for (const more of later) await outcomeOf(more, driver)
      journal.end([i], outcome)
    }
  }
  return kept
}

/** A digit for each action of a batch. */
const digitsOf = async ({ keys, args }: Batch, driver: Driver): Promise<string> =>
  textOf(listOf(await driver.run(carryOutScript, keys, args))[0])

/** One step by itself: its digit. */
function outcomeOf(step: Step, driver: Driver): Promise<string> {
  const [batch] = batchesOf([[0, step]], driver.cluster)
  return digitsOf(batch!, driver)
}

async function allHold(expects: readonly Expectation[], db: number, driver: Driver): Promise<boolean> {
  for (const one of expects) if ((await outcomeOf({ db, expects: [one], commands: [] }, driver)) !== "1") return false
  return true
}

/**
 * An action that was begun before a crash, and whose condition no longer holds, may have been carried out by this plan: if
 * so, the data shows it. If the data does not show it, nobody can tell, and the action is not undone.
 */
async function settleBegun(
  begun: readonly number[],
  steps: readonly (Step | undefined)[],
  drivers: ReadonlyMap<number, Driver>,
  journal: Journal,
): Promise<void> {
  const asked = begun.filter((i) => {
    const outcome = journal.outcome(i)
    return steps[i] !== undefined && outcome !== "1" && outcome !== "3" && shows(steps[i])
  })
  const done = await holding(asked, (i) => ({ db: steps[i]!.db, expects: afterwards(steps[i]!) }), drivers)
  if (done.length > 0) journal.end(done, "1".repeat(done.length))
}

/** Those of some actions whose conditions hold now. */
async function holding(
  actions: readonly number[],
  stepOf: (action: number) => Pick<Step, "db" | "expects">,
  drivers: ReadonlyMap<number, Driver>,
): Promise<number[]> {
  const found: number[] = []
  const checks: [number, Step][] = []
  for (const i of actions) {
    const { db, expects } = stepOf(i)
    const driver = drivers.get(db)!
    if (!driver.cluster && expects.length > 0) checks.push([i, { db, expects, commands: [] }])
    else if (await allHold(expects, db, driver)) found.push(i)
  }
  for (const batch of batchesOf(checks, false)) {
    const digits = await digitsOf(batch, drivers.get(batch.db)!)
    found.push(...batch.actions.filter((_, at) => digits[at] === "1"))
  }
  return found
}

/** Whether the data shows, for each command, that it was carried out. */
const shows = ({ commands }: Step): boolean => commands.every((words) => readAfter(words.map(wireOf)) !== undefined)

/** What the data shows once a step has been carried out. */
const afterwards = ({ commands }: Step): Expectation[] =>
  commands.flatMap((words) => {
    const after = readAfter(words.map(wireOf))
    if (after === undefined) return []
    const [read, reply] = after
    const is = reply === "expires" ? { above: 0 } : expectedOf(read, reply, false)
    return [{ read: read.map((word) => wordOf(word)), is }]
  })

const undoStep = (action: Action): Step => ({
  db: action.db,
  expects: afterwards(action),
  commands: action.undo.toReversed(),
})

function reportOf(plan: ChangePlan, journal: Journal, refusal: string | undefined): ChangeReport {
  const counts = { done: 0, already: 0, skipped: 0, refused: 0 }
  const byCode: Record<string, number> = {}
  const outcomes = plan.actions.map(({ code }, i) => {
    const outcome = WORDS[journal.outcome(i) ?? "0"]
    counts[outcome]++
    if (outcome === "done") byCode[code] = (byCode[code] ?? 0) + 1
    return outcome
  })
  return { actions: plan.actions.length, ...counts, ...(refusal !== undefined && { refusal }), outcomes, byCode }
}

/** Whatever a plan says, only commands that plans are made of are sent. */
function requirePlan(plan: ChangePlan): void {
  if (plan.format !== "keywright-plan" || plan.version !== 1)
    throw planRefused(`its format is ${String(plan.format)} ${String(plan.version)}`)
  for (const [i, { expects, commands, undo }] of plan.actions.entries())
    if (!commands.every(isChange) || !undo.every(isUndo) || !expects.every(({ read }) => isRead(read)))
      throw planRefused(`action ${i + 1} has a command that plans do not have`)
}

/** The journal of carrying a plan out does not pass for that of undoing it, which would then undo nothing. */
const undoStampOf = (plan: ChangePlan): string => `undo-${headDigest(plan)}`
