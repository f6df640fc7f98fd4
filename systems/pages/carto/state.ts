/* What the page knows about a map user: views by day, queries by kind; and what happens to
 * them. It asks as the user, by an API key, or as the administrator. */

import { computed, signal } from "@preact/signals"
import { kept } from "studio/state/kept.ts"
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

/** Who was here last with this browser, by the name they have now. */
export const lastName = kept("carto-name", "local")
const lastRename = kept("carto-rename", "local")

/** Maps that can be looked at: those that were, and a few to begin with. */
export const maps = computed(() => {
  const seen = Object.keys(user.value?.mapviews ?? {}).flatMap((name) => /^stat_tag:(.+)$/.exec(name)?.[1] ?? [])
  return [...new Set([...seen, "parks", "stations", "routes"])]
})

const path = (): string => `/users/${encodeURIComponent(session.value?.username ?? "")}`

async function ask<T>(request: string, options: Ask = {}): Promise<T> {
  const asked = session.value
  const apiKey = asked?.apiKey
  const mark = request.includes("?") ? "&" : "?"
  const keyed = apiKey === undefined ? request : `${request}${mark}api_key=${encodeURIComponent(apiKey)}`
  try {
    return await call<T>(keyed, { admin: apiKey === undefined, shownAs: request, ...options })
  } catch (error) {
    if (session.value === asked && error instanceof Refusal) leaveFor(error)
    throw error
  }
}

function leaveFor({ status }: Refusal): void {
  const wasIn = user.value !== undefined
  if (status === 404 && wasIn && followRename()) return
  if (status === 404) leave(wasIn ? "There is no longer a user of that name." : undefined)
  else if (status === 401 || status === 403) leave(wasIn ? "Your API key is no longer valid." : undefined)
}

export function leave(reason?: string): void {
  session.value = undefined
  user.value = undefined
  shown.value = undefined
  why.value = reason
}

export async function enter(username: string, apiKey: string | undefined): Promise<void> {
  if (apiKey === undefined && adminToken.value === undefined) throw new Error("an API key is needed")
  session.value = { username, apiKey }
  await ask(`POST ${path()}/dashboard`, { title: `${username} opened the dashboard` })
  why.value = undefined
  lastName.set(username)
  await load()
}

/** What is being loaded; nothing during a rename, which would be asked for a name that is gone. */
const loads = new Set<Promise<void>>()
let isRenaming = false

export async function load(): Promise<void> {
  if (session.value === undefined || isRenaming) return
  followRename()
  const work = loadUser()
  loads.add(work)
  await work.finally(() => loads.delete(work))
}

async function loadUser(): Promise<void> {
  const visualization = shown.value
  const [found, views] = await Promise.all([ask<MapUser>(`GET ${path()}`), ask<Days>(viewsOf(visualization))])
  user.value = found
  if (shown.value === visualization) days.value = views.days
  usage.value = await ask<Usage>(`GET /usage/${found.id}`)
}

interface Days {
  readonly days: Readonly<Record<string, number>>
}
const viewsOf = (visualization: string | undefined): string =>
  `GET ${path()}/mapviews${visualization === undefined ? "" : `?visualization=${encodeURIComponent(visualization)}`}`

export async function show(visualization: string | undefined): Promise<void> {
  shown.value = visualization
  const title = `Asked for the views of ${visualization ?? "all maps"}`
  days.value = (await ask<Days>(viewsOf(visualization), { title })).days
}

async function doing(request: string, title: string, body: unknown): Promise<void> {
  await ask(request, { title, body })
  tellOthers()
  await load()
}

export const look = (visualization: string) =>
  doing(`POST ${path()}/mapviews`, `Somebody viewed the map ${visualization}`, { visualization_id: visualization })

/** For administrators: the SQL API would do this. */
export const runQuery = (sql: string) =>
  doing("POST /queries", `Ran ${sql.slice(0, 40)}`, { user_id: user.value?.id, sql, time: 0.05 })

export async function rename(next: string): Promise<void> {
  const before = session.value!
  isRenaming = true
  try {
    await Promise.allSettled(loads)
    await ask(`POST ${path()}/rename`, { title: `Renamed ${before.username} to ${next}`, body: { username: next } })
    lastRename.set(JSON.stringify([before.username, next]))
    lastName.set(next)
    followRename()
  } finally {
    isRenaming = false
  }
  say(`${before.username} is now ${next}. All map views moved too.`)
  tellOthers()
  await load()
}

/** In this window or in another one. Whether there was one. */
function followRename(): boolean {
  const [from, to] = JSON.parse(lastRename.get() ?? "[]") as [string?, string?]
  if (session.value === undefined || to === undefined || from !== session.value.username) return false
  session.value = { ...session.value, username: to }
  return true
}
