/* What the page knows of a map user: views by day, queries by kind; and what happens to
 * them. It asks as the user, by an API key, or as the administrator. */

import { computed, signal } from "@preact/signals"
import { adminToken } from "../state/about.ts"
import { type Ask, call, Refusal } from "../state/call.ts"
import { say } from "../state/notice.ts"
import { tellOthers } from "../state/refresh.ts"

export interface MapUser {
  readonly id: number
  readonly username: string
  readonly database_name: string
  readonly last_active_time: string | null
  readonly mapviews: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface Usage {
  readonly total: number
  readonly month: Readonly<Record<"queries" | "time" | Verb, number>>
  readonly days: Readonly<Record<string, { readonly queries: number; readonly time: number }>>
}

export const VERBS = ["select", "insert", "update", "delete", "other"] as const
type Verb = (typeof VERBS)[number]

interface Session {
  readonly username: string
  /** Without one, as the administrator. */
  readonly apiKey: string | undefined
}

export const session = signal<Session | undefined>(undefined)
export const why = signal<string | undefined>(undefined)
export const user = signal<MapUser | undefined>(undefined)
export const days = signal<Readonly<Record<string, number>>>({})
export const usage = signal<Usage | undefined>(undefined)
/** Which visualization the chart shows; undefined: all of them. */
export const shown = signal<string | undefined>(undefined)

/** Maps that can be looked at: those that were, and a few to begin with. */
export const maps = computed(() => {
  const seen = Object.keys(user.value?.mapviews ?? {}).flatMap((name) => /^stat_tag:(.+)$/.exec(name)?.[1] ?? [])
  return [...new Set([...seen, "parks", "stations", "routes"])]
})

const path = (): string => `/users/${encodeURIComponent(session.value?.username ?? "")}`

async function ask<T>(request: string, options: Ask = {}): Promise<T> {
  const { apiKey } = session.value ?? {}
  const mark = request.includes("?") ? "&" : "?"
  const keyed = apiKey === undefined ? request : `${request}${mark}api_key=${encodeURIComponent(apiKey)}`
  try {
    return await call<T>(keyed, { admin: apiKey === undefined, ...options })
  } catch (error) {
    if (error instanceof Refusal && (error.status === 401 || error.status === 403 || error.status === 404))
      leave(error.status === 404 ? "There is no such user any more." : "That key is not good any more.")
    throw error
  }
}

export function leave(reason?: string): void {
  session.value = undefined
  user.value = undefined
  why.value = reason
}

export async function enter(username: string, apiKey: string | undefined): Promise<void> {
  if (apiKey === undefined && adminToken.value === undefined) throw new Error("an API key is needed")
  session.value = { username, apiKey }
  await ask(`POST ${path()}/dashboard`, { title: `${username} opened the dashboard` })
  why.value = undefined
  await load()
}

export async function load(): Promise<void> {
  if (session.value === undefined) return
  const filter = shown.value === undefined ? "" : `?visualization=${encodeURIComponent(shown.value)}`
  const [found, views] = await Promise.all([
    ask<MapUser>(`GET ${path()}`),
    ask<{ days: Record<string, number> }>(`GET ${path()}/mapviews${filter}`),
  ])
  user.value = found
  days.value = views.days
  usage.value = await ask<Usage>(`GET /usage/${found.id}`)
}

export async function show(visualization: string | undefined): Promise<void> {
  shown.value = visualization
  const title = `Asked for the views of ${visualization ?? "all maps"}`
  const filter = visualization === undefined ? "" : `?visualization=${encodeURIComponent(visualization)}`
  days.value = (await ask<{ days: Record<string, number> }>(`GET ${path()}/mapviews${filter}`, { title })).days
}

async function doing(request: string, title: string, body: unknown): Promise<void> {
  await ask(request, { title, body })
  tellOthers()
  await load()
}

export const look = (visualization: string) =>
  doing(`POST ${path()}/mapviews`, `Somebody looked at the map ${visualization}`, { visualization_id: visualization })

/** For administrators: the SQL API would do this. */
export const runQuery = (sql: string) =>
  doing("POST /queries", `Ran ${sql.slice(0, 40)}`, { user_id: user.value?.id, sql, time: 0.05 })

export async function rename(next: string): Promise<void> {
  const before = session.value!
  await ask(`POST ${path()}/rename`, { title: `Renamed ${before.username} to ${next}`, body: { username: next } })
  session.value = { ...before, username: next }
  say(`${before.username} is ${next} now, with every map view.`)
  tellOthers()
  await load()
}
