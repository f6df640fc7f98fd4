/* Plans on the command line, for repair and purge: shown, saved, carried out, undone. */

import { existsSync } from "node:fs"
import { applyRepair, type ChangeReport, doneOf, undoRepair } from "../change/carry-out.ts"
import type { Action, ChangePlan } from "../change/plan.ts"
import { journalOf, loadPlan, savePlan, undoJournalOf } from "../change/plan-file.ts"
import { showAction, showCommand } from "../change/show-words.ts"
import type { Driver } from "../driver/driver.ts"
import { journalMissing } from "../errors/change.ts"
import { fileMissing } from "../errors/cli.ts"
import { requireOrdinary } from "../files/ordinary-file.ts"
import { patient } from "../inspect/walk/patient.ts"
import type { Paint } from "../render/paint.ts"
import { oneLine } from "../render/printable.ts"
import { countText } from "../render/quantity.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { type Call, type ExitCode, textOption } from "./command.ts"
import { confirmed } from "./confirm.ts"
import { withServer } from "./open-server.ts"
import { timeoutMs } from "./walk-options.ts"

const PATIENCE_MS = 20_000

export interface PlanSource {
  readonly keyspace: Keyspace
  /** Of the server, where the config names one. */
  readonly url: string | undefined
  readonly databases: readonly number[] | undefined
}

/** Makes a plan, or carries out or undoes one that was saved. */
export async function runPlan(
  call: Call,
  source: PlanSource,
  make: (driver: Driver) => Promise<ChangePlan>,
): Promise<ExitCode> {
  const { apply } = call.options
  const undo = textOption(call, "undo")
  const saved = undo ?? (typeof apply === "string" ? apply : undefined)
  if (saved !== undefined) {
    if (!existsSync(saved)) throw fileMissing(saved)
    requireOrdinary(saved)
  }
  return withServer(call, source.url, async ({ driver }) => {
    const server = patient(driver, timeoutMs(call).timeoutMs ?? PATIENCE_MS)
    if (undo !== undefined) return undoPlan(call, server, await load(call, source, server, undo), undo)
    if (saved !== undefined) return applyPlan(call, server, await load(call, source, server, saved), saved)
    const plan = await make(server)
    const file = plan.actions.length === 0 ? undefined : (textOption(call, "out") ?? freshName(call.command, plan))
    if (file !== undefined) savePlan(plan, file)
    if (apply !== true || file === undefined) return showPlan(call, plan, file)
    return applyPlan(call, server, plan, file)
  })
}

/** `"repair-2026-01-05T10-00-00-000Z.json"` */
const freshName = (command: string, { made }: ChangePlan): string => `${command}-${made.replace(/[:.]/g, "-")}.json`

const load = (call: Call, { keyspace, databases }: PlanSource, driver: Driver, file: string): Promise<ChangePlan> =>
  loadPlan(file, keyspace, driver, {
    for: call.command as "repair" | "purge",
    anyServer: call.options["anyServer"] === true,
    ...(databases !== undefined && { databases }),
  })

/** What is shown is what is carried out: the file is not read again. */
async function applyPlan(call: Call, driver: Driver, plan: ChangePlan, file: string): Promise<ExitCode> {
  const { out } = call
  out.remark(planText(call, plan, (action) => action.commands, out.errorColour))
  if (!(await confirmed(call, `Carry out ${actionsText(plan.actions.length)} on ${driver.label}?`)))
    return declined(call)
  const onProgress = progress(call)
  return report(call, file, await applyRepair(plan, driver, { journal: journalOf(file), onProgress }), plan.left)
}

