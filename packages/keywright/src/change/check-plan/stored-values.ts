/* Reads what the conditions of an action are about: whether they hold when a plan is loaded, and the values behind digests.
 * A check reads values, and an action may carry only a digest. */

import type { Reply } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { unmangled } from "../../inspect/model/reading.ts"
import type { Model } from "../../inspect/model/model.ts"
import { sizeOfReply } from "../../inspect/walk/wire.ts"
import { askEach } from "../ask-each.ts"
import { says } from "../plan/expected.ts"
import type { Action, Expectation, Expected } from "../plan/plan.ts"
import { keyOf } from "../plan/word.ts"

/** For one action: what was read for its conditions. */
export interface Stored {
  /** The value behind each digest, by the digest itself: two conditions never share one. */
  readonly replies: ReadonlyMap<Expected, Reply>
  /** Some condition has the digest of a value that no longer exists: what the action was based on cannot be known. */
  readonly isChanged: boolean
  /** Some condition does not hold now. */
  readonly isOutdated: boolean
}

export const NOTHING_STORED: Stored = { replies: new Map(), isChanged: false, isOutdated: false }

/** How many conditions are read at once at first, and at most; and how many characters from then on. */
const FIRST = 32
const MOST = 1000
const AT_ONCE = 8_000_000

/** The actions in their order, each with what is stored: read for those that are `chosen`, some at a time. */
export async function* withStored(
  actions: readonly Action[],
  model: Model,
  chosen: (action: Action) => boolean,
): AsyncGenerator<readonly [at: number, action: Action, stored: Stored]> {
  let count = FIRST
  for (let from = 0; from < actions.length;) {
    const some = pageOf(actions, from, count)
    const { stored, size } = await readFor(some.filter(chosen), model)
    for (const [i, action] of some.entries()) yield [from + i, action, stored.get(action) ?? NOTHING_STORED]
    from += some.length
    // The others are likely to be as large as these.
    const read = some.reduce((sum, { expects }) => sum + expects.length, 0)
    count = Math.min(MOST, Math.max(1, Math.floor(((read + 1) * AT_ONCE) / (size + 1))))
  }
}

/** Actions are taken until they have about this many conditions: at least one action. */
function pageOf(actions: readonly Action[], from: number, count: number): readonly Action[] {
  let [to, left] = [from + 1, count - actions[from]!.expects.length]
  while (to < actions.length && left > 0) left -= actions[to++]!.expects.length + 1
  return actions.slice(from, to)
}

async function readFor(actions: readonly Action[], { databases }: Model) {
  const stored = new Map<Action, Stored>()
  let size = 0
  for (const { db, driver } of databases) {
    const asked = actions.flatMap((action) =>
      action.expects.filter((one) => isEvidence(one) && (one.db ?? action.db) === db).map((one) => ({ action, one })),
    )
    const replies = await askEach(driver, asked, ({ one }) => one.read.map(keyOf), SAFE_BYTES)
    for (const [i, { action, one }] of asked.entries()) {
      stored.set(action, withReply(stored.get(action) ?? NOTHING_STORED, one, replies[i]!))
      size += sizeOfReply(replies[i]!)
    }
  }
  return { stored, size }
}

/** Checks cannot read a dump: whether it is still the same is only compared when the action is carried out. */
const isEvidence = ({ read: [name] }: Expectation): boolean => name !== "DUMP"

function withReply({ replies, isChanged, isOutdated }: Stored, { is }: Expectation, reply: Reply): Stored {
  const isSame = !(reply instanceof KeywrightError) && says(is, reply)
  if (!isDigest(is)) return { replies, isChanged, isOutdated: isOutdated || !isSame }
  return isSame
    ? { replies: new Map(replies).set(is, unmangled(reply)), isChanged, isOutdated }
    : { replies, isChanged: true, isOutdated: true }
}

export const isDigest = (is: Expected): boolean =>
  typeof is === "object" && is !== null && ("sha1" in is || "pairs" in is)
