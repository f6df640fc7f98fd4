/* The stream of events. It reconnects by itself; watching commands costs the server
 * something, so that they are asked for only while somebody looks. */

import { signal } from "@preact/signals"
import type { Events, LiveCommands, LiveFrame } from "../../api.ts"
import { notePulse } from "./growth.ts"
import { audits, loadOverview, log, noteCounts, overviews, pulses, put, scans } from "./studio.ts"

export const connected = signal(true)
export const ended = signal(false)

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
    stream?.close()
  },
}

let stream: EventSource | undefined

/** Opens the stream, or opens it anew to watch the commands of `live`. */
export function listen(live: readonly string[] = []): void {
  stream?.close()
  const query = live.length === 0 ? "" : `?live=${live.map(encodeURIComponent).join(",")}`
  const opened = new EventSource(`/api/events${query}`)
  opened.addEventListener("open", () => (connected.value = true))
  opened.addEventListener("error", () => (connected.value = false))
  for (const name of Object.keys(handlers) as (keyof Events)[]) {
    const handle = handlers[name] as (event: unknown) => void
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => handle(JSON.parse(data)))
  }
  stream = opened
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