async function undoPlan(call: Call, driver: Driver, plan: ChangePlan, file: string): Promise<ExitCode> {
  const journal = journalOf(file)
  if (!existsSync(journal)) throw journalMissing(journal)
  const done = doneOf(plan, journal)
  const undoing = plan.actions.filter((action, i) => done[i] && action.undo.length > 0)
  const { out } = call
  out.remark(planText(call, { ...plan, actions: undoing }, (action) => action.undo, out.errorColour))
  if (!(await confirmed(call, `Take back ${actionsText(undoing.length)} on ${driver.label}?`))) return declined(call)
  const undone = await undoRepair(plan, driver, { journal: undoJournalOf(file), done, onProgress: progress(call) })
  // What was not done is not undone: that is not a failure.
  const skipped = plan.actions.filter(
    (action, i) => done[i] && action.undo.length > 0 && undone.outcomes[i] === "skipped",
  )
  return report(call, file, { ...undone, skipped: skipped.length }, {})
}

const progress =
  ({ out }: Call) =>
  ({ done, of }: { readonly done: number; readonly of: number }) =>
    out.progress(`${countText(done)} of ${countText(of)} actions`)

function report(
  { out, command, options }: Call,
  file: string,
  { actions, done, already, skipped, refused, refusal, byCode }: ChangeReport,
  left: ChangePlan["left"],
): ExitCode {
  if (out.json)
    out.document({ schemaVersion: 1, plan: file, actions, done, already, skipped, refused, refusal, byCode, left })
  else {
    const parts = [
      `${countText(done)} ${options["undo"] === undefined ? "done" : "taken back"}`,
      already > 0 && `${countText(already)} were so already`,
      skipped > 0 &&
        `${countText(skipped)} skipped, because something has changed since: run keywright ${command} again`,
      refused > 0 && `${countText(refused)} refused by the server: ${refusal ?? ""}`,
    ]
    out.line(parts.filter((part) => part !== false).join("; "))
    if (options["undo"] === undefined && done > 0) out.note(`to take it back: keywright ${command} --undo ${file}`)
    leftNote(out, left)
  }
  return skipped + refused > 0 ? 4 : 0
}

function declined({ out }: Call): ExitCode {
  out.note("nothing was changed")
  return 1
}

const actionsText = (count: number): string => `${countText(count)} ${count === 1 ? "action" : "actions"}`

function showPlan(call: Call, plan: ChangePlan, file: string | undefined): ExitCode {
  const { out, command } = call
  if (out.json) {
    const actions = plan.actions.map(showAction)
    out.document({ schemaVersion: 1, plan: file ?? null, actions, left: plan.left })
  } else if (plan.actions.length === 0) out.text("nothing to do")
  else {
    out.text(planText(call, plan, (action) => action.commands, out.colour))
    out.note(`the plan is in ${file}; to carry it out: keywright ${command} --apply ${file}`)
  }
  if (!out.json) leftNote(out, plan.left)
  return plan.actions.length + Object.keys(plan.left).length > 0 ? 1 : 0
}

/** A few actions of each code, with the relevant commands. */
function planText(
  call: Call,
  { actions: all }: ChangePlan,
  commandsOf: (action: Action) => Action["commands"],
  { bold, dim }: Paint,
): string {
  const most = (call.options["show"] as number | undefined) ?? 5
  const groups = new Map<string, Action[]>()
  for (const action of all) {
    const group = groups.get(action.code)
    if (group === undefined) groups.set(action.code, [action])
    else group.push(action)
  }
  const lines = [...groups].flatMap(([code, actions]) => [
    `${bold(oneLine(code))}  ${countText(actions.length)}`,
    ...actions
      .slice(0, most)
      .flatMap((action) => [
        ...commandsOf(action).map((words) => `  ${oneLine(showCommand(action, words))}`),
        `    ${dim(oneLine(action.why))}`,
      ]),
    ...(actions.length > most ? [`  … and ${countText(actions.length - most)} more`] : []),
  ])
  return lines.join("\n")
}

function leftNote(out: Call["out"], left: ChangePlan["left"]): void {
  const parts = Object.entries(left).map(([code, count]) => `${code} ${countText(count)}`)
  if (parts.length > 0)
    out.note(`not in the plan, because only a person can know, or --delete is needed: ${parts.join(", ")}`)
}
