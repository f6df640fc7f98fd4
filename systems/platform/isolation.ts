/* Whether a database is another system's: keys there that this schema does not own and
 * another one does. A sample of a few thousand keys is looked at, by SCAN. */

import { classifier, toolkitKeys, type Classifier, type Key } from "keywright"
import type { Driver } from "./driver.ts"

export interface OwnedKeys {
  readonly name: string
  readonly keys: readonly Key[]
}

export class ForeignKeys extends Error {
  override readonly name = "ForeignKeys"

  /** `db`: undefined on a cluster, which has one database. */
  constructor(system: string, db: number | undefined, other: string, pattern: string) {
    const [where, instead] = db === undefined ? ["the cluster", "cluster"] : [`database ${db}`, "database"]
    super(
      `${where} has keys of ${other} ("${pattern}"): ${system} is not started there. Choose another ${instead}, or add --force`,
    )
  }
}

const PAGES = 10
const PAGE = 500

/** Throws ForeignKeys when the database belongs to another system. */
export async function checkIsolation(
  own: OwnedKeys,
  driver: Driver,
  { db, keysDb }: { readonly db: number; readonly keysDb: number },
  others: readonly OwnedKeys[],
): Promise<void> {
  // Created when a key needs them: usually none does.
  let [mine, theirs]: [Classifier | undefined, readonly Foreign[] | undefined] = [undefined, undefined]
  let cursor = "0"
  for (let page = 0; page < PAGES; page++) {
    const [next, keys] = (await driver.send(["SCAN", cursor, "COUNT", String(PAGE)], { safe: true })) as [
      string,
      string[],
    ]
    for (const key of keys) {
      mine ??= classifier([...own.keys.filter((key) => key.db === keysDb), ...toolkitKeys(keysDb)], { db: keysDb })
      if (mine.classify(key) >= 0) continue
      theirs ??= others.filter(({ name }) => name !== own.name).flatMap(foreign)
      for (const { name, owned } of theirs) {
        const owner = owned.owner(key)
        if (owner) throw new ForeignKeys(own.name, driver.cluster && db === 0 ? undefined : db, name, owner.key.pattern)
      }
    }
    if (next === "0") return
    cursor = next
  }
}

interface Foreign {
  readonly name: string
  readonly owned: Classifier
}

/** One for each database that a system lives in. */
const foreign = ({ name, keys }: OwnedKeys): Foreign[] =>
  [...new Set(keys.map((key) => key.db))].map((db) => ({ name, owned: classifier(keys, { db }) }))
