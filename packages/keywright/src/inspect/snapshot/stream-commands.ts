/* What a server says about a stream, from what the file has of it. */

import type { Command, Reply } from "../../driver/driver.ts"
import { serverError } from "../../driver/server-errors.ts"
import type { RdbStreamFacts } from "../rdb/index.ts"
import { asWire } from "../walk/wire.ts"

type StreamId = readonly [ms: bigint, seq: bigint]

const MOST = 2n ** 64n - 1n

function idOf(text: string, seq: bigint): StreamId {
  const [first = "0", second] = text.split("-")
  return [BigInt(first), second === undefined ? seq : BigInt(second)]
}

const isBefore = ([ms, seq]: StreamId, [otherMs, otherSeq]: StreamId): boolean =>
  ms < otherMs || (ms === otherMs && seq < otherSeq)

/** XRANGE's and XPENDING's two ends: which ids lie between them. */
function between(from: string, to: string): (id: string) => boolean {
  const open = [from.startsWith("("), to.startsWith("(")]
  const start = from === "-" ? ([0n, 0n] as const) : idOf(from.replace("(", ""), 0n)
  const end = to === "+" ? ([MOST, MOST] as const) : idOf(to.replace("(", ""), MOST)
  return (text) => {
    const id = idOf(text, 0n)
    return (open[0] ? isBefore(start, id) : !isBefore(id, start)) && (open[1] ? isBefore(id, end) : !isBefore(end, id))
  }
}

/** XRANGE key from to [COUNT n] */
export function rangeOf(stream: RdbStreamFacts | undefined, words: Command): Reply {
  const isIn = between(String(words[2]), String(words[3]))
  const most = words.length > 5 ? Number(words[5]) : Infinity
  const found: Reply[] = []
  const entries = stream?.entries ?? []
  for (let at = firstAfter(stream, String(words[2])); at < entries.length && found.length < most; at++) {
    const [id, fields] = entries.at(at)!
    if (!isIn(id)) {
      if (found.length > 0) break
      continue
    }
    found.push([id, fields.map((field) => asWire(field))])
  }
  return found
}

/** A position such that no entry from `from` on comes before it. */
function firstAfter(stream: RdbStreamFacts | undefined, from: string): number {
  if (stream === undefined || from === "-") return 0
  const start = idOf(from.replace("(", ""), 0n)
  let [low, high] = [0, stream.entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(idOf(stream.entries.at(middle)![0], 0n), start)) low = middle + 1
    else high = middle
  }
  return low
}

/** XINFO STREAM key FULL, without entries and what is pending. */
export function streamFacts(stream: RdbStreamFacts | undefined): Reply {
  if (stream === undefined) return serverError("ERR no such key")
  const { lastId, added, maxDeletedId, groups, entries } = stream
  return [
    ...["length", entries.length, "last-generated-id", lastId],
    ...(maxDeletedId === undefined ? [] : ["max-deleted-entry-id", maxDeletedId]),
    ...(added === undefined ? [] : ["entries-added", added]),
    "groups",
    groups.map((group) => [
      ...["name", asWire(group.name), "last-delivered-id", group.lastId],
      ...["entries-read", group.read ?? null, "pel-count", group.pending.length],
      ...["consumers", group.consumers.map((name) => ["name", asWire(name)])],
    ]),
  ]
}

/** XPENDING key group from to count */
export function pendingOf(stream: RdbStreamFacts | undefined, words: Command): Reply {
  const name = Buffer.from(words[2]!)
  const group = stream?.groups.find((one) => one.name.equals(name))
  if (group === undefined) return serverError("NOGROUP No such key or consumer group")
  const isIn = between(String(words[3]), String(words[4]))
  return group.pending
    .filter(([id]) => isIn(id))
    .slice(0, Number(words[5]))
    .map(([id, consumer, at, times]) => [id, asWire(consumer), Date.now() - at, times])
}
