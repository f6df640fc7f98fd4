/* What the page knows: the session, and of each system its schema, its numbers, its
 * server's pulse and its audit. Loaded once, then kept fresh by the stream of events. */

import { batch, computed, signal } from "@preact/signals"
import type {
  AuditState,
  KeyCounts,
  Failure,
  LogEntry,
  Overview,
  Pulse,
  ScanState,
  Session,
  SystemInfo,
  SystemSchema,
} from "../../api.ts"
import { call, failureFrom } from "./call.ts"

type BySystem<T> = Readonly<Record<string, T>>

export const session = signal<Session | undefined>(undefined)
export const failure = signal<Failure["error"] | undefined>(undefined)
export const schemas = signal<BySystem<SystemSchema>>({})
export const overviews = signal<BySystem<Overview>>({})
export const scans = signal<BySystem<ScanState>>({})
export const pulses = signal<BySystem<Pulse>>({})
export const audits = signal<BySystem<AuditState>>({})
export const log = signal<readonly LogEntry[]>([])

/** Keys and bytes of each pattern, by system and the pattern's name. */
export const counts = signal<BySystem<ReadonlyMap<string, { readonly keys: number; readonly bytes: number }>>>({})

export const systems = computed<readonly SystemInfo[]>(() => session.value?.systems ?? [])
export const systemNamed = (name: string | undefined): SystemInfo | undefined =>
  systems.value.find((one) => one.name === name)

/** An answer that was overtaken by an event is older than what is known, and left out. */
export const put = <T>(
  into: { value: BySystem<T> },
  system: string,
  what: T & { readonly revision?: number },
): void => {
  const known = into.value[system] as { readonly revision?: number } | undefined
  if ((what.revision ?? 0) < (known?.revision ?? 0)) return
  into.value = { ...into.value, [system]: what }
}

/** The session first; schemas before numbers, so that the tree is complete at once. */
export async function load(): Promise<void> {
  try {
    failure.value = undefined
    session.value = await call("GET /api/session", {})
    const names = systems.value.map(({ name }) => name)
    await Promise.all(
      names.map(async (system) => put(schemas, system, await call("GET /api/systems/:system/schema", { system }))),
    )
    // Without numbers there is still a schema to look at; the events bring them later.
    await Promise.allSettled([...names.flatMap((system) => [loadOverview(system), loadAudit(system)]), loadLog()])
  } catch (thrown) {
    failure.value = failureFrom(thrown)
  }
}

export async function loadOverview(system: string): Promise<void> {
  const overview = await call("GET /api/systems/:system/overview", { system })
  batch(() => {
    put(overviews, system, overview)
    put(scans, system, overview.scan)
    put(pulses, system, overview.pulse)
    put(counts, system, new Map(patternsOf(overview).map(({ name, keys, bytes }) => [name, { keys, bytes }])))
  })
}

export async function loadAudit(system: string): Promise<void> {
  put(audits, system, await call("GET /api/systems/:system/audit", { system }))
}

export async function loadLog(): Promise<void> {
  log.value = (await call("GET /api/log", {})).entries
}

export function noteCounts({ system, patterns }: KeyCounts): void {
  const known = new Map(counts.value[system])
  for (const { name, keys, bytes } of patterns) known.set(name, { keys, bytes })
  put(counts, system, known)
}

/** Every pattern of an overview: declared, the toolkit's own, unknown. */
export const patternsOf = ({ databases }: Overview) =>
  databases.flatMap(({ patterns, toolkit, unknown }) => [...patterns, ...toolkit, ...unknown])
