/* Whether a plan from a file may be carried out: it is of this schema and of this
 * server, and every action does what its code says, to keys that the schema owns. */

import type { Driver, Wire } from "../../driver/driver.ts"
import { planOfOtherSchema, planOfOtherServer, planRefused } from "../../errors/change.ts"
import type { AuditOptions } from "../../inspect/audit/audit.ts"
import { gatheringsOf } from "../../inspect/audit/gathered.ts"
import { type Model, modelOf } from "../../inspect/model/model.ts"
import { type Database, databasesOf, declaredDatabases } from "../../inspect/walk/databases.ts"
import { likelyPattern, showUnknown } from "../../inspect/model/unknown-patterns.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { followsRule } from "./action-rules.ts"
import { type CopiedAs, ownersOf } from "../copy/owners.ts"
import { readDump } from "../plan/dump-type.ts"
import { judged } from "./evidence.ts"
import { askedAbout, guesses } from "./left-alone.ts"
import type { Action, ChangePlan } from "../plan/plan.ts"
import { takesBack } from "../plan/plan-grammar.ts"
import { restoresWhatItSays } from "../plan/replaced.ts"
import { modelOfOwner } from "./replayed-check.ts"
import { isByValues, ruleChecker } from "./rule-evidence.ts"
import { NOTHING_STORED, type Stored, withStored } from "./stored-values.ts"
import { secrecyOf } from "../plan/show-words.ts"
import { isSameServer, serverMark } from "../server-mark.ts"
import { keyOf, wireOf } from "../plan/word.ts"

/**
 * Options of `loadPlan`.
 * @example
 * const options: CheckPlanOptions = { for: "repair" }
 * const plan = await loadPlan("plan.json", shop, db.$driver(), options)
 */
export interface CheckPlanOptions {
  /** Which command works by it: repair does not delete what was meant for purge, nor the other way round. */
  readonly for?: "repair" | "purge"
  /** It may have been made on another server. Default: false */
  readonly anyServer?: boolean
  /** Logical databases besides those of the schema. */
  readonly databases?: readonly number[]
  /** What the application accepts, as for `audit`: a plan that changes it is refused. */
  readonly accept?: AuditOptions["accept"]
}

/** Throws when the plan may not be carried out; returns which of its actions may not, since their records have changed. */
export async function checkPlan(
  plan: ChangePlan,
  keyspace: Keyspace,
  driver: Driver,
  options: CheckPlanOptions = {},
): Promise<readonly number[]> {
  if (plan.schema.fingerprint !== fingerprint(keyspace)) throw planOfOtherSchema(plan.schema.fingerprint)
  if (options.anyServer !== true && !isSameServer(plan.nodes ?? plan.server, await serverMark(driver)))
    throw planOfOtherServer(plan.server, driver.label)
  const model = modelOf(keyspace, await databasesFor(keyspace, driver, options.databases), driver.cluster, 0)
  const owners = ownersByDatabase(model)
  const faultOf = actionChecker(model, owners)
  const isGuess = guesses(model)
  const notAsSaid: number[] = []
  const referring: (readonly [at: number, action: Action, stored: Stored])[] = []
  for await (const [i, action, stored] of withStored(plan.actions, model, isByValues)) {
    const wrong =
      faultOf(action, stored) ??
      (await dumpFault(action)) ??
      otherCommand(action, options.for) ??
      (isGuess(action, owners.get(action.db)!(keyOf(action.commands.at(-1)![1]!)).row) ? GUESS : undefined)
    if (wrong !== undefined) throw refusedAt(plan, i, wrong)
    if (stored.isOutdated) notAsSaid.push(i)
    else if (action.code.startsWith("REFERS.")) referring.push([i, action, stored])
  }
  const { unfounded: at, outdated } = await judged(plan.actions, model, (db) => owners.get(db)!)
  if (at !== undefined) throw refusedAt(plan, at, "is not what its record says")
  if (referring.length > 0) for (const ids of gatheringsOf(model).values()) await ids.gather()
  // With the ids that are there now: what referred to nothing when the plan was made may refer to something since.
  const found = referring.filter(([, action, stored]) => faultOf(action, stored) !== undefined).map(([i]) => i)
  const { accept } = options
  const { accepted, outdated: gone } =
    accept === undefined ? { outdated: [] } : await askedAbout(plan.actions, model, (db) => owners.get(db), accept)
  if (accepted !== undefined) throw refusedAt(plan, accepted, "changes what the config accepts")
  return [...new Set([...outdated, ...notAsSaid, ...found, ...gone])]
}

