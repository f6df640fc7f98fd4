/* A finding: one place on the server that is not as the schema says.
 *
 * Only its enumerable properties may be printed: keys are redacted, values are never
 * quoted where they are secret. What repair needs, including the raw key, is in `target`,
 * which neither JSON nor a loop over the properties shows. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"

/**
 * Which part of a key is meant.
 * @example
 * const field: KeyPart = { field: "name" }
 * const member: KeyPart = { member: "17" }
 */
export type KeyPart =
  | { readonly field: string }
  | { readonly member: string }
  | { readonly index: string }
  | { readonly entry: string }

/**
 * One place where the data is not as the schema says.
 * @example
 * const line = ({ code, key, expected, found }: Finding) => `${code} ${key}: expected ${expected}, found ${found}`
 */
export interface Finding {
  /** Stable: one of `findingCodes`, or that of a rule of the application's own. */
  readonly code: string
  readonly db: number
  /** The pattern that owns the key; for a key that no pattern owns, the likely pattern. */
  readonly pattern: string
  /** Secrets redacted. */
  readonly key: string
  readonly place?: KeyPart
  readonly expected: string
  readonly found: string
  /** Whether repair fixes it without the option to delete data that is not derived. */
  readonly fixable: boolean
  /** It rests on a rule that was inferred and that nobody has confirmed: repair leaves it alone. */
  readonly inferred?: true
  /** For repair: not enumerable, never printed. */
  readonly target: FindingTarget
}

/**
 * What repair needs to know of a finding: never printed.
 * @example
 * const repairable = ({ fix }: FindingTarget) => fix !== undefined
 */
export interface FindingTarget {
  readonly db: number
  readonly key: Wire
  /** The key's name in the schema. */
  readonly name: string | undefined
  /** What was read when the finding was confirmed, in one atomic step where the server allows it. Repair compares it. */
  readonly reads: readonly ReadCommand[]
  readonly replies: readonly Reply[]
  /** What sets it right; absent when only a person can know. */
  readonly fix?: Fix
}

/**
 * A command that reads, and the logical database that it reads from.
 * @example
 * const show = ({ db, command }: ReadCommand) => `${db}: ${command.join(" ")}`
 */
export interface ReadCommand {
  readonly db: number
  readonly command: Command
}

/** A command that reads from the database of a key. */
export const readFrom = ({ db }: { readonly db: number }, command: Command): ReadCommand => ({ db, command })

/**
 * The commands that set a finding right, for `planRepair`.
 * @example
 * const isSafe = (fix: Fix) => fix.destroys !== true
 */
export interface Fix {
  readonly db: number
  readonly commands: readonly Command[]
  /** They remove something that is not derived from other data: only on an explicit wish. */
  readonly destroys?: true
}

/** Everything but `target`, which is put where it is not printed. */
export function finding(shown: Omit<Finding, "target">, target: FindingTarget): Finding {
  return Object.defineProperty({ ...shown } as Finding, "target", { value: target, enumerable: false })
}
