/* The id of an event is that of its entry in Redis: milliseconds of the server's clock,
 * and a number within them. Ids of one service only grow. */

const EVENT_ID = /^\d{1,15}-\d{1,15}$/

export const isEventId = (text: string): boolean => EVENT_ID.test(text)

/** Below 0 when `a` is the older one. */
export function compareIds(a: string, b: string): number {
  const [[aMs, aSeq], [bMs, bSeq]] = [splitEventId(a), splitEventId(b)]
  return aMs - bMs || aSeq - bSeq
}

/** When the event happened, in milliseconds. */
export const msOf = (id: string): number => splitEventId(id)[0]

function splitEventId(id: string): [ms: number, seq: number] {
  const [ms, seq] = id.split("-")
  return [Number(ms), Number(seq)]
}
