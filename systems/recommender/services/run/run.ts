/* A run under way, and the way its batches go.
 *
 * Each batch is one atomic step that moves the table's cursor too, and is refused when
 * the cursor is not where the batch begins. So batches need not wait for each other's
 * answers: when one is not applied, none after it is.
 *
 * Where users are spread over shards, what concerns them is applied first, shard by shard
 * behind their fences, and then the pool with the cursor. A run that is cut short in between
 * is repeated from the cursor, and shards pass over what they have. */

import type { Day, FencePart, Fences, Pass } from "keywright"
import { conflict } from "../../../platform/http/problem.ts"
import type { RecommenderContext } from "../../context.ts"
import type { Bounds } from "../../source/sequence.ts"
import type { Stretch } from "../../source/reading.ts"
import type { TableName } from "../../tables.ts"
import type { Params } from "../params.ts"
import type { ReportKeeper } from "./report.ts"

export interface NightlyRun {
  readonly context: RecommenderContext
  readonly params: Params
  readonly date: Day
  /** How many categories there are. */
  readonly categories: number
  readonly bounds: Bounds
  /** Where each table's cursor was when the run began. */
  readonly cursors: Bounds
  /** Where users are spread over shards: how far each shard is. */
  readonly fences: Fences<number> | undefined
  readonly report: ReportKeeper
  readonly pass: Pass
}

/** Records that go into one step: those after `from`, up to `to`. */
export interface RecordBatch<R> {
  readonly from: number
  readonly to: number
  readonly rows: readonly R[]
}

/** How many batches are read at once. */
const BATCHES_PER_PAGE = 10
/** With shards, a page is divided among them, and so is larger: each part should have this many records. */
const RECORDS_PER_SHARD = 20
const MOST_RECORDS = 10_000
/** More answers than this are not waited for at a time. */
const MOST_UNDER_WAY = 12
const PARTS_UNDER_WAY = 200

const pageSize = ({ batch, shards }: { readonly batch: number; readonly shards: number }): number =>
  Math.max(batch * BATCHES_PER_PAGE, Math.min(shards * Math.min(RECORDS_PER_SHARD, batch), MOST_RECORDS))

/** The unread records of a table, many at a time; the next ones are read while these are worked on. */
export async function* pagesOf<R extends { readonly id: number }, P>(
  { context, bounds, cursors, pass }: NightlyRun,
  table: TableName,
  read: (stretch: Stretch) => Promise<P>,
  rowsOf: (page: P) => readonly R[],
): AsyncGenerator<RecordBatch<R> & { readonly page: P }> {
  const [limit, upTo] = [pageSize(context.settings), bounds[table]]
  let from = cursors[table]
  let next = from < upTo ? read({ after: from, upTo, limit }) : undefined
  while (next !== undefined) {
    const page = await next
    pass.signal.throwIfAborted()
    if (pass.lease?.held === false) throw conflict("run_overtaken", "the claim was lost")
    const rows = rowsOf(page)
    // The last page leaves the cursor at the bound, also where records are missing.
    const to = rows.length < limit ? upTo : rows.at(-1)!.id
    next = to < upTo ? read({ after: to, upTo, limit }) : undefined
    next?.catch(() => undefined) // It is awaited in its turn, if it comes to that.
    yield { from, to, rows, page }
    from = to
  }
}

/** A page, cut into batches; at least one, so that the cursor is moved. */
export function batchesOf<R extends { readonly id: number }>(
  { from, to, rows }: RecordBatch<R>,
  size: number,
): RecordBatch<R>[] {
  const batches: RecordBatch<R>[] = []
  let start = from
  for (let i = 0; i < rows.length || i === 0; i += size) {
    const some = rows.slice(i, i + size)
    const end = i + size >= rows.length ? to : some.at(-1)!.id
    batches.push({ from: start, to: end, rows: some })
    start = end
  }
  return batches
}

/** Sends the parts of a page to their shards, and ends when all have applied them. */
export const inAllShards = <R>(
  parts: readonly FencePart<number, R>[],
  send: (part: FencePart<number, R>) => Promise<unknown>,
): Promise<void> =>
  inFlow(async (flow) => {
    for (const part of parts) await flow(send(part))
  }, PARTS_UNDER_WAY)

/** Does `work`, which sends steps one after another without waiting for each; ends when all are answered. */
export async function inFlow(
  work: (send: (step: Promise<unknown>) => Promise<void>) => Promise<void>,
  most = MOST_UNDER_WAY,
): Promise<void> {
  const underWay: Promise<unknown>[] = []
  const send = async (step: Promise<unknown>): Promise<void> => {
    step.catch(() => undefined) // It is awaited in its turn.
    underWay.push(step)
    if (underWay.length > most) await underWay.shift()
  }
  try {
    await work(send)
    while (underWay.length > 0) await underWay.shift()
  } finally {
    await Promise.allSettled(underWay)
  }
}
