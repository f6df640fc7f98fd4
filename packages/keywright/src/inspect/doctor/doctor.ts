/* What a server's settings endanger in this schema. Reads, and never writes. */

import type { Driver } from "../../driver/driver.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { type CheckFinding, type Rules, summary, withRules } from "../check/check-finding.ts"
import { checkAccess, checkVersion, type ServerConnection } from "./access.ts"
import { checkMemory } from "./memory.ts"
import { checkCluster } from "./cluster.ts"
import { checkSentinels } from "./sentinel.ts"
import { checkPersistence, checkReplicas } from "./persistence.ts"
import { readSettings, type ServerSettings } from "./server-settings.ts"
import { checkSlow, slowRows, type SlowRow } from "./slow.ts"
import { patternFinder } from "../model/pattern-finder.ts"
import type { RefusedRead } from "../walk/refusal.ts"

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
  /** What the server refused to say: what that would have shown is not among the findings. */
  readonly unreadable: readonly RefusedRead[]
}

export interface DoctorOptions {
  readonly connection?: ServerConnection
  readonly rules?: Rules
}

/** In a cluster, every primary is examined. */
export async function doctor(keyspace: Keyspace, driver: Driver, options: DoctorOptions = {}): Promise<DoctorResult> {
  const nodes = await driver.primaries()
  const all = await Promise.all(
    nodes.map(async (node) => ({ where: hostInLabel(node.label), settings: await readSettings(node) })),
  )
  const { settings } = all[0]!
  const slow = slowRows(
    all.flatMap((one) => one.settings.slow),
    patternFinder(keyspace, driver.db),
  )
  const found = all.map((one) => ({ ...one, findings: diagnose(one.settings, keyspace, options.connection) }))
  const watched = driver.sentinels === undefined ? [] : checkSentinels(await driver.sentinels())
  const findings = withRules([...together(found), ...watched, ...checkSlow(slow, settings)], options.rules)
  const sum = (field: string) => all.reduce((total, one) => total + Number(one.settings.info[field] ?? 0), 0)
  return {
    schemaVersion: 1,
    server: {
      label: driver.label,
      flavour: settings.flavour,
      version: settings.version,
      mode: settings.mode,
      role: settings.role,
      uptimeSeconds: Math.min(...all.map((one) => Number(one.settings.info["uptime_in_seconds"] ?? 0))),
      usedMemory: sum("used_memory"),
      replicas: sum("connected_slaves"),
      clients: sum("connected_clients"),
    },
    schema: { name: keyspace.name ?? null, fingerprint: fingerprint(keyspace) },
    settings: settings.config ?? null,
    ping: settings.ping,
    slow,
    findings,
    summary: summary(findings),
    unreadable: refusedBy(all.map((one) => one.settings)),
  }
}

/** Each command once, whichever nodes refuse it. */
const refusedBy = (nodes: readonly ServerSettings[]): RefusedRead[] => [
  ...new Map(nodes.flatMap(({ unreadable = [] }) => unreadable).map((one) => [one.command, one])).values(),
]

const hostInLabel = (label: string): string => label.replace(/^\w+:\/\//, "").replace(/\/.*$/s, "")

/** What all nodes have in common once; what only some have, with their names. */
function together(nodes: readonly { readonly where: string; readonly findings: readonly CheckFinding[] }[]) {
  const same = new Map<string, { readonly finding: CheckFinding; readonly places: string[] }>()
  for (const { where, findings } of nodes)
    for (const finding of findings) {
      const known = same.get(`${finding.code} ${finding.message}`)
      if (known) known.places.push(where)
      else same.set(`${finding.code} ${finding.message}`, { finding, places: [where] })
    }
  return [...same.values()].map(({ finding, places }) =>
    places.length === nodes.length ? finding : { ...finding, message: `${places.join(", ")}: ${finding.message}` },
  )
}

/** The settings against the schema; the worst comes first after `withRules`. */
export function diagnose(
  settings: ServerSettings,
  keyspace: Keyspace,
  connection: ServerConnection = {},
): CheckFinding[] {
  return [
    ...checkVersion(settings, keyspace),
    ...checkMemory(settings, keyspace.keys),
    ...checkPersistence(settings, keyspace.keys),
    ...checkReplicas(settings, keyspace),
    ...checkCluster(settings),
    ...checkAccess(settings, keyspace, connection),
    ...(settings.config === undefined
      ? [
          {
            code: "DOCTOR.CONFIG_HIDDEN",
            severity: "note",
            message: "the server does not show its settings (CONFIG GET is forbidden)",
            why: "Memory limits, eviction and persistence could not be checked.",
            fix: "Ask its operator, or use a user that may call CONFIG GET.",
          } as const,
        ]
      : []),
  ]
}
