/* What the page knows about a reader: the feed and why, what they like, and the nightly run.
 * Reads are open to everybody; a reaction is a row of the source, written as administrator. */

import { signal } from "@preact/signals"
import { call } from "../state/call.ts"
import { say } from "../state/notice.ts"
import { tellOthers } from "../state/refresh.ts"

export type Reason = "reacted_challenge" | "top_category" | "explore"

export interface Post {
  readonly id: number
  readonly challenge: number
  readonly category: number
  readonly reason: Reason
}

export interface Status {
  readonly db_len: Readonly<Record<string, number>>
  readonly params: {
    readonly max_post_age: number
    readonly day_index: number | null
    readonly last_run_date: string | null
  }
  readonly pool: Readonly<Record<string, number>>
  readonly running: boolean
}

export interface Report {
  readonly date: string
  readonly day_index: number
  readonly added: Readonly<Record<string, number>>
  readonly skipped: readonly unknown[]
  readonly duration_ms: number
}

export const reader = signal<string | undefined>(undefined)
export const posts = signal<readonly Post[]>([])
export const contribution = signal<readonly number[]>([])
export const preferences = signal<readonly { readonly id: number; readonly score: number }[]>([])
export const liked = signal<readonly number[]>([])
export const status = signal<Status | undefined>(undefined)
export const report = signal<Report | undefined>(undefined)
export const isRunning = signal(false)
/** Reactions that the next night will hear of. */
export const tonight = signal<readonly Post[]>([])

const ASKED = 100
/** The same choice for as long as nothing changes: posts outside of the favourites are drawn by chance. */
const SEED = "page"

const path = (): string => `/users/${encodeURIComponent(reader.value ?? "")}`

export async function enter(id: string): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new Error("a reader is a number from 1 on")
  reader.value = id
  tonight.value = []
  report.value = undefined
  await loadFeed(`Reader ${id} asked for posts`)
  await load()
}

export function leave(): void {
  reader.value = undefined
  posts.value = []
}

async function loadFeed(title?: string): Promise<void> {
  const found = await call<{ posts: Post[] }>(
    `GET ${path()}/recommendations?limit=${ASKED}&seed=${SEED}`,
    title === undefined ? {} : { title },
  )
  posts.value = found.posts
}

export async function load(): Promise<void> {
  status.value = await call<Status>("GET /status")
  isRunning.value = status.value.running
  if (reader.value === undefined) return
  const [days, known, seen] = await Promise.all([
    call<{ contribution: number[] }>(`GET ${path()}/contribution`),
    call<{ challenges: typeof preferences.value }>(`GET ${path()}/preferences`),
    call<{ posts: number[] }>(`GET ${path()}/liked`),
    loadFeed(),
  ])
  contribution.value = days.contribution
  preferences.value = known.challenges
  liked.value = seen.posts
}

export async function react(post: Post): Promise<void> {
  await call("POST /reactions", {
    body: { post: post.id, user: Number(reader.value) },
    admin: true,
    title: `Reader ${reader.value} liked post ${post.id}`,
  })
  tonight.value = [...tonight.value, post]
  tellOthers()
}

/** The night: what is new in the source reaches Redis. The date is the day after the last run, so that days pass. */
export async function runNight(): Promise<void> {
  isRunning.value = true
  try {
    const last = status.value?.params.last_run_date
    const date = last === null || last === undefined ? undefined : dayAfter(last)
    report.value = await call<Report>("POST /jobs/nightly", {
      body: date === undefined ? {} : { date },
      admin: true,
      title: `The nightly run for ${date ?? "today"}`,
    })
    tonight.value = []
    say(`The nightly run for ${report.value.date} is done. Here is the new feed.`)
  } finally {
    isRunning.value = false
  }
  await loadFeed(`Reader ${reader.value ?? ""} asked for posts`)
  tellOthers()
  await load()
}

function dayAfter(date: string): string {
  const next = new Date(`${date}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}
