/* What the audit finds where the actions of a plan would change something. The config's `accept` is asked about that, not
 * about what a file says of it. Only the keys and elements that the actions name are looked at. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { CheckKind } from "../../inspect/audit/checks/check.ts"
import { compareCounters, counterCheck } from "../../inspect/audit/checks/counter.ts"
import { deadlinesCheck } from "../../inspect/audit/checks/family.ts"
import { indexEntriesCheck } from "../../inspect/audit/checks/index-entries.ts"
import { indexHoldersCheck } from "../../inspect/audit/checks/index-holders.ts"
import { keepCheck, lengthCommandOf } from "../../inspect/audit/checks/keep.ts"
import { listEntryCheck, listHoldersCheck } from "../../inspect/audit/checks/list.ts"
import { paramsCheck } from "../../inspect/audit/checks/params.ts"
import { quotesCheck } from "../../inspect/audit/checks/quotes.ts"
import { ttlCheck, ttlCommandOf } from "../../inspect/audit/checks/ttl.ts"
import { checkType } from "../../inspect/audit/checks/type.ts"
import { unknownFinding } from "../../inspect/audit/checks/unknown.ts"
import { valueCheck } from "../../inspect/audit/checks/value.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import { Inquiry } from "../../inspect/audit/inquiry.ts"
import type { Model } from "../../inspect/model/model.ts"
import type { Subject } from "../../inspect/model/subject.ts"
import { allDeletions, fixOf } from "../make-plan/deletions.ts"
import type { Action } from "../plan/plan.ts"
import { keyOf } from "../plan/word.ts"
import { isSame, type OwnerIn, subjectsNamedBy } from "./replayed-check.ts"
import { byCode, checkOf, preparing } from "./rule-evidence.ts"
import { withStored } from "./stored-values.ts"

const indexChecks = [indexEntriesCheck, indexHoldersCheck]

/** By the code, or by its first part: what finds it, where that is not a check that is replayed anyway. */
const checks: Readonly<Record<string, readonly CheckKind[]>> = {
  "KEY.SEGMENT": [paramsCheck],
  TTL: [ttlCheck],
  "TTL.FAMILY": [deadlinesCheck],
  "VALUE.FIELD_UNKNOWN": [valueCheck],
  "VALUE.TOO_MANY": [keepCheck],
  "VALUE.BARE": [quotesCheck],
  INDEX: indexChecks,
  MIRROR: indexChecks,
  UNIQUE: indexChecks,
  LIST: [listEntryCheck, listHoldersCheck],
  COUNTER: [counterCheck],
}

function checksOf(code: string): readonly CheckKind[] {
  const replayed = checkOf(code)
  return replayed === undefined ? (byCode(checks, code) ?? []) : [replayed]
}

/** An action, and the keys that it names. */
interface Named {
  readonly at: number
  readonly action: Action
  readonly subjects: readonly Subject[]
}

const AT_ONCE = 100

/** The actions, each with the findings that it sets right: none where nothing is wrong now. */
export async function* withFindings(
  actions: readonly Action[],
  model: Model,
  ownerIn: OwnerIn,
): AsyncGenerator<readonly [at: number, action: Action, findings: readonly Finding[]]> {
  const prepared = preparing(model)
  let some: Named[] = []
  for await (const [at, action, { replies }] of withStored(actions, model, isOfFinding)) {
    const subjects = isOfFinding(action) ? subjectsNamedBy(action, model, ownerIn, replies) : []
    some.push({ at, action, subjects })
    if (some.length < AT_ONCE && at < actions.length - 1) continue
    const findings = await foundBy(some, model, prepared)
    for (const one of some) yield [one.at, one.action, findings.filter((each) => isSetRightBy(each, one.action))]
    some = []
  }
}

/** What is purged was asked for, and nothing is wrong with it. */
export const isOfFinding = ({ code }: Action): boolean => code !== "PURGE"

async function foundBy(
  some: readonly Named[],
  model: Model,
  prepared: ReturnType<typeof preparing>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const inquiry = new Inquiry(model, (finding) => void findings.push(finding))
  const read = await readAgain(
    some.flatMap(({ subjects }) => subjects),
    model,
  )
  for (const { action, subjects } of some) {
    const { code, db } = action
    const key = changedBy(action)
    if (code === "KEY.UNKNOWN") noteUnknown(inquiry, db, key)
    for (const subject of subjects) {
      if (code === "KEY.TYPE" && subject.key === key) checkType(subject.row, key, inquiry)
      for (const kind of checksOf(code))
        for (const check of prepared(kind, subject.row)) check(read.get(subject)!, inquiry)
    }
  }
  if (some.some(({ action }) => action.code.startsWith("COUNTER."))) compareCounters(inquiry)
  await inquiry.settle()
  return findings
}

const changedBy = ({ commands }: Action): Wire => keyOf(commands.at(-1)![1]!)

function noteUnknown(inquiry: Inquiry, db: number, key: Wire): void {
  inquiry.ask(db, ["TYPE", key], (type) => {
    if (type !== "none" && !(type instanceof KeywrightError)) inquiry.note(unknownFinding(db, key, type), "")
  })
}

/** What the conditions of an action need not say: deadlines, lengths, and the records that entries belong to. */
async function readAgain(subjects: readonly Subject[], model: Model): Promise<ReadonlyMap<Subject, Subject>> {
  const found = new Map<Subject, Subject>()
  for (const { db, driver } of model.databases) {
    const here = subjects.filter(({ row }) => row.db === db)
    const reads = here.map((subject) => readsOf(subject, model))
    const replies = await driver.batch(reads.flat(), SAFE)
    let from = 0
    here.forEach((subject, i) => {
      const [ttl, length, record] = replies.slice(from, (from += reads[i]!.length))
      found.set(subject, {
        ...subject,
        ttl: typeof ttl === "number" ? ttl : -2,
        length: typeof length === "number" ? length : undefined,
        elements: record === undefined ? subject.elements : elementsOf(record),
      })
    })
  }
  return found
}

function readsOf({ row, key, elements }: Subject, model: Model): Command[] {
  const { entity } = row.declared
  const record = entity?.role === "record" && elements.length === 0 ? model.entities.get(entity.name) : undefined
  return [
    [ttlCommandOf(row), key],
    [lengthCommandOf(row) ?? "EXISTS", key],
    ...(record === undefined ? [] : [record.read(key)]),
  ]
}

const elementsOf = (reply: Reply): readonly Reply[] =>
  reply === null || reply instanceof KeywrightError ? [] : Array.isArray(reply) ? (reply as readonly Reply[]) : [reply]

function isSetRightBy({ code, target }: Finding, action: Action): boolean {
  if (code !== action.code || (target.fix ?? target).db !== action.db) return false
  const commands = action.commands.map((words) => words.map(keyOf))
  // A counter is raised, and not always to the highest id.
  if (commands[0]![0] === "RAISE") return isSame([target.key], [changedBy(action)])
  const fix = fixOf({ code, target }, allDeletions)
  return fix?.length === commands.length && fix.every((command, i) => isSame(commands[i]!, command))
}
