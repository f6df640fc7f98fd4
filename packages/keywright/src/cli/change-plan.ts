/* Plans on the command line, for repair and purge: shown, saved, carried out, undone. */

import { existsSync, statSync } from "node:fs"
import { applyRepair, type ChangeReport, doneOf, settleRepair, undoRepair } from "../change/carry-out/carry-out.ts"
import type { Action, ChangePlan } from "../change/plan/plan.ts"
import { journalOf, loadPlan, savePlan, undoJournalOf } from "../change/make-plan/plan-file.ts"
import { serverMark } from "../change/server-mark.ts"
import { showAction, showCommand } from "../change/plan/show-words.ts"
import { keyOf } from "../change/plan/word.ts"
import type { Driver } from "../driver/driver.ts"
import { SAFE } from "../driver/safe.ts"
import { journalMissing, planUndone } from "../errors/change.ts"
import { shellLine } from "../errors/shell-line.ts"
import type { AuditOptions } from "../inspect/audit/audit.ts"
import { groupBy } from "../schema/group-by.ts"
import { patient } from "../inspect/walk/patient.ts"
import type { Paint } from "../render/paint.ts"
import { oneLine } from "../render/printable.ts"
import { countText, counted } from "../render/quantity.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { defined, type ExitCode, type Invocation, textOption } from "./command.ts"
import { confirmed } from "./confirm.ts"
import { exitOf } from "./interrupted.ts"
import { requireFile } from "./named-file.ts"
import { withServer } from "./open-server.ts"
import { timeoutMs } from "./walk-options.ts"

const PATIENCE_MS = 20_000
/** Keys that are asked for in one batch. */
const AT_ONCE = 1000
/** Likely patterns of keys that no pattern owns, of which some keys each are shown. */
const MOST_UNKNOWN = 50

export interface PlanSource {
  readonly keyspace: Keyspace
  /** The server's address, where the config names one. */
  readonly url: string | undefined
  readonly databases: readonly number[] | undefined
  /** What the config accepts: no plan changes it. */
  readonly accept?: AuditOptions["accept"]
}

/** Makes a plan, or carries out or undoes one that was saved. */
export async function runPlan(
  call: Invocation,
  source: PlanSource,
  make: (driver: Driver) => Promise<ChangePlan>,
): Promise<ExitCode> {
  const { apply } = call.options
  const shown = { call, keyspace: source.keyspace }
  const undo = textOption(call, "undo")
  const saved = undo ?? (typeof apply === "string" ? apply : undefined)
  if (saved !== undefined) requireFile(saved)
  return withServer(call, source.url, async ({ driver }) => {
    const server = patient(driver, timeoutMs(call).timeoutMs ?? PATIENCE_MS)
    if (undo !== undefined) return undoPlan(shown, server, await load(call, source, server, undo), undo)
    if (saved !== undefined) {
      const { accept } = source
      return applyPlan(shown, server, await load(call, source, server, saved, accept && { accept }), saved)
    }
    const plan = await make(server)
    // Only what is carried out needs a file by itself, to be continued and undone by. A preview writes nothing.
    const name = textOption(call, "out") ?? (apply === true ? freshName(call.command, plan) : undefined)
    const file = plan.actions.length === 0 ? undefined : name
    if (file !== undefined) savePlan(plan, file)
    const code = await (apply !== true || file === undefined
      ? showPlan(shown, plan, file)
      : applyPlan(shown, server, plan, file))
    return exitOf(call, { result: plan, stopped: undefined }, code)
  })
}

/** `"repair-2026-01-05T10-00-00-000Z.json"` */
const freshName = (command: string, { made }: ChangePlan): string => `${command}-${made.replace(/[:.]/g, "-")}.json`

const load = (
  call: Invocation,
  { keyspace, databases }: PlanSource,
  driver: Driver,
  file: string,
  more: Pick<PlanSource, "accept"> = {},
): Promise<ChangePlan> =>
  loadPlan(file, keyspace, driver, {
    ...more,
    for: call.command as "repair" | "purge",
    ...anyServer(call),
    ...defined({ databases }),
  })

const anyServer = ({ options }: Invocation) => ({ anyServer: options["anyServer"] === true })

/** The server that a journal must be of; undefined when it may be any. */
const serverOf = async (call: Invocation, driver: Driver): Promise<string | undefined> =>
  anyServer(call).anyServer ? undefined : serverMark(driver)

/** What a plan is shown by. */
interface Shown {
  readonly call: Invocation
  readonly keyspace: Keyspace
}

