/* One change, as everything else sees it. */

import { changeCodes, type ChangeCode } from "./change-codes.ts"
import {
  levelOf,
  orderOf,
  told,
  type DataWork,
  type Level,
  type RolloutOrder,
  type Verdict,
  type Verdicts,
} from "./verdict.ts"

export interface Change extends Verdicts<Verdict> {
  /** Stable: `"ENUM.REMOVED"`. */
  readonly code: ChangeCode
  /** Where: the entry's name in the new schema (of what went, in the old one), and the place in it: `"order.status"`. */
  readonly path: string
  readonly level: Level
  readonly data: DataWork
  readonly order: RolloutOrder
  /** What changed: `"30d → 7d"`. */
  readonly what: string
  readonly title: string
  readonly why: string
  /** The keys that it is about, by their names in the old and in the new schema. */
  readonly oldKey?: string
  readonly newKey?: string
  /** Patterns of keys that nobody owns any more, and that are not those of `oldKey`. */
  readonly leftovers?: readonly string[]
  /** With data: how many keys it concerns, and how many of them do not fit the new schema. */
  readonly keys?: number
  readonly misfits?: number
}

/**
 * What the comparisons return: the code, the place, what changed, and where they differ from the table, the verdicts.
 */
export interface FoundChange
  extends Partial<Verdicts>, Pick<Change, "code" | "path" | "what" | "oldKey" | "newKey" | "leftovers"> {
  readonly data?: DataWork
}

export function changeOf(found: FoundChange): Change {
  const { title, why, order, data, ...usual } = { order: undefined, ...changeCodes[found.code] }
  const { oldReader, newReader, oldWriter, newWriter } = { ...usual, ...found }
  const cells: Verdicts = { oldReader, newReader, oldWriter, newWriter }
  const work = found.data ?? data
  return {
    ...found,
    level: levelOf(cells, work),
    oldReader: told(oldReader),
    newReader: told(newReader),
    oldWriter: told(oldWriter),
    newWriter: told(newWriter),
    data: work,
    order: order ?? orderOf(cells),
    title,
    why,
  }
}

/** As `--json` prints it, and nothing more. */
export const changeDocument = ({ keys, misfits, ...change }: Change) => ({
  code: change.code,
  path: change.path,
  level: change.level,
  oldReader: change.oldReader,
  newReader: change.newReader,
  oldWriter: change.oldWriter,
  newWriter: change.newWriter,
  data: change.data,
  order: change.order,
  ...(keys !== undefined && { keys }),
  ...(misfits !== undefined && { fits: misfits === 0 }),
})
