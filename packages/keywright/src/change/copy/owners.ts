/* Which pattern owns a key, for export and import, the type that it should have, and what
 * of it is secret. */

import type { Wire } from "../../driver/driver.ts"
import { patternsOfKeys } from "../../inspect/model/owning-patterns.ts"
import { keyShower } from "../../inspect/model/show-key.ts"
import { showUnknown } from "../../inspect/model/unknown-patterns.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { redisTypes } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { type Leave, leaveOut } from "./leave-out.ts"
import type { KeyType } from "./lines.ts"

export interface CopiedAs {
  readonly row: Key | undefined
  readonly name: string
  readonly type: KeyType | undefined
  readonly leave: Leave | undefined
  readonly toolkit: boolean
}

export type OwnerOf = (key: Wire) => CopiedAs

/** What the closing line calls keys that no pattern owns. */
const NOBODY = "(no pattern)"

/** Makes the function that finds a key's owner in one database. */
export function ownersOf(keyspace: Keyspace | undefined, keys: readonly Key[], secrets: boolean): OwnerOf {
  // Another version of a program may have put a secret of the schema into a key that no pattern owns.
  const leave = secrets || !hasSecrets(keyspace) ? undefined : { show: showUnknown, rest: () => "secret" as const }
  const nobody: CopiedAs = { row: undefined, name: NOBODY, type: undefined, leave, toolkit: false }
  const groups = patternsOfKeys(keys).map(({ rows, classifier }, i) => ({
    classify: classifier.classify,
    owners: rows.map((row): CopiedAs => {
      // What the toolkit notes is exported whole, or not at all.
      const leave = secrets || i === 1 ? undefined : leaveOut(row, keyspace?.keys ?? keys)
      return { row, name: row.pattern, type: redisTypes[row.kind], leave, toolkit: i === 1 }
    }),
  }))
  return (key) => {
    if (!isText(key)) return nobody
    for (const { classify, owners } of groups) {
      const at = classify(key)
      if (at >= 0) return owners[at]!
    }
    return nobody
  }
}

/** A key as it may be printed; `row` is its pattern, of these keys. */
export const showKey = (key: Wire, row: Key | undefined, keys: readonly Key[]): string =>
  row === undefined ? showUnknown(key) : keyShower(row, keys)(key)

/** Whether anything in a keyspace is secret: then what the toolkit notes may hold some of it. */
export const hasSecrets = (keyspace: Keyspace | undefined): boolean =>
  (keyspace?.keys ?? []).some((row) => leaveOut(row, keyspace!.keys) !== undefined)
