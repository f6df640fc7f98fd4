/* What can be wrong between sentinels and their caller. */

import { KeywrightError } from "./error.ts"
import { failedWith } from "./failed-at.ts"
import { Refused } from "./outcome.ts"

export const noSuchService = (service: string, where: string): Refused =>
  new Refused("SENTINEL.SERVICE", `no sentinel of ${where} knows the service ${JSON.stringify(service)}`, {
    why: "Sentinels know primaries by the names in their configuration (sentinel monitor name …).",
    fix: "Write the name after the hosts: redis+sentinel://host:26379/name. SENTINEL MASTERS lists all names.",
  })

export const noPrimary = (service: string, where: string, cause: unknown): KeywrightError =>
  new KeywrightError("SENTINEL.NO_ANSWER", `no sentinel of ${where} says where the primary of ${service} is`, {
    why: cause instanceof Error ? failedWith(cause) : "None of them answers.",
    fix: "Check that the sentinels are up and reachable, and their password (sentinel_password).",
    cause,
  })

/** Reads go to the primary meanwhile. */
export const noReplica = (service: string, where: string, cause: unknown): KeywrightError =>
  new KeywrightError("SENTINEL.NO_REPLICA", `no sentinel of ${where} knows a replica of ${service} that is up`, {
    why: cause instanceof Error ? failedWith(cause) : "No replica follows the primary.",
    fix: "See SENTINEL REPLICAS. Until there is one, the primary answers.",
    cause,
  })
