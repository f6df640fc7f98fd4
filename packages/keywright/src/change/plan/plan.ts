/* What is to be changed on a server, as plain JSON: it can be read, saved, reviewed,
 * carried out and undone.
 *
 * An action is a few commands on derived data, and what they rest on: `expects` is
 * compared by the script that carries it out, in the same step, so that an action
 * whose reason is gone does nothing. `undo` takes back what was done. */

import type { Driver } from "../../driver/driver.ts"
import type { KeyPart } from "../../inspect/audit/finding.ts"
import type { UnreadableKeys } from "../../inspect/model/unreadable.ts"
import { schemaOf } from "../../inspect/stats/stats.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { serverMark } from "../server-mark.ts"
import type { Word } from "./word.ts"

/**
 * A plan of changes, made by `planRepair` or `planPurge`: plain JSON, to be read before it is carried out.
 * @example
 * const codes = ({ actions }: ChangePlan) => new Set(actions.map(({ code }) => code))
 */
export interface ChangePlan {
  readonly format: "keywright-plan"
  readonly version: 1
  readonly made: string
  readonly server: string
  /** For a cluster: the ids of its nodes. One that is still the same identifies the cluster. */
  readonly nodes?: string
  readonly schema: { readonly name?: string; readonly fingerprint: string }
  readonly actions: readonly Action[]
  /** Findings that are not in the plan, by code: only a person can know, or a flag is needed. */
  readonly left: Readonly<Record<string, number>>
  /** Findings that rest on rules which were inferred and which nobody has confirmed, by code. */
  readonly unconfirmed?: Readonly<Record<string, number>>
  /** What the server refused to read, so that nothing is planned for it. A saved plan does not have it. */
  readonly unreadable?: readonly UnreadableKeys[]
  /**
   * Places of actions whose records were not as they say when the plan was loaded: they are skipped, even if the records
   * become so. A saved plan does not have it.
   */
  readonly outdated?: readonly number[]
}

export const planOf = async (
  keyspace: Keyspace,
  driver: Driver,
  actions: readonly Action[],
  left: ChangePlan["left"],
  unconfirmed: NonNullable<ChangePlan["unconfirmed"]> = {},
): Promise<ChangePlan> => ({
  format: "keywright-plan",
  version: 1,
  made: new Date().toISOString(),
  server: driver.label,
  ...(driver.cluster && { nodes: await serverMark(driver) }),
  schema: schemaOf(keyspace),
  actions,
  left,
  ...(Object.keys(unconfirmed).length > 0 && { unconfirmed }),
})

export const withUnreadable = (plan: ChangePlan, unreadable: readonly UnreadableKeys[]): ChangePlan =>
  unreadable.length === 0 ? plan : { ...plan, unreadable }

/** A plan without what is known only while it is in memory. */
export function asSaved(plan: ChangePlan): ChangePlan {
  const { unreadable: _, outdated: __, ...saved } = plan
  return saved
}

/**
 * One thing that a plan does: its commands, what must hold before, and what undoes it.
 * @example
 * const line = (action: Action) => `${action.why}: ${action.commands.map((words) => showCommand(action, words)).join("; ")}`
 */
export interface Action {
  /** The code of the finding, or why else it is done. */
  readonly code: string
  readonly db: number
  readonly pattern: string
  /** Secrets redacted. */
  readonly key: string
  readonly place?: KeyPart
  /** In words. */
  readonly why: string
  /** Its words may not be printed: they are base64 here. */
  readonly secret?: true
  readonly expects: readonly Expectation[]
  readonly commands: readonly (readonly Word[])[]
  readonly undo: readonly (readonly Word[])[]
}

/**
 * What must be so before an action of a plan is carried out: a command that reads, and what it must answer.
 * @example
 * const reads = (expects: readonly Expectation[]) => expects.map(({ read }) => String(read[0]))
 */
export interface Expectation {
  /** The logical database, where it is another one than that of the action. */
  readonly db?: number
  readonly read: readonly Word[]
  readonly is: Expected
}

/** A number, nothing, a text, the digest and length of something longer, or a number above this one. */
export type Expected =
  | number
  | null
  | string
  | { readonly score: string }
  | { readonly sha1: string; readonly length: number }
  | { readonly pairs: string }
  | { readonly above: number }
