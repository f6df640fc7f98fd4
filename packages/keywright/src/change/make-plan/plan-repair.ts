/* From what the audit found to a plan that fixes it.
 *
 * Entities are the truth, and what is derived from them is made equal to them: that is
 * what a finding's fix says. What the audit read when it confirmed the finding becomes
 * what the action expects. What there was before is read here, for the undo. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { EXPIRY } from "../../client/entity/expiry.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import { Unreadable } from "../../inspect/model/unreadable.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { modelOf } from "../../inspect/model/model.ts"
import { isRefusal, isUnknownCommand } from "../../inspect/walk/refusal.ts"
import { asWire } from "../../inspect/walk/wire.ts"
import { groupBy } from "../../schema/group-by.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { askEach } from "../ask-each.ts"
import { actionChecker, databasesFor } from "../check-plan/check-plan.ts"
import { loseDeadlines } from "../copy/field-deadlines.ts"
import { codesOf, type Deletion, fixOf } from "./deletions.ts"
import { expectedOf } from "../plan/expected.ts"
import { type Action, type ChangePlan, type Expectation, type Expected, planOf, withUnreadable } from "../plan/plan.ts"
import { secrecyOf } from "../plan/show-words.ts"
import { isDigest, NOTHING_STORED, type Stored } from "../check-plan/stored-values.ts"
import { isKnownChange, readsBefore, replacesWhole, undoOf } from "../plan/undo.ts"
import { wordOf } from "../plan/word.ts"

/**
 * What `planRepair` may delete.
 * @example
 * const options: PlanRepairOptions = { delete: ["unknown", "broken"] }
 */
export interface PlanRepairOptions {
  /** What may be deleted although it is not derived. Default: nothing. */
  readonly delete?: readonly Deletion[]
}

/** Findings that are planned together: their previous values are read in one batch. */
const AT_ONCE = 500

/**
 * Makes a plan that sets findings right. Reads what the actions will change, and writes nothing. What the server refuses to
 * read could not be restored by an undo: it is not in the plan, but in its list `unreadable`.
 * @example
 * const { findings } = await audit(shop, db.$driver())
 * const plan = await planRepair(findings, shop, db.$driver(), { delete: ["orphans"] })
 */
export async function planRepair(
  findings: readonly Finding[],
  keyspace: Keyspace,
  driver: Driver,
  options: PlanRepairOptions = {},
): Promise<ChangePlan> {
  const wanted = codesOf(options.delete ?? [])
  const isSecret = secrecyOf(keyspace)
  const actions: Action[] = []
  const left: Record<string, number> = {}
  const unconfirmed: Record<string, number> = {}
  const chosen: Draft[] = []
  for (const finding of findings) {
    if (finding.inferred === true) {
      unconfirmed[finding.code] = (unconfirmed[finding.code] ?? 0) + 1
      continue
    }
    const commands = fixOf(finding, wanted)?.map(asOwn(finding))
    if (commands === undefined || !commands.every(isKnownChange)) left[finding.code] = (left[finding.code] ?? 0) + 1
    else chosen.push({ finding, commands, db: finding.target.fix?.db ?? finding.target.db })
  }
  const unreadable = new Unreadable(keyspace, driver.db)
  const drafts = inOrder(chosen)
  const used = [...new Set(chosen.map(({ db }) => db))]
  const model = modelOf(keyspace, await databasesFor(keyspace, driver, used), driver.cluster, 0)
  const faultOf = actionChecker(model)
  for (let at = 0; at < drafts.length; at += AT_ONCE) {
    const some = drafts.slice(at, at + AT_ONCE)
    const before = await readBefore(driver, some, unreadable)
    const ending = await thoseOfEndingFields(driver, some)
    some.forEach((draft, i) => {
      // What could not be read could not be restored either.
      if (before[i]!.flat().some(isUnread)) return
      if (ending.has(draft)) return void (left[draft.finding.code] = (left[draft.finding.code] ?? 0) + 1)
      const [action, stored] = actionOf(draft, before[i]!, isSecret(draft.finding.target.name))
      // What notes on the server say is not believed either: they could name any key.
      if (faultOf(action, stored) === undefined) actions.push(action)
      else left[action.code] = (left[action.code] ?? 0) + 1
    })
  }
  return withUnreadable(await planOf(keyspace, driver, actions, left, unconfirmed), unreadable.result())
}

export interface Draft {
  readonly finding: Finding
  readonly commands: readonly Command[]
  readonly db: number
}

/**
 * Sorted by kind and key: for readers, and so that changes of one set, or based on one record, are together. Deadlines come
 * last: what replaces or deletes a whole key expects the deadline that its undo restores.
 */
function inOrder(drafts: readonly Draft[]): Draft[] {
  const order = ({ finding: { code, key, target }, db }: Draft) => {
    const read = target.reads.find(({ command }) => command[0] === "GET" && command[1] !== target.key)
    const isLast = code.startsWith("TTL.") ? 1 : 0
    return `${isLast} ${code} ${db} ${read === undefined ? "" : String(read.command[1])} ${key}`
  }
  return drafts
    .map((draft) => [order(draft), draft] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, draft]) => draft)
}

/** A counter is raised, whatever it is by then. */
const asOwn =
  ({ code }: Finding) =>
  (command: Command): Command =>
    code === "COUNTER.BEHIND" || code === "COUNTER.NOT_A_NUMBER" ? ["RAISE", ...command.slice(1)] : command

