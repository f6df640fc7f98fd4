/* Whether all is well: each system's Redis answers, the source answers, and the system
 * itself has nothing to report. */

import { performance } from "node:perf_hooks"
import type { RedisState } from "./redis-state.ts"
import type { OpenSource } from "./source.ts"
import type { Started } from "./system.ts"

export interface Examined {
  readonly name: string
  readonly redis: RedisState
  readonly started: Started
}

export interface Health {
  readonly status: "ok" | "degraded"
  readonly systems?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly source?: "unavailable"
}

/** How long one finding is good for: a flood of questions is not passed on. */
const KEPT_MS = 100

export function healthOf(systems: readonly Examined[], source: OpenSource): () => Promise<Health> {
  let latest: { at: number; found: Promise<Health> } | undefined
  return () => {
    const at = performance.now()
    if (latest === undefined || at - latest.at > KEPT_MS) latest = { at, found: examine(systems, source) }
    return latest.found
  }
}

async function examine(systems: readonly Examined[], source: OpenSource): Promise<Health> {
  const isSourceUp = source.ping().then(
    () => true,
    () => false,
  )
  const findings = await Promise.all(systems.map(async (system) => [system.name, await problemsOf(system)] as const))
  const isWell = findings.every(([, problems]) => Object.keys(problems).length === 0) && (await isSourceUp)
  const told = await Promise.all(systems.map(({ started }, i) => aboutOf(started, findings[i]![1])))
  const said = told
    .map((words, i) => [systems[i]!.name, words] as const)
    .filter(([, words]) => Object.keys(words).length > 0)
  return {
    status: isWell ? "ok" : "degraded",
    ...(said.length > 0 && { systems: Object.fromEntries(said) }),
    ...(!(await isSourceUp) && { source: "unavailable" }),
  }
}

/** What a system says of itself, well or not, and what is wrong with it. */
async function aboutOf(started: Started, problems: Readonly<Record<string, unknown>>) {
  try {
    return { ...(await started.about?.()), ...problems }
  } catch {
    return problems // It could not be found out, and the problems say why.
  }
}

async function problemsOf({ redis, started }: Examined): Promise<Record<string, unknown>> {
  try {
    await redis.ping()
  } catch {
    redis.suspect()
    const paused = started.jobs?.filter((job) => job.status().paused).map((job) => job.name) ?? []
    return { redis: "unavailable", ...(paused.length > 0 && { pausedJobs: paused }) }
  }
  try {
    return { ...(await started.health?.()) }
  } catch {
    return { health: "could not be found out" }
  }
}
