/* An argument must not be mistaken for another word of a command: scores are numbers, and ids of streams are ids,
 * whether a file or another server made them up. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { wireName } from "../../inspect/walk/wire.ts"
import { isCount } from "../../schema/codec/json-checks.ts"
import type { ValuePart } from "./key-value.ts"
import { isStreamId } from "./stream-order.ts"

const SCORE = /^(?:[+-]?inf|-?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?)$/i

const isScore = (value: unknown): boolean => typeof value === "string" && SCORE.test(value) && isInRange(value)

/** A server refuses what is too large or too small for a double, though it prints and takes infinity by name. */
function isInRange(score: string): boolean {
  if (/inf/i.test(score)) return true
  const number = Number(score)
  return Number.isFinite(number) && (number !== 0 || !/^[^e]*[1-9]/i.test(score))
}

/** How many elements of a part are one of its collection; undefined where none can be there twice. */
export const WIDTHS: Readonly<Partial<Record<ValuePart["type"], number>>> = { set: 1, hash: 2, zset: 2 }

/** Whether a member or a field is twice in a part. Not for what SSCAN or HSCAN returned, which may repeat some. */
export function hasTwice({ type, elements }: ValuePart): boolean {
  const width = WIDTHS[type]
  if (width === undefined || elements.length <= width) return false
  const seen = new Set<string>()
  for (let i = 0; i < elements.length; i += width) seen.add(wireName(elements[i] as Wire))
  return seen.size * width < elements.length
}

/** Whether scores, ids and numbers of a part are such. */
export function isWellFormed({ type, elements, end }: ValuePart): boolean {
  if (type === "zset") return elements.every((one, i) => i % 2 === 0 || isScore(one))
  if (type !== "stream") return true
  return elements.every(isEntry) && (end === undefined || isEnd(end))
}

function isEntry(entry: Reply): boolean {
  const [id, fields] = entry as readonly [unknown, readonly unknown[]]
  return isStreamId(id) && fields.length > 0 && fields.length % 2 === 0
}

const isEnd = ({ lastId, added, maxDeletedId, groups }: NonNullable<ValuePart["end"]>): boolean =>
  isStreamId(lastId) &&
  (added === undefined || isCount(added)) &&
  (maxDeletedId === undefined || isStreamId(maxDeletedId)) &&
  groups.every(
    ({ lastId: delivered, read, pending }) =>
      isStreamId(delivered) &&
      (read === undefined || isCount(read)) &&
      pending.every(([id, , at, times]) => isStreamId(id) && Number.isSafeInteger(at) && isCount(times)),
  )
