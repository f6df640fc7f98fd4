/* BGSAVE, watched to its end: the snapshot that is on disk afterwards is not older
 * than the call. A server that cannot fork is asked for SAVE, which blocks it. */

import { setTimeout as sleep } from "node:timers/promises"
import type { Driver, Reply } from "../driver/driver.ts"
import { saveFailed, saveTimedOut } from "../errors/backup.ts"
import { isKeywrightError } from "../errors/error.ts"
import { instantText } from "../inspect/model/told-by-server.ts"

export interface BackupOptions {
  readonly timeoutMs?: number
  /** How long a server may take to begin, unless it is rewriting its append-only file. Default: a minute. */
  readonly beginMs?: number
  readonly onProgress?: (progress: BackupProgress) => void
  readonly signal?: AbortSignal
}

export interface BackupProgress {
  /** The server's address. */
  readonly label: string
  readonly seconds: number
  /** Keys written so far and in all, where the server says so. */
  readonly keys: number | undefined
  readonly of: number | undefined
}

/**
 * What `backup` returns for each server.
 * @example
 * const line = ({ server, lastSave }: BackupResult) => `${server} saved at ${lastSave}`
 */
export interface BackupResult {
  readonly server: string
  readonly how: "BGSAVE" | "SAVE"
  /** When the snapshot was finished, by the server's clock. */
  readonly lastSave: string
  readonly seconds: number
}

const POLL_MS = 100

/**
 * Tells every primary to write its snapshot, one after another, and waits for each: BGSAVE, or SAVE where there is no fork.
 * @example
 * for (const { server, how, seconds } of await backup(db.$driver())) console.log(server, how, seconds)
 */
export async function backup(driver: Driver, options: BackupOptions = {}): Promise<BackupResult[]> {
  const results: BackupResult[] = []
  for (const node of await driver.primaries()) results.push(await save(node, options))
  return results
}

async function save(driver: Driver, options: BackupOptions): Promise<BackupResult> {
  const started = performance.now()
  const done = (how: BackupResult["how"], lastSave: number): BackupResult => ({
    server: driver.label,
    how,
    lastSave: instantText(lastSave * 1000),
    seconds: Math.round(performance.now() - started) / 1000,
  })
  const since = secondsOf(await driver.send(["TIME"]))
  await whileSaving(driver, started, options) // One that began before the call may lack what was written since.
  try {
    await driver.send(["BGSAVE", "SCHEDULE"])
  } catch (error) {
    if (!cannotFork(error)) throw error
    await driver.send(["SAVE"], { timeoutMs: options.timeoutMs ?? 3_600_000 })
    return done("SAVE", Number(await driver.send(["LASTSAVE"])))
  }
  for (let idleMs = 0; ; idleMs += POLL_MS) {
    const state = await whileSaving(driver, started, options)
    if (state["aof_rewrite_in_progress"] === "1" || state["aof_rewrite_scheduled"] === "1") idleMs = 0
    if (state["rdb_last_bgsave_status"] === "err") throw saveFailed("Its last BGSAVE ended with an error.")
    const lastSave = Number(await driver.send(["LASTSAVE"]))
    if (lastSave >= since) return done("BGSAVE", lastSave)
    if (idleMs > (options.beginMs ?? 60_000))
      throw saveFailed("It accepted BGSAVE but does not save, according to INFO and LASTSAVE.")
    await pause(started, options)
  }
}

/** The seconds in a reply to TIME; checked before anything is saved, since no save is ever newer than NaN. */
function secondsOf(reply: Reply): number {
  const seconds = Array.isArray(reply) && reply.length > 0 ? Number(reply[0]) : NaN
  if (!(seconds > 0))
    throw saveFailed("It does not say what time it is, so a new snapshot cannot be told from an old one.")
  return seconds
}

/** The embedded engine does not allow BGSAVE; other servers return their own error. */
const cannotFork = (error: unknown): boolean =>
  isKeywrightError(error) && /^SERVER\.(ERR|NOPERM)$/.test(error.code) && !/in progress/i.test(error.message)

async function whileSaving(driver: Driver, started: number, options: BackupOptions): Promise<Record<string, string>> {
  for (;;) {
    const state = persistenceOf(String(await driver.send(["INFO", "persistence"], { safe: true })))
    if (state["rdb_bgsave_in_progress"] !== "1") return state
    const [keys, of] = [state["current_save_keys_processed"], state["current_save_keys_total"]]
    options.onProgress?.({
      label: driver.label,
      seconds: (performance.now() - started) / 1000,
      keys: keys === undefined ? undefined : Number(keys),
      of: of === undefined ? undefined : Number(of),
    })
    await pause(started, options)
  }
}

async function pause(started: number, { timeoutMs = 3_600_000, signal }: BackupOptions): Promise<void> {
  if (performance.now() - started > timeoutMs) throw saveTimedOut(Math.round(timeoutMs / 1000))
  await sleep(POLL_MS, undefined, signal && { signal })
}

const persistenceOf = (info: string): Record<string, string> =>
  Object.fromEntries([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]))
