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

/** What it returns says more to the administrator. */
export function healthOf(systems: readonly Examined[], source: OpenSource): (isAdmin: boolean) => Promise<Health> {
  let latest: { at: number; found: Promise<Examination> } | undefined
  return async (isAdmin) => {
    const at = performance.now()
    if (latest === undefined || at - latest.at > KEPT_MS) latest = { at, found: examine(systems, source) }
    const found = await latest.found
    return isAdmin ? found.forAdmin : found.forAll
  }
}

interface Examination {
  readonly forAll: Health
  readonly forAdmin: Health
}

async function examine(systems: readonly Examined[], source: OpenSource): Promise<Examination> {
  const isSourceUp = source.ping().then(
    () => true,
    () => false,
  )
  const findings = await Promise.all(systems.map(async (system) => [system.name, await problemsOf(system)] as const))
  const isWell = findings.every(([, problems]) => Object.keys(problems).length === 0) && (await isSourceUp)
  const sourceState = (await isSourceUp) ? {} : ({ source: "unavailable" } as const)
  const healthWith = async (more: (started: Started) => unknown): Promise<Health> => {
    const told = await Promise.all(systems.map(({ started }, i) => aboutOf(() => more(started), findings[i]![1])))
    const said = told
      .map((words, i) => [systems[i]!.name, words] as const)
      .filter(([, words]) => Object.keys(words).length > 0)
    const about = said.length > 0 && { systems: Object.fromEntries(said) }
    return { status: isWell ? "ok" : "degraded", ...about, ...sourceState }
  }
  return {
    forAll: await healthWith((started) => started.about?.()),
    forAdmin: await healthWith(async (started) => ({ ...(await started.about?.()), ...(await started.inside?.()) })),
  }
}

/** What a system says about itself, well or not, and what is wrong with it. */
async function aboutOf(more: () => unknown, problems: Readonly<Record<string, unknown>>) {
  try {
    return { ...((await more()) as object), ...problems }
  } catch {
    return problems // It could not be found out, and the problems say why.
  }
}

async function problemsOf({ redis, started }: Examined): Promise<Record<string, unknown>> {
  try {
    await redis.ping()
  } catch (error) {
    redis.suspect(error)
    const paused = started.jobs?.filter((job) => job.status().paused).map((job) => job.name) ?? []
    return { redis: "unavailable", ...(paused.length > 0 && { pausedJobs: paused }) }
  }
  try {
    return { ...(await started.health?.()) }
  } catch {
    return { health: "could not be determined" }
  }
}
