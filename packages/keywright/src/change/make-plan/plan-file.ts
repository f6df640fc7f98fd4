/* A plan as a file: one JSON document, one action a line, readable by nobody else. */

import { fsyncSync, writeFileSync } from "node:fs"
import type { Driver } from "../../driver/driver.ts"
import { MOST_BYTES_OF_RECORD, readText } from "../../files/ordinary-file.ts"
import { planTooLarge } from "../../errors/change.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { checkPlan, type CheckPlanOptions } from "../check-plan/check-plan.ts"
import { asSaved, type ChangePlan } from "../plan/plan.ts"
import { replaceFile } from "../private-file.ts"
import { plainJson } from "../../schema/json/plain-json.ts"
import { readPlan } from "./read-plan.ts"

/**
 * Writes a plan to a file: under a temporary name first, so that it is either complete or missing.
 * @example
 * const { findings } = await audit(shop, db.$driver())
 * savePlan(await planRepair(findings, shop, db.$driver()), "plan.json")
 */
export function savePlan(plan: ChangePlan, path: string): void {
  savePlanWithin(plan, path, MOST_BYTES_OF_RECORD)
}

/** Refuses what could not be read again: who carries it out relies on its undo. */
export function savePlanWithin(plan: ChangePlan, path: string, most: number): void {
  const { actions, ...head } = asSaved(plan)
  replaceFile(path, (file) => {
    let size = 0
    const write = (text: string) => {
      size += Buffer.byteLength(text)
      if (size > most) throw planTooLarge(path, most)
      writeFileSync(file, text) // All of it: a full disk takes a part, and only the next call says so.
    }
    write(`${plainJson(JSON.stringify(head)).slice(0, -1)},"actions":[`)
    for (let at = 0; at < actions.length; at += 1000) {
      const lines = textOf(() =>
        actions
          .slice(at, at + 1000)
          .map((action) => plainJson(JSON.stringify(action)))
          .join(",\n"),
      )
      if (lines === undefined) throw planTooLarge(path, most)
      write(`${at === 0 ? "\n" : ",\n"}${lines}`)
    }
    write("\n]}\n")
    fsyncSync(file)
  })
}

/** Undefined when it is longer than any text can be. */
function textOf(write: () => string): string | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Reads a plan, and refuses one that this schema's repair or purge would not have made on this server. What is returned
 * is what was checked: the file may change from then on. Actions whose records have changed since are in its list
 * `outdated`, and are skipped.
 * @example
 * const plan = await loadPlan("plan.json", shop, db.$driver(), { for: "repair" })
 * await applyRepair(plan, db.$driver(), { journal: journalOf("plan.json") })
 */
export async function loadPlan(
  path: string,
  keyspace: Keyspace,
  driver: Driver,
  options: CheckPlanOptions = {},
): Promise<ChangePlan> {
  const plan = readPlan(readText(path, MOST_BYTES_OF_RECORD), path)
  const outdated = await checkPlan(plan, keyspace, driver, options)
  return outdated.length === 0 ? plan : { ...plan, outdated }
}

/**
 * Where `repair --apply` notes what it has carried out of a plan.
 * @example
 * console.log(journalOf("plan.json")) // → plan.json.journal
 */
export const journalOf = (path: string): string => `${path}.journal`

/**
 * Where `repair --undo` notes what it has taken back of a plan.
 * @example
 * console.log(undoJournalOf("plan.json")) // → plan.json.undo-journal
 */
export const undoJournalOf = (path: string): string => `${path}.undo-journal`