/** What there is before each command, for its undo; nothing is asked that the finding knows. */
async function readBefore(driver: Driver, drafts: readonly Draft[], unreadable: Unreadable): Promise<Reply[][][]> {
  const open: { readonly db: number; readonly read: Command; readonly replies: Reply[]; readonly i: number }[] = []
  const all = drafts.map(({ finding: { target }, commands, db }) =>
    commands.map((command) => {
      const replies: Reply[] = []
      readsBefore(command).forEach((read, i) => {
        const known = target.reads.findIndex((one) => one.db === db && isSame(one.command, read))
        replies.push(known < 0 ? null : target.replies[known]!)
        if (known < 0) open.push({ db, read, replies, i })
      })
      return replies
    }),
  )
  for (const [db, asked] of groupBy(open, (one) => one.db)) {
    const there = db === driver.db ? driver : await driver.database(db)
    const found = await askEach(there, asked, ({ read }) => read, SAFE_BYTES)
    asked.forEach(({ read, replies, i }, at) => {
      const reply = (replies[i] = found[at]!)
      if (isUnread(reply)) unreadable.note(db, read, reply)
    })
  }
  return all
}

/** Those that change a field with a deadline of its own, which no undo would restore. */
async function thoseOfEndingFields(driver: Driver, drafts: readonly Draft[]): Promise<ReadonlySet<Draft>> {
  const found = new Set<Draft>()
  const changes = drafts.flatMap((draft) =>
    draft.commands.filter(([name]) => name === "HSET" || name === "HDEL").map((command) => ({ draft, command })),
  )
  for (const [db, here] of groupBy(changes, ({ draft }) => draft.db)) {
    const there = db === driver.db ? driver : await driver.database(db)
    const commands = here.map(({ command }) => command)
    const lose = await loseDeadlines(there, commands)
    here.forEach(({ draft }, i) => lose[i] && found.add(draft))
  }
  return found
}

/** Servers before 7.0 lack PEXPIRETIME: what is done there has no undo. */
const isUnread = (reply: Reply): reply is KeywrightError => isRefusal(reply) && !isUnknownCommand(reply)

const isSame = (one: Command, other: Command): boolean =>
  one.length === other.length && one.every((word, i) => word === other[i])

/** The action, and what the finding read where it has digests. */
function actionOf({ finding, commands, db }: Draft, before: readonly Reply[][], secret: boolean): [Action, Stored] {
  const { code, pattern, key, place, expected, found, target } = finding
  const words = (command: Command) => command.map((word, i) => wordOf(i === 0 ? word : asWire(word), secret && i > 0))
  const expects: Expectation[] = []
  const replies = new Map<Expected, Reply>()
  target.reads.forEach((read, i) => {
    if (isNotes(read.command) || isImplied(read.command, target.reads, commands)) return
    const reply = target.replies[i]!
    const is = sharpened(finding, read.command, reply, expectedOf(read.command, reply, secret))
    expects.push({ ...(read.db !== db && { db: read.db }), read: words(read.command), is })
    if (isDigest(is)) replies.set(is, reply)
  })
  commands.forEach((command, i) => {
    if (!replacesWhole(command) || reads(target.reads, "GET", command[1]!)) return
    const dump = before[i]![0]!
    expects.push({ read: words(["DUMP", command[1]!]), is: expectedOf(["DUMP"], dump, true) })
  })
  const action = {
    code,
    db,
    pattern,
    key,
    ...(place !== undefined && { place }),
    why: `Expected ${expected}, found ${found}.`,
    ...(secret && { secret: true as const }),
    expects,
    commands: commands.map(words),
    undo: commands.flatMap((command, i) => undoOf(command, before[i]!).map(words)),
  }
  return [action, { ...NOTHING_STORED, replies }]
}

/** The sweeper's notes only say that it would do the same. */
const isNotes = ([name, key]: Command): boolean => name === "ZRANGE" && String(key).startsWith(EXPIRY)

const reads = (all: Finding["target"]["reads"], name: string, key: Wire): boolean =>
  all.some(({ command }) => command[0] === name && command[1] === key)

/** What a command itself finds out, or another read says more exactly, need not be compared. */
function isImplied(read: Command, all: Finding["target"]["reads"], commands: readonly Command[]): boolean {
  const [name, key, element] = read
  if (commands[0]?.[0] === "RAISE" && name === "GET") return true
  if (name === "EXISTS" && (reads(all, "GET", key!) || reads(all, "HGETALL", key!))) return true
  if (name !== "SISMEMBER" || commands.length !== 1) return false
  const [change] = commands
  return (change![0] === "SREM" || change![0] === "SADD") && change![1] === key && change![2] === element
}

/** How far a number must still be beyond what is allowed; and a deadline that is written is the one that was read. */
function sharpened({ code, target }: Finding, [name]: Command, reply: Reply, is: Expectation["is"]): Expectation["is"] {
  const [change] = target.fix?.commands ?? []
  if (name === "PEXPIRETIME" && String(reply) === deadlineIn(change)) return Number(reply)
  if (code === "TTL.TOO_LONG" && name === "PTTL") return { above: Number(change![2]) }
  if (code !== "VALUE.TOO_MANY") return is
  const keep = { LTRIM: Number(change![3]) + 1, ZREMRANGEBYRANK: -Number(change![3]) - 1, XTRIM: Number(change![3]) }
  return { above: keep[change![0] as keyof typeof keep] }
}

const deadlineIn = (change: Command | undefined): string | undefined =>
  change?.[0] === "PEXPIREAT" ? String(change[2]) : change?.[3] === "PXAT" ? String(change[4]) : undefined