/** What is shown is what is carried out: the file is not read again. */
async function applyPlan(shown: Shown, driver: Driver, plan: ChangePlan, file: string): Promise<ExitCode> {
  const { call } = shown
  const { out } = call
  if (isWritten(undoJournalOf(file))) throw planUndone(undoJournalOf(file), journalOf(file))
  const actions = await existingFirst(shown, driver, plan.actions)
  out.remark(planText(shown, { ...plan, actions }, (action) => action.commands, out.errorColour))
  if (plan.outdated !== undefined)
    out.note(`${countText(plan.outdated.length)} of them will be skipped, because the data has changed since`)
  lastingNote(out, plan)
  if (!(await confirmed(call, `Carry out ${counted(plan.actions.length, "action")} on ${driver.label}?`)))
    return declined(call)
  const journal = journalOf(file)
  const before = existsSync(journal) ? count(doneOf(plan, journal, await serverOf(call, driver))) : 0
  const changed = await applyRepair(plan, driver, { journal, ...anyServer(call), onProgress: progress(call) })
  const isUndoable = plan.actions.some(({ undo }, i) => changed.outcomes[i] === "done" && undo.length > 0)
  return report(call, file, { ...changed, before, isUndoable }, plan.left)
}

/** Keys that no pattern owns and that are not there come last: otherwise a file could hide one that is behind any number of them. */
async function existingFirst(
  { keyspace }: Shown,
  driver: Driver,
  actions: readonly Action[],
): Promise<readonly Action[]> {
  const isOwned = ownedBy(keyspace)
  const unknown = actions.filter((action) => !isOwned(action))
  const missing = new Set<Action>()
  for (const db of new Set(unknown.map((action) => action.db))) {
    const there = db === driver.db ? driver : await driver.database(db)
    const asked = unknown.filter((action) => action.db === db)
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const some = asked.slice(from, from + AT_ONCE)
      const replies = await there.batch(
        some.map(({ commands }) => ["EXISTS", keyOf(commands.at(-1)![1]!)]),
        SAFE,
      )
      some.forEach((action, i) => void (replies[i] === 0 && missing.add(action)))
    }
  }
  return missing.size === 0 ? actions : [...actions.filter((action) => !missing.has(action)), ...missing]
}

/** Makes the function that says whether an action is about a key of the schema. */
const ownedBy = ({ keys }: Keyspace): ((action: Action) => boolean) => {
  const patterns = new Set(keys.map(({ pattern }) => pattern))
  return ({ pattern }) => patterns.has(pattern)
}

const isWritten = (journal: string): boolean => existsSync(journal) && statSync(journal).size > 0

const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length

async function undoPlan(shown: Shown, driver: Driver, plan: ChangePlan, file: string): Promise<ExitCode> {
  const { call } = shown
  const journal = journalOf(file)
  if (!isWritten(journal)) throw journalMissing(journal)
  const unknown = await settleRepair(plan, driver, { journal, ...anyServer(call) })
  const done = doneOf(plan, journal, await serverOf(call, driver))
  const undoing = plan.actions.filter((action, i) => done[i] && action.undo.length > 0)
  const { out } = call
  out.remark(planText(shown, { ...plan, actions: undoing }, (action) => action.undo, out.errorColour))
  if (unknown > 0)
    out.warn(
      `${counted(unknown, "action")} not undone: under way when it was interrupted, and the data does not show what was done`,
    )
  if (!(await confirmed(call, `Undo ${counted(undoing.length, "action")} on ${driver.label}?`))) return declined(call)
  const undone = await undoRepair(plan, driver, {
    journal: undoJournalOf(file),
    done,
    ...anyServer(call),
    onProgress: progress(call),
  })
  // What was not done is not undone: that is not a failure.
  const skipped = plan.actions.filter(
    (action, i) => done[i] && action.undo.length > 0 && undone.outcomes[i] === "skipped",
  )
  const lasting = plan.actions.filter((action, i) => done[i] && action.undo.length === 0)
  const code = report(call, file, { ...undone, actions: count(done), skipped: skipped.length, lasting }, {})
  return unknown > 0 ? 4 : code
}

const progress =
  ({ out }: Invocation) =>
  ({ done, of }: { readonly done: number; readonly of: number }) =>
    out.progress(`${countText(done)} of ${countText(of)} actions`)

interface Reported extends ChangeReport {
  /** For what is done: how many an earlier call had done. */
  readonly before?: number
  /** Something of what is done can be taken back. */
  readonly isUndoable?: boolean
  /** For an undo: what was done and nothing takes back. */
  readonly lasting?: readonly Action[]
}

function report(call: Invocation, file: string, reported: Reported, left: ChangePlan["left"]): ExitCode {
  const { out, command } = call
  const { outcomes: _, lasting, isUndoable, ...counts } = reported
  if (out.json) {
    const kept = lasting && { lasting: lasting.length }
    out.document({ schemaVersion: 1, plan: file, ...counts, ...kept, left })
  } else {
    out.line(reportText(command, reported))
    const undo = shellLine`keywright ${command} --undo ${file}`
    if (isUndoable === true && undo !== undefined) out.note(`to undo it: ${undo}`)
    leftNote(out, left)
  }
  return counts.skipped + counts.refused > 0 ? 4 : 0
}

