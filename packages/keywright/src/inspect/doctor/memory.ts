/* Memory: what eviction, or the lack of a limit, does to the keys of this schema. */

import type { Key } from "../../schema/key.ts"
import type { CheckFinding } from "../check/check-finding.ts"
import type { ServerSettings } from "./server-settings.ts"

const NOTES_EVICTED =
  "Without the result of an operation id, a repeated call is carried out again; without a lease, a job may run twice."

export function checkMemory({ config, info }: ServerSettings, keys: readonly Key[]): CheckFinding[] {
  const used = Number(info["used_memory"] ?? 0)
  const evicted = Number(info["evicted_keys"] ?? 0)
  const fragmentation = Number(info["mem_fragmentation_ratio"] ?? 1)
  const found: CheckFinding[] = []
  if (config)
    found.push(...checkPolicy(Number(config["maxmemory"] ?? 0), config["maxmemory-policy"] ?? "noeviction", used, keys))
  if (evicted > 0) {
    found.push({
      code: "DOCTOR.EVICTED",
      severity: keys.every(({ evictable }) => evictable) ? "note" : "warning",
      message: `${evicted} keys have been evicted since the server started`,
      why: "Index entries and records may be missing already.",
      fix: "Run keywright audit, and give the server more memory or another policy.",
    })
  }
  if (fragmentation > 1.5 && used > 100 * 1024 * 1024) {
    found.push({
      code: "DOCTOR.FRAGMENTATION",
      severity: "note",
      message: `the server occupies ${fragmentation} times the memory that its data needs`,
      fix: "Consider activedefrag yes, or a restart.",
    })
  }
  return found
}

function checkPolicy(limit: number, policy: string, used: number, keys: readonly Key[]): CheckFinding[] {
  if (limit === 0) {
    return [
      {
        code: "DOCTOR.MAXMEMORY",
        severity: "warning",
        message: "maxmemory is 0: the server grows until the system ends it",
        why: "The kernel kills the process without a warning, and everything since the last write to disk is lost.",
        fix: "Set maxmemory below what the machine has, with maxmemory-policy noeviction.",
      },
    ]
  }
  const lasting = keys.filter(({ evictable }) => evictable !== true)
  const endangered = policy.startsWith("allkeys-")
    ? lasting
    : policy.startsWith("volatile-")
      ? lasting.filter(({ ttl }) => ttl !== undefined && ttl.on !== "never")
      : []
  const found: CheckFinding[] = []
  if (endangered.length === 0 && lasting.length > 0 && policy !== "noeviction") {
    found.push({
      code: "DOCTOR.EVICTION",
      severity: "warning",
      message: `maxmemory-policy ${policy} may remove results of operation ids, and leases`,
      why: `They have a deadline. ${NOTES_EVICTED}`,
      fix: "Set maxmemory-policy noeviction, or keep caches on a server of their own.",
    })
  }
  if (endangered.length > 0) {
    const entities = new Set(endangered.flatMap(({ entity }) => entity?.name ?? []))
    found.push({
      code: "DOCTOR.EVICTION",
      severity: policy.startsWith("allkeys-") ? "error" : "warning",
      message: `maxmemory-policy ${policy} may remove ${endangered.length} patterns that are not declared evictable`,
      why:
        entities.size > 0
          ? `An evicted record leaves its index entries behind, an evicted index hides its records: ${[...entities].slice(0, 5).join(", ")}. ${NOTES_EVICTED}`
          : `They would vanish under memory pressure, although nobody deleted them. ${NOTES_EVICTED}`,
      fix: "Set maxmemory-policy noeviction, keep caches on a server of their own, or declare evictable: true.",
      patterns: endangered.map(({ pattern }) => pattern),
    })
  }
  if (policy === "noeviction" && used > 0.9 * limit) {
    found.push({
      code: "DOCTOR.MEMORY_FULL",
      severity: "error",
      message: `${Math.round((100 * used) / limit)} % of maxmemory is in use`,
      why: "At the limit, every write is refused (OOM).",
      fix: "Raise maxmemory, or see keywright stats for what takes up the memory.",
    })
  }
  return found
}
