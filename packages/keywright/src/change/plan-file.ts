/* A plan as a file: one JSON document, one action a line, readable by nobody else. */

import { closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { planRefused } from "../errors/change.ts"
import type { ChangePlan } from "./plan.ts"

/** Writes it beside its place, then moves it there: it is whole or not there. */
export function savePlan(plan: ChangePlan, path: string): void {
  const file = openSync(`${path}.part`, "w", 0o600)
  const { actions, ...head } = plan
  try {
    writeSync(file, `${JSON.stringify(head).slice(0, -1)},"actions":[`)
    for (let at = 0; at < actions.length; at += 1000) {
      const lines = actions.slice(at, at + 1000).map((action) => JSON.stringify(action))
      writeSync(file, `${at === 0 ? "\n" : ",\n"}${lines.join(",\n")}`)
    }
    writeSync(file, "\n]}\n")
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.part`, path)
}

export function loadPlan(path: string): ChangePlan {
  let plan: unknown
  try {
    plan = JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw planRefused(error instanceof SyntaxError ? `${path} is not JSON` : `${path} cannot be read`)
  }
  const { format, version, actions } = plan as Partial<ChangePlan>
  if (format !== "keywright-plan" || version !== 1 || !Array.isArray(actions))
    throw planRefused(`${path} is another file`)
  return plan as ChangePlan
}

/** Where it is noted what was carried out of a plan, and what was taken back. */
export const journalOf = (path: string): string => `${path}.journal`
export const undoJournalOf = (path: string): string => `${path}.undo-journal`
