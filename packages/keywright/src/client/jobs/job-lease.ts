/* How a job shares its work with other processes.
 *
 *   per: "pass"       one process at a time; the next one may run it again
 *   per: "interval"   once per interval, in one of the processes. The lease is kept
 *                     until the interval is over, also by a process that died in it:
 *                     nobody knows how far it came. A pass that failed gives it back,
 *                     unless its outcome is unknown. */

import { randomUUID } from "node:crypto"
import type { Driver } from "../../driver/driver.ts"
import { leaseLost } from "../../errors/job.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { fromMs, LONGEST_NOTED, toMsUpTo, type Duration } from "../../schema/duration.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { ParamCodecsOf } from "../../schema/locate.ts"
import { Lease } from "./lease.ts"

/**
 * The lease of a job, by which one process at a time does it.
 * @example
 * const lease: JobLease = { on: db, per: "interval" } // once per interval among all processes
 * const mails = job({ name: "mails", every: "1m", lease, run: () => 0 })
 */
export interface JobLease {
  /** Where the lease is kept: a connected client, or a driver. */
  readonly on: LeaseHolder
  readonly per?: "pass" | "interval"
  /** How long a process that died keeps it, with `per: "pass"`, up to 30 days. Default: 30 s. */
  readonly ttl?: Duration
}

/** A client brings the prefix of its keyspace: two tenants on one server do not share leases. */
export type LeaseHolder =
  | Driver
  | { $driver(): Driver; readonly $keyspace?: { readonly prefix?: string | undefined; readonly params: unknown } }

/** `"{{tenant}}:"` of the tenant acme → `"{acme}:"` */
function prefixTag(on: LeaseHolder): string {
  const { prefix, params } = ("$keyspace" in on ? on.$keyspace : undefined) ?? {}
  if (prefix === undefined) return ""
  const spelled = keyFormat(prefix, params as ParamCodecsOf).build({})
  return `{${spelled.replace(/[{}]/g, "").replace(/:$/, "")}}:`
}

export function leaseOf(name: string, { on, per = "pass", ttl = "30s" }: JobLease, everyMs: number) {
  const key = `keywright:lease:${prefixTag(on)}${name}`
  const ttlMs = toMsUpTo(ttl, LONGEST_NOTED)
  if (per === "interval") toMsUpTo(fromMs(everyMs), LONGEST_NOTED)
  const driver = () => ("$driver" in on ? on.$driver() : on)
  const terms = per === "pass" ? { ttlMs } : { ttlMs: Math.min(ttlMs, everyMs), atLeastMs: everyMs }
  // An attempt that got no answer may have taken the lease: the next one continues with its token.
  let token: string | undefined
  return {
    /** Or for how many milliseconds another process still has it. */
    async take(force: boolean): Promise<Lease | number> {
      token ??= randomUUID()
      const taken = await Lease.take(driver(), key, { ...terms, force, token })
      token = undefined
      return taken
    },
    async end(lease: Lease, failure: unknown): Promise<void> {
      const done = failure === undefined || failure instanceof OutcomeUnknown || !lease.held
      if (per === "interval" && done) lease.keep()
      else await lease.release()
    },
    /** By somebody who may be working: not by an attempt of ours that got no answer. */
    async isTaken(): Promise<boolean> {
      const holder = await driver().send(["GET", key], { safe: true })
      return holder !== null && holder !== token
    },
    lost: () => leaseLost(key),
  }
}
