/* What can go wrong with background work. */

import { KeywrightError, SchemaError } from "./error.ts"

export const leaseLost = (key: string) =>
  new KeywrightError("JOB.LEASE_LOST", `the lease ${key} was lost`, {
    key,
    why: "It could not be taken or renewed in time, or another process took it by force. Another process may be working now.",
    fix: "Stop when the signal of the pass is aborted. If passes are long, give the lease a longer ttl.",
  })

export const jobStopped = (name: string) =>
  new KeywrightError("JOB.STOPPED", `the job ${name} is being stopped`, {
    why: "Its stop() was called, so no further pass begins.",
    fix: "Start a new job to continue.",
  })

export const jobRefused = (name: unknown) =>
  new SchemaError(
    "JOB.REFUSED",
    `the job ${JSON.stringify(name)} cannot be made: names have up to 64 letters, digits, _, . and -`,
    {
      fix: 'Use a name such as "nightly" or "orders.mail".',
    },
  )
