/* Answers that wait to be read. A client that asks for large ones, many at once, and reads
 * them a few bytes at a time has all of them wait here, whatever the time that each may
 * take. So all of them together have a bound, and beyond it the connections that cost most
 * are cut off: by how much waits for them, and for how long. Those of honest clients are small,
 * or are read at once. */

import type { ServerResponse } from "node:http"

export interface Reader {
  /** Those that are not read to their end, and those that are still to be made. */
  readonly answers: ReadonlySet<Pick<ServerResponse, "writableLength">>
  /** How many looks in a row have found something that waits. */
  waited: number
}

/** The limit of one process, in bytes. */
export const MOST_UNREAD = 64 * 1024 * 1024

/** Looks at all readers; returns those that have to be cut off. One that is alone may have an answer of any size. */
export function lookAtReaders<R extends Reader>(readers: Iterable<R>, most: number): R[] {
  let total = 0
  const waiting: { reader: R; bytes: number }[] = []
  for (const reader of readers) {
    let bytes = 0
    for (const answer of reader.answers) bytes += answer.writableLength
    reader.waited = bytes === 0 ? 0 : reader.waited + 1
    total += bytes
    if (bytes > 0) waiting.push({ reader, bytes })
  }
  if (total <= most || waiting.length === 1) return []
  const cost = ({ reader, bytes }: (typeof waiting)[number]) => bytes * reader.waited
  const cut: R[] = []
  for (const one of waiting.sort((a, b) => cost(b) - cost(a))) {
    if (total <= most) break
    total -= one.bytes
    cut.push(one.reader)
  }
  return cut
}
