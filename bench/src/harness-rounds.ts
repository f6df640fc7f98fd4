/* Timing one side for one round. A side is either one operation, called with
 * its number, or a loop that does `n` operations itself (where the call per
 * operation would be a good part of what is measured).
 *
 * How many operations a round has is found out first, so that it takes long
 * enough for the clock and short enough for both sides to see the same machine. */

export type Operation = (index: number) => unknown
export interface Loop {
  /** Does `n` operations. */
  readonly loop: (n: number) => unknown
}
export type Side = Operation | Loop

export interface RoundOptions {
  /** Callers at the same time; each waits for its own operation before the next. */
  readonly concurrency: number
  readonly targetMs: number
}

/** Where results go, so that the compiler cannot drop the work. */
const sink: { last: unknown } = { last: undefined }

/** Does `n` operations of a side; returns the milliseconds. */
export async function time(side: Side, n: number, concurrency: number): Promise<number> {
  const started = performance.now()
  if (typeof side !== "function") sink.last = await side.loop(n)
  else {
    const first = side(0)
    if (isPromise(first)) await together(side, first, n, concurrency)
    else inTurn(side, n)
  }
  return performance.now() - started
}

function inTurn(side: Operation, n: number): void {
  let last: unknown
  for (let i = 1; i < n; i++) last = side(i)
  sink.last = last
}

async function together(side: Operation, first: PromiseLike<unknown>, n: number, concurrency: number): Promise<void> {
  let next = 1
  const caller = async (own?: PromiseLike<unknown>) => {
    if (own !== undefined) await own
    while (next < n) sink.last = await side(next++)
  }
  const callers = [caller(first)]
  while (callers.length < Math.min(concurrency, n)) callers.push(caller())
  await Promise.all(callers)
}

/** Warms a side up and finds how many operations make a round of about `targetMs`. */
export async function calibrate(side: Side, options: RoundOptions): Promise<number> {
  let n = options.concurrency
  for (;;) {
    const ms = await time(side, n, options.concurrency)
    if (ms >= options.targetMs * 0.7 || n > 1e9) return Math.max(Math.round((n * options.targetMs) / ms), 1)
    n = Math.ceil(n * Math.min(Math.max((options.targetMs / Math.max(ms, 0.01)) * 0.9, 1.5), 10))
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
}