const GUESS = "depends on an inferred rule that nobody has confirmed"

const refusedAt = ({ actions }: ChangePlan, at: number, why: string): Error =>
  planRefused(`action ${at + 1} (${actions[at]!.code}) ${why}`)

/** The databases of the schema, and more. */
export const databasesFor = (keyspace: Keyspace, driver: Driver, more: readonly number[] = []): Promise<Database[]> =>
  databasesOf(keyspace, driver, { databases: [...new Set([...declaredDatabases(keyspace, driver.db), ...more])] })

const ownersByDatabase = ({ keyspace, databases }: Model) =>
  new Map(databases.map(({ db, keys }) => [db, ownersOf(keyspace, keys, true)]))

/**
 * Makes the function that says what is wrong with an action; undefined when nothing is. If an action rests on
 * digests of data that has changed since, only what it would do is checked: it is not carried out.
 */
export function actionChecker(
  model: Model,
  owners = ownersByDatabase(model),
): (action: Action, stored?: Stored) => string | undefined {
  const followsItsRule = ruleChecker(model)
  const isShown = ({ db, key, pattern }: Action, raw: Wire, owner: CopiedAs): boolean => {
    const row = modelOfOwner(model, db, owner)
    return row === undefined
      ? pattern === likelyPattern(raw) && key === showUnknown(raw)
      : pattern === row.declared.pattern && key === row.show(raw)
  }
  const isSecret = secrecyOf(model.keyspace)
  const mayHide = ({ row }: CopiedAs) => isSecret(row?.name) || isSecret(row?.entity?.name)
  return (action, { replies, isChanged } = NOTHING_STORED) => {
    const owner = owners.get(action.db)
    if (owner === undefined || action.expects.some(({ db }) => db !== undefined && !owners.has(db)))
      return `is for database ${action.db}, which the schema does not have`
    if (!followsRule(action, owner) || !(isChanged || followsItsRule(action, (db) => owners.get(db), replies)))
      return "does something other than its code allows, or to a key that does not belong to it"
    const own = keyOf(action.commands.at(-1)![1]!)
    if (!isShown(action, own, owner(own))) return "names another key than it changes"
    if (action.secret === true && !mayHide(owner(own))) return "hides what it does, though nothing in it is secret"
    return undoFault(action)
  }
}

/** Each undo takes back one of the commands, in their order. */
function undoFault({ commands, undo }: Action): string | undefined {
  let at = 0
  for (const command of commands) if (at < undo.length && takesBack(undo[at]!, command)) at++
  return at === undo.length ? undefined : "has an undo that does not undo it"
}

async function dumpFault(action: Action): Promise<string | undefined> {
  for (const words of action.undo) {
    if (words[0] !== "RESTORE") continue
    const value = await readDump(Buffer.from(wireOf(words[3]!)))
    if (value === undefined) return "would be undone by a value that no server wrote"
    if (!restoresWhatItSays(action, words, value.type, value.text))
      return "would be undone by a value other than the one that it replaces"
  }
  return undefined
}

const otherCommand = ({ code }: Action, command: CheckPlanOptions["for"]): string | undefined =>
  command === undefined || (command === "purge") === (code === "PURGE")
    ? undefined
    : `is not one of keywright ${command}`
