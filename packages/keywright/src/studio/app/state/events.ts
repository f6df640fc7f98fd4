/* The stream of events. It reconnects by itself; watching commands is
 * costly, so it runs only while the view is open. */

import { signal } from "@preact/signals"
import type { Events, LiveCommands, LiveFrame } from "../../api.ts"
import { readEvents } from "./event-stream.ts"
import { notePulse } from "./growth.ts"
import { authorization } from "./session-token.ts"
import { audits, loadOverview, log, noteCounts, overviews, pulses, put, scans } from "./studio.ts"

export const connected = signal(true)
export const ended = signal(false)

const RETRY_MS = 500
const MOST_RETRY_MS = 8000

const liveListeners = new Set<(frame: LiveFrame) => void>()
const commandListeners = new Set<(commands: LiveCommands) => void>()

type Handlers = { readonly [Name in keyof Events]: (event: Events[Name]) => void }

const handlers: Handlers = {
  scan: (scan) => {
    const before = scans.value[scan.system]
    put(scans, scan.system, scan)
    const isNews = before?.round !== scan.round || overviews.value[scan.system] === undefined
    if (isNews) loadOverview(scan.system).catch(() => undefined)
  },
  counts: noteCounts,
  pulse: (pulse) => {
    put(pulses, pulse.system, pulse)
    notePulse(pulse)
  },
  audit: (audit) => put(audits, audit.system, audit),
  live: (frame) => liveListeners.forEach((listener) => listener(frame)),
  commands: (commands) => commandListeners.forEach((listener) => listener(commands)),
  log: (entry) => (log.value = [entry, ...log.value].slice(0, 500)),
  missed: () => undefined,
  bye: () => {
    ended.value = true
    stream?.abort()
  },
}

let stream: AbortController | undefined

/** Opens the stream; called again, with the commands of other systems in it. */
export function listen(live: readonly string[] = []): void {
  stream?.abort()
  stream = new AbortController()
  const query = live.length === 0 ? "" : `?live=${live.map(encodeURIComponent).join(",")}`
  void follow(`/api/events${query}`, stream.signal)
}

async function follow(path: string, signal: AbortSignal): Promise<void> {
  for (let failed = 0; !signal.aborted; failed++) {
    try {
      const answer = await fetch(path, { headers: authorization(), signal })
      // Another studio at this address: ours has ended, and its session with it.
      if (answer.status === 401) return void (ended.value = true)
      if (!answer.ok) throw new Error(`the studio answered ${answer.status}`)
      failed = 0
      connected.value = true
      await readEvents(answer, ({ name, data }) => (handlers[name as keyof Events] as (event: unknown) => void)(data))
    } catch {
      // Tried again, like a stream that has ended.
    }
    if (signal.aborted) return
    connected.value = false
    await new Promise((resolve) => setTimeout(resolve, Math.min(RETRY_MS * 2 ** failed, MOST_RETRY_MS)))
  }
}

/** Watches commands until the returned function is called. */
export function watchCommands(
  systems: readonly string[],
  onFrame: (frame: LiveFrame) => void,
  onCommands: (commands: LiveCommands) => void,
): () => void {
  liveListeners.add(onFrame)
  commandListeners.add(onCommands)
  listen(systems)
  return () => {
    liveListeners.delete(onFrame)
    commandListeners.delete(onCommands)
    if (liveListeners.size === 0) listen()
  }
}
