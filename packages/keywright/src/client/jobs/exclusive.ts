/* Work that one process does at a time, whenever somebody asks for it; what is done
 * every so often is a job().
 *
 *   const nightly = exclusive({ name: "nightly", on: db })
 *   const report = await nightly.run(({ signal }) => …)      undefined when it is under way, here or elsewhere
 *
 * The claim is a lease: it is renewed while the work runs, and a process that died loses
 * it. A holder that slept too long learns of it only through `signal`, so each atomic
 * step of the work has to check for itself whether it may still proceed. */

import { jobRefused } from "../../errors/job.ts"
import type { Duration } from "../../schema/duration.ts"
import { leaseOf, type LeaseHolder } from "./job-lease.ts"
import type { Pass } from "./job.ts"

/**
 * What `exclusive` takes: the name of the claim, where it is kept, and how long one outlives its process.
 * @example
 * const options: ExclusiveOptions = { name: "rebuild-search", on: db, ttl: "1m" }
 * const rebuild = exclusive(options)
 */
export interface ExclusiveOptions {
  /** Names its claim, `keywright:lease:{name}`: letters, digits, `_`, `.` and `-`. */
  readonly name: string
  /** Where the claim is kept: a connected client, or a driver. */
  readonly on: LeaseHolder
  /** How long a process that died keeps it, up to 30 days. Default: 30 s. */
  readonly ttl?: Duration
}

/**
 * What `exclusive` makes.
 * @example
 * const busy = (work: Exclusive) => work.isUnderWay()
 */
export interface Exclusive {
  /**
   * Does the work, or returns undefined at once when it is under way. Rejects with the work's own error. If the answer to
   * the claim was lost or came too late, the work is not begun, and the next `run` continues with the claim.
   */
  run<R>(work: (pass: Pass) => Promise<R>): Promise<R | undefined>
  /** Whether it is under way, in any process (GET). */
  isUnderWay(): Promise<boolean>
}

/**
 * Work that only one process at a time does, whenever it is asked for: an import, a migration. A process that dies leaves
 * its claim behind for `ttl` only.
 * @example
 * const rebuild = exclusive({ name: "rebuild-search", on: db })
 * const done = await rebuild.run(async ({ signal }) => (signal.aborted ? 0 : 42)) // undefined: it is under way elsewhere
 */
export function exclusive({ name, on, ttl = "30s" }: ExclusiveOptions): Exclusive {
  if (!/^[\w.-]{1,64}$/.test(name)) throw jobRefused(name)
  const lease = leaseOf(name, { on, ttl }, 0)
  let taking: ReturnType<typeof lease.take> | undefined
  return {
    async run(work) {
      // One attempt at a time, because only one token is kept: those who ask meanwhile wait for its answer.
      if (taking) return void (await taking)
      taking = lease.take(false)
      const taken = await taking.finally(() => (taking = undefined))
      if (typeof taken === "number") return undefined
      try {
        const done = await work({ signal: taken.signal, lease: taken })
        if (!taken.held) throw taken.signal.reason ?? lease.lost()
        return done
      } finally {
        await lease.end(taken, undefined)
      }
    },
    isUnderWay: lease.isTaken,
  }
}
