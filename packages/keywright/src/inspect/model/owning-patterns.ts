/* Whose a key is: in every database the application's patterns come first, then the toolkit's own. */

import { type Classifier, classifier } from "../../schema/classify/classify.ts"
import type { Key } from "../../schema/key.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import type { KeyModel, Model } from "./model.ts"

/** Patterns, with what finds the one that owns a key: `rows[classifier.classify(key)]`. */
export interface OwningPatterns<Row = KeyModel> {
  readonly rows: readonly Row[]
  readonly classifier: Classifier
}

/** Those of a database, in the order in which they own a key. */
export const patternsIn = (model: Model, db: number): OwningPatterns[] =>
  [false, true].map((toolkit) => {
    const rows = [...model.keys.values()].filter((row) => row.db === db && row.toolkit === toolkit)
    return { rows, classifier: classifier(rows.map(({ declared }) => declared)) }
  })

/** The same of declared keys, all of one database. */
export const patternsOfKeys = (keys: readonly Key[]): [own: OwningPatterns<Key>, toolkit: OwningPatterns<Key>] => {
  const of = (rows: readonly Key[]): OwningPatterns<Key> => ({ rows, classifier: classifier(rows) })
  return [of(keys), of(toolkitKeys(keys[0]?.db ?? 0))]
}

/** The pattern that owns a key, and the texts of the key's parameters. */
export interface OwnedKey {
  readonly row: KeyModel
  readonly params: Readonly<Record<string, string>>
}

/** Undefined when no pattern owns it. */
export function ownerIn(patterns: readonly OwningPatterns[], key: string): OwnedKey | undefined {
  for (const { rows, classifier } of patterns) {
    const row = rows[classifier.classify(key)]
    if (row === undefined) continue
    const { spans } = classifier
    const params: Record<string, string> = {}
    for (let i = 0; i < row.params.length; i++) params[row.params[i]!] = key.slice(spans[2 * i], spans[2 * i + 1])
    return { row, params }
  }
  return undefined
}
