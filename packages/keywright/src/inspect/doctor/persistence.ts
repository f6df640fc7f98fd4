/* Persistence and replicas: what a crash would cost of the keys of this schema. */

import type { Entity } from "../../schema/entity.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckFinding } from "../check/check-finding.ts"
import type { ServerSettings } from "./server-settings.ts"

export function checkPersistence({ config, info }: ServerSettings, keys: readonly Key[]): CheckFinding[] {
  const kept = keys.filter(({ evictable }) => evictable !== true)
  const found: CheckFinding[] = []
  if (config) found.push(...checkFiles(config, kept))
  if (info["rdb_last_bgsave_status"] === "err" || info["aof_last_write_status"] === "err") {
    found.push({
      code: "DOCTOR.SAVE_FAILED",
      severity: "error",
      message: "the server's last write to disk failed",
      why:
        config?.["stop-writes-on-bgsave-error"] === "no"
          ? "It keeps accepting writes that nothing persists."
          : "It refuses writes until one succeeds.",
      fix: "Look at the server's log, and at the space and the rights of its directory.",
    })
  }
  return found
}

function checkFiles(config: Readonly<Record<string, string>>, kept: readonly Key[]): CheckFinding[] {
  const [log, snapshots] = [config["appendonly"] === "yes", config["save"] !== ""]
  const patterns = kept.map(({ pattern }) => pattern)
  if (!log && !snapshots) {
    return [
      {
        code: "DOCTOR.NO_PERSISTENCE",
        severity: kept.length === 0 ? "note" : "error",
        message: `nothing is written to disk: a restart loses ${kept.length === 0 ? "caches only" : `${kept.length} patterns that are not caches`}`,
        why: "The setting appendonly is no, and save is empty.",
        fix: "Set appendonly yes.",
        ...(kept.length > 0 && { patterns }),
      },
    ]
  }
  if (!log && kept.length > 0) {
    return [
      {
        code: "DOCTOR.SNAPSHOTS_ONLY",
        severity: "warning",
        message: `a crash loses everything since the last snapshot${config["save"] === undefined ? "" : ` (save "${config["save"]}")`}`,
        why: "Minutes of acknowledged writes may be lost; indexes stay in step, because a snapshot shows a single moment.",
        fix: "Set appendonly yes.",
        patterns,
      },
    ]
  }
  if (log && config["appendfsync"] === "no") {
    return [
      {
        code: "DOCTOR.APPENDFSYNC",
        severity: "warning",
        message: "appendfsync is no: the system decides when writes reach the disk",
        why: "A power failure may cost half a minute of acknowledged writes.",
        fix: "Set appendfsync everysec, or always where no acknowledged write may be lost.",
      },
    ]
  }
  return log && config["appendfsync"] === "everysec" && kept.some(({ entity }) => entity)
    ? [
        {
          code: "DOCTOR.APPENDFSYNC",
          severity: "note",
          message: "appendfsync is everysec: a power failure may cost the last second",
          fix: "Set appendfsync always where no acknowledged write may be lost.",
        },
      ]
    : []
}

export function checkReplicas({ info, config, role }: ServerSettings, keyspace: Keyspace): CheckFinding[] {
  const replicas = Number(info["connected_slaves"] ?? 0)
  const found: CheckFinding[] = []
  const entries = Object.entries(keyspace.entries as Record<string, Partial<Entity>>)
  const asking = entries.filter(
    ([, { kind, durability }]) => kind === "entity" && typeof durability === "object" && durability.replicas > replicas,
  )
  if (asking.length > 0) {
    found.push({
      code: "DOCTOR.REPLICAS",
      severity: "error",
      message: `${replicas} replicas follow, fewer than ${asking.map(([name]) => name).join(", ")} ask for`,
      why: "Every save of these entities waits, and then fails.",
      fix: "Attach replicas, or lower their durability.",
      patterns: asking.flatMap(([, { pattern }]) => pattern ?? []),
    })
  } else if (replicas === 0 && role === "primary" && keyspace.keys.some(({ entity }) => entity)) {
    found.push({
      code: "DOCTOR.REPLICAS",
      severity: "note",
      message: "no replica follows: if this machine is lost, so is all data since the last backup",
      fix: "Attach a replica, or run keywright backup regularly.",
    })
  }
  if (role === "replica") {
    found.push({
      code: "DOCTOR.ROLE",
      severity: "warning",
      message: "this is a replica: it may be behind, and it accepts no writes",
      fix: "Point the application at the primary.",
    })
  }
  if (info["master_link_status"] === "down") {
    found.push({
      code: "DOCTOR.LINK",
      severity: "error",
      message: "the replica has lost its primary",
      fix: "Check its log, masterauth and the network.",
    })
  }
  if (replicas > 0 && config?.["min-replicas-to-write"] === "0" && keyspace.keys.length > 0) {
    found.push({
      code: "DOCTOR.SPLIT_BRAIN",
      severity: "note",
      message:
        "min-replicas-to-write is 0: a primary that is cut off keeps accepting writes, which are lost when it comes back",
      why: "So does one that is replaced with SENTINEL FAILOVER or CLUSTER FAILOVER TAKEOVER, until it learns of it.",
      fix: "Set min-replicas-to-write 1.",
    })
  }
  return found
}