/** `"8 undone; 1 cannot be undone: COUNTER.BEHIND 1"`: the numbers add up to the actions of the plan. */
function reportText(
  command: string,
  { actions, done, already, skipped, refused, refusal, before = 0, lasting }: Reported,
): string {
  const is = lasting === undefined ? "done" : "undone"
  const all = done === actions || actions === 0 ? "" : ` of ${countText(actions)}`
  const earlier = before === 0 ? "" : before === done ? ", all of it earlier" : `, ${countText(before)} of them earlier`
  return [
    `${countText(done)}${all} ${is}${earlier}`,
    already > 0 && `${countText(already)} already as wanted`,
    skipped > 0 && `${countText(skipped)} skipped, because something has changed since: run keywright ${command} again`,
    refused > 0 && `${countText(refused)} refused by the server: ${refusal ?? ""}`,
    lasting !== undefined &&
      lasting.length > 0 &&
      `${countText(lasting.length)} cannot be undone: ${codesText(lasting)}`,
  ]
    .filter((part) => part !== false)
    .join("; ")
}

/** `"COUNTER.BEHIND 1, PURGE 3"` */
function codesText(actions: readonly Action[]): string {
  const codes = groupBy(actions, ({ code }) => code)
  return [...codes].map(([code, { length }]) => `${oneLine(code)} ${countText(length)}`).join(", ")
}

/** Says, before anything is done, what cannot be undone. */
function lastingNote(out: Invocation["out"], { actions }: ChangePlan): void {
  const lasting = actions.filter(({ undo }) => undo.length === 0)
  if (lasting.length > 0) out.note(`cannot be undone: ${codesText(lasting)}`)
}

function declined({ out }: Invocation): ExitCode {
  out.note("nothing was changed")
  return 1
}

function showPlan(shown: Shown, plan: ChangePlan, file: string | undefined): ExitCode {
  const { out, command } = shown.call
  if (out.json) {
    const actions = plan.actions.map(showAction)
    const { left, unconfirmed, unreadable } = plan
    out.document({ schemaVersion: 1, plan: file ?? null, actions, left, unconfirmed, unreadable })
  } else if (plan.actions.length === 0)
    out.text(plan.unreadable === undefined ? "nothing to do" : "nothing to do for what could be read")
  else {
    out.text(planText(shown, plan, (action) => action.commands, out.colour))
    lastingNote(out, plan)
    out.note(
      file === undefined
        ? "nothing was written; add --apply to carry it out, or --out plan.json to save the plan"
        : `the plan is in ${file}; to carry it out: ${shellLine`keywright ${command} --apply ${file}` ?? "pass it to --apply"}`,
    )
  }
  if (!out.json) leftNote(out, plan.left, plan.unconfirmed)
  // What purge lists was asked for; what repair lists is wrong.
  const left = Object.keys({ ...plan.left, ...plan.unconfirmed }).length
  return command === "repair" && plan.actions.length + left > 0 ? 1 : 0
}

/** A few actions of each code and pattern, with the relevant commands: none hides behind those of other keys. */
function planText(
  { call, keyspace }: Shown,
  { actions: all }: ChangePlan,
  commandsOf: (action: Action) => Action["commands"],
  { bold, dim }: Paint,
): string {
  const most = (call.options["show"] as number | undefined) ?? 5
  const isOwned = ownedBy(keyspace)
  const lines = [...groupBy(all, ({ code }) => code)].flatMap(([code, ofCode]) => {
    const unknown = new Set<string>()
    const groups = groupBy(ofCode, (action) => {
      const { pattern } = action
      if (!isOwned(action) && unknown.size < MOST_UNKNOWN) unknown.add(pattern)
      return isOwned(action) || unknown.has(pattern) ? pattern : ""
    })
    return [
      `${bold(oneLine(code))}  ${countText(ofCode.length)}`,
      ...[...groups].flatMap(([pattern, actions]) => [
        ...actions
          .slice(0, most)
          .flatMap((action) => [
            ...commandsOf(action).map((words) => `  ${oneLine(showCommand(action, words))}`),
            `    ${dim(oneLine(action.why))}`,
          ]),
        ...(actions.length > most
          ? [
              `  … and ${countText(actions.length - most)} more${groups.size > 1 ? ` of ${oneLine(pattern) || "other patterns"}` : ""}`,
            ]
          : []),
      ]),
    ]
  })
  return lines.join("\n")
}

function leftNote(
  out: Invocation["out"],
  left: ChangePlan["left"],
  unconfirmed: NonNullable<ChangePlan["unconfirmed"]> = {},
): void {
  const parts = (counts: ChangePlan["left"]) =>
    Object.entries(counts)
      .map(([code, count]) => `${code} ${countText(count)}`)
      .join(", ")
  if (Object.keys(left).length > 0)
    out.note(`not in the plan, because only a person can decide, or --delete is needed: ${parts(left)}`)
  if (Object.keys(unconfirmed).length > 0)
    out.note(
      `not in the plan, because the rules were inferred: ${parts(unconfirmed)}. Delete \`inferred: true\` in the schema where the rules are intended`,
    )
}
