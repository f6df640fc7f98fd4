/* A history: what every transaction was asked to do, what it answered and when, and
 * what raw Redis held in the end. It is all that the checker knows; who recorded it,
 * and over which client, is not its business.
 *
 * Transactions append unique numbers to lists, add them to sets, and count. A number is
 * appended once in the whole history, so that a read shows whose writes it saw. Times are
 * milliseconds of one monotonic clock. */

/** What a transaction did to a key, with what it was answered. */
export type Operation =
  | { readonly f: "append"; readonly key: string; readonly value: number; readonly length?: number }
  | { readonly f: "add"; readonly key: string; readonly value: number }
  | { readonly f: "increment"; readonly key: string; readonly total?: number }
  | { readonly f: "read"; readonly key: string; readonly values: readonly number[] }
  | { readonly f: "total"; readonly key: string; readonly total: number }

/**
 *   ok          it answered
 *   threw       its work threw its own error: nothing is written, and what it read was consistent
 *   notApplied  certain: nothing is written
 *   unknown     it may be written or not; also of a process that was killed
 */
export type Outcome = "ok" | "threw" | "notApplied" | "unknown"

/** One call of a client. */
export interface Call {
  readonly process: string
  readonly invoked: number
  /** Absent when its process was killed before. */
  readonly settled?: number | undefined
  readonly timeoutMs: number
  readonly outcome: Outcome
  /** What it answered. */
  readonly answer?: readonly Operation[] | undefined
  /** The code of the error that it settled with. */
  readonly code?: string | undefined
}

/** A transaction, and the calls that asked for it: more than one where it was repeated with its operation id. */
export interface Transaction {
  readonly id: number
  readonly calls: readonly Call[]
  /** What it was to write. */
  readonly writes: readonly Operation[]
  /** What its work threw because it had seen what cannot be. */
  readonly impossible?: string | undefined
}

/** By key: what raw Redis holds when all is over. */
export interface FinalState {
  readonly lists: ReadonlyMap<string, readonly number[]>
  readonly sets: ReadonlyMap<string, readonly number[]>
  readonly counters: ReadonlyMap<string, number>
}

export interface Pause {
  readonly from: number
  readonly to: number
}

export interface History {
  readonly transactions: readonly Transaction[]
  readonly final: FinalState
  /** By process: when it could not run, whatever it wanted. "" is the machine. */
  readonly pauses?: ReadonlyMap<string, readonly Pause[]>
  /**
   * A replica took over meanwhile. Writes that nobody acknowledged may be gone with the old primary, though somebody
   * had read them there; who wrote nothing themselves waited for no replica, so such reads of theirs are left out.
   */
  readonly failover?: boolean
}

export interface Anomaly {
  readonly kind: string
  readonly text: string
  readonly transactions: readonly number[]
}

/** A transaction as a whole, whatever calls it took. */
export interface Judged {
  readonly id: number
  readonly outcome: Outcome
  readonly began: number
  /** When it was over; absent where nobody learned of it. */
  readonly ended: number | undefined
  /** Reads and writes as answered; only the writes where it did not answer. */
  readonly operations: readonly Operation[]
  readonly process: string
}

/**
 * One call that is ok makes the transaction ok: with what it answered first. Of several calls, an earlier one may
 * have done it: it begins with the first.
 */
export function judged({ id, calls, writes }: Transaction): Judged {
  const done = calls.find(({ outcome }) => outcome === "ok")
  const threw = calls.find(({ outcome }) => outcome === "threw")
  const isUnknown = calls.some(({ outcome }) => outcome === "unknown")
  const first = calls[0]!
  const base = { id, process: first.process, began: first.invoked }
  if (done) return { ...base, outcome: "ok", ended: done.settled, operations: done.answer ?? writes }
  if (isUnknown) return { ...base, outcome: "unknown", ended: undefined, operations: writes }
  if (threw) {
    const { answer = [], invoked, settled } = threw
    const undone = writes.slice(answer.filter(({ f }) => f !== "read" && f !== "total").length)
    return { ...base, began: invoked, outcome: "threw", ended: settled, operations: [...answer, ...undone] }
  }
  return { ...base, outcome: "notApplied", ended: undefined, operations: writes }
}

/** It wrote nothing, and so waited for no replica. */
export const writesNothing = ({ outcome, operations }: Judged): boolean =>
  outcome === "threw" || operations.every(({ f }) => f === "read" || f === "total")

/** For people: "T12". */
export const named = (id: number): string => `T${id}`
