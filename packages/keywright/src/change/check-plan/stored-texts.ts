/* Reads the texts behind digests: rules between keys compare ids, and an action may carry only a digest. */

import { SAFE_BYTES } from "../../driver/safe.ts"
import type { Model } from "../../inspect/model/model.ts"
import { says } from "../plan/expected.ts"
import type { Action, Expectation } from "../plan/plan.ts"
import { keyOf } from "../plan/word.ts"

/** For one action: the texts of which it has the digests. */
export interface Stored {
  readonly texts: readonly string[]
  /** Something else is stored by now: what the action meant cannot be known. */
  readonly isChanged: boolean
}

const PAGE = 500

/** Whether a condition hides a value that may be an id. */
const isHidden = ({ read: [name], is }: Expectation): boolean =>
  (name === "GET" || name === "HGET") && typeof is === "object" && is !== null && "sha1" in is

/** Reads what actions have digests of; those that have none are left out. */
export async function storedTexts(
  actions: readonly Action[],
  { databases }: Model,
): Promise<ReadonlyMap<Action, Stored>> {
  const found = new Map<Action, Stored>()
  for (const { db, driver } of databases) {
    const hidden = actions.flatMap((action) =>
      action.expects.filter((one) => isHidden(one) && (one.db ?? action.db) === db).map((one) => ({ action, one })),
    )
    for (let from = 0; from < hidden.length; from += PAGE) {
      const some = hidden.slice(from, from + PAGE)
      const replies = await driver.batch(
        some.map(({ one }) => one.read.map(keyOf)),
        SAFE_BYTES,
      )
      some.forEach(({ action, one: { is } }, i) => {
        const { texts, isChanged } = found.get(action) ?? { texts: [], isChanged: false }
        const reply = replies[i]!
        const isSame = reply instanceof Uint8Array && says(is, reply)
        found.set(action, {
          texts: isSame ? [...texts, Buffer.from(reply).toString()] : texts,
          isChanged: isChanged || !isSame,
        })
      })
    }
  }
  return found
}
