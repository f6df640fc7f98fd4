/* How a job shares its work with other processes.
 *
 *   per: "pass"       one process at a time; whoever comes next may run it again
 *   per: "interval"   once per interval, whichever process it is. The lease is kept
 *                     until the interval is over, also by a process that died in it:
 *                     nobody knows how far it came. A pass that failed gives it back,
 *                     unless its outcome is unknown. */

import type { Driver } from "../driver/driver.ts"
import { leaseLost } from "../errors/job.ts"
import { OutcomeUnknown } from "../errors/outcome.ts"
import { toMs, type Duration } from "../schema/duration.ts"
import { Lease } from "./lease.ts"

export interface JobLease {
  /** Where the lease is kept: a connected client, or a driver. */
  readonly on: Driver | { $driver(): Driver }
  readonly per?: "pass" | "interval"
  /** How long a process that died still has it, `per: "pass"`. 30 s unless told. */
  readonly ttl?: Duration
}

export interface LeaseKeeper {
  take(force: boolean): Promise<Lease | number>
  end(lease: Lease, failure: unknown): Promise<void>
  lost(): Error
}

export function leaseOf(name: string, { on, per = "pass", ttl = "30s" }: JobLease, everyMs: number): LeaseKeeper {
  const key = `keywright:lease:${name}`
  const ttlMs = toMs(ttl)
  const driver = () => ("$driver" in on ? on.$driver() : on)
  return {
    take: (force) =>
      per === "pass"
        ? Lease.take(driver(), key, { ttlMs, force })
        : Lease.take(driver(), key, { ttlMs: Math.min(ttlMs, everyMs), atLeastMs: everyMs, force }),
    async end(lease, failure) {
      const done = failure === undefined || failure instanceof OutcomeUnknown
      if (per === "interval" && done) lease.keep()
      else await lease.release()
    },
    lost: () => leaseLost(key),
  }
}
