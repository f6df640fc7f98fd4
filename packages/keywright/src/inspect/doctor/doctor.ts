/* What a server's settings endanger in this schema. Reads, and never writes. */

import type { Driver } from "../../driver/driver.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { type CheckFinding, type Rules, summary, withRules } from "../check/check-finding.ts"
import { checkAccess, checkVersion, type Connection } from "./access.ts"
import { checkMemory } from "./memory.ts"
import { checkPersistence, checkReplicas } from "./persistence.ts"
import { readSettings, type ServerSettings } from "./server-settings.ts"
import { checkSlow, slowRows, type SlowRow } from "./slow.ts"
import { patternFinder } from "../model/pattern-finder.ts"

export interface DoctorResult {
  readonly schemaVersion: 1
  readonly server: {
    readonly label: string
    readonly flavour: string
    readonly version: string
    readonly mode: string
    readonly role: string
    readonly uptimeSeconds: number
    readonly usedMemory: number
    readonly replicas: number
    readonly clients: number
  }
  readonly schema: { readonly name: string | null; readonly fingerprint: string }
  /** Null where the server does not say. */
  readonly settings: Readonly<Record<string, string>> | null
  readonly ping: ServerSettings["ping"]
  readonly slow: readonly SlowRow[]
  readonly findings: readonly CheckFinding[]
  readonly summary: Readonly<Record<string, number>>
}

export interface DoctorOptions {
  readonly connection?: Connection
  readonly rules?: Rules
}

export async function doctor(keyspace: Keyspace, driver: Driver, options: DoctorOptions = {}): Promise<DoctorResult> {
  const settings = await readSettings(driver)
  const slow = slowRows(settings.slow, patternFinder(keyspace, driver.db))
  const findings = withRules(
    [...diagnose(settings, keyspace, options.connection), ...checkSlow(slow, settings)],
    options.rules,
  )
  const { info } = settings
  return {
    schemaVersion: 1,
    server: {
      label: driver.label,
      flavour: settings.flavour,
      version: settings.version,
      mode: settings.mode,
      role: settings.role,
      uptimeSeconds: Number(info["uptime_in_seconds"] ?? 0),
      usedMemory: Number(info["used_memory"] ?? 0),
      replicas: Number(info["connected_slaves"] ?? 0),
      clients: Number(info["connected_clients"] ?? 0),
    },
    schema: { name: keyspace.name ?? null, fingerprint: fingerprint(keyspace) },
    settings: settings.config ?? null,
    ping: settings.ping,
    slow,
    findings,
    summary: summary(findings),
  }
}

/** The settings against the schema; the worst comes first after `withRules`. */
export function diagnose(settings: ServerSettings, keyspace: Keyspace, connection: Connection = {}): CheckFinding[] {
  return [
    ...checkVersion(settings, keyspace),
    ...checkMemory(settings, keyspace.keys),
    ...checkPersistence(settings, keyspace.keys),
    ...checkReplicas(settings, keyspace),
    ...checkAccess(settings, keyspace, connection),
    ...(settings.config === undefined
      ? [
          {
            code: "DOCTOR.CONFIG_HIDDEN",
            severity: "note",
            message: "the server does not tell its settings (CONFIG GET is forbidden)",
            why: "Memory limits, eviction and persistence could not be checked.",
            fix: "Ask its operator, or use a user that may call CONFIG GET.",
          } as const,
        ]
      : []),
  ]
}
