/* An argument must not be mistaken for another word of a command: scores are numbers, and ids of streams are ids,
 * whether a file or another server made them up. */

import type { Reply } from "../../driver/driver.ts"
import { isCount } from "../../schema/codec/json-checks.ts"
import type { ValuePart } from "./key-value.ts"

const STREAM_ID = /^\d{1,20}-\d{1,20}$/
const SCORE = /^(?:[+-]?inf|-?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?)$/i

const isId = (value: unknown): boolean => typeof value === "string" && STREAM_ID.test(value)
const isScore = (value: unknown): boolean => typeof value === "string" && SCORE.test(value)

/** Whether scores, ids and numbers of a part are such. */
export function isWellFormed({ type, elements, end }: ValuePart): boolean {
  if (type === "zset") return elements.every((one, i) => i % 2 === 0 || isScore(one))
  if (type !== "stream") return true
  return elements.every(isEntry) && (end === undefined || isEnd(end))
}

function isEntry(entry: Reply): boolean {
  const [id, fields] = entry as readonly [unknown, readonly unknown[]]
  return isId(id) && fields.length > 0 && fields.length % 2 === 0
}

const isEnd = ({ lastId, added, maxDeletedId, groups }: NonNullable<ValuePart["end"]>): boolean =>
  isId(lastId) &&
  (added === undefined || isCount(added)) &&
  (maxDeletedId === undefined || isId(maxDeletedId)) &&
  groups.every(
    ({ lastId: delivered, read, pending }) =>
      isId(delivered) &&
      (read === undefined || isCount(read)) &&
      pending.every(([id, , at, times]) => isId(id) && Number.isSafeInteger(at) && isCount(times)),
  )
