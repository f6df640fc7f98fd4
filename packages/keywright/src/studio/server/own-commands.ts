/* What the studio itself asks of a server, so that the live view can leave it out: an
 * engine's clients and those of a unix socket have no address to identify them by. While
 * somebody watches, each command that is sent is noted, and taken off the list when it
 * passes by. */

import type { Command, Driver, Wire } from "../../driver/driver.ts"
import { firstKey } from "../../driver/first-key.ts"
import { wrapDriver } from "../../driver/wrap-driver.ts"

/** Commands pass by at once, or outside of a sample and never. */
const KEPT_MS = 2000
const MOST = 20_000

export class OwnCommands {
  #watchers = 0
  #sent = new Map<string, number[]>()
  #count = 0

  start(): void {
    this.#watchers++
  }

  stop(): void {
    this.#watchers--
    this.#forget()
  }

  /** Whether the studio sent it, once for each time that it did. */
  take(db: number, name: string, key: string | undefined): boolean {
    const id = `${db} ${name} ${key ?? ""}`
    const times = this.#sent.get(id) ?? []
    while (times.length > 0) {
      this.#count--
      const isRecent = performance.now() - times.shift()! < KEPT_MS
      if (times.length === 0) this.#sent.delete(id)
      if (isRecent) return true
    }
    return false
  }

  /** The same driver; what it sends is noted. */
  noting(driver: Driver): Driver {
    const note = (commands: readonly Command[]) => {
      if (this.#watchers > 0) for (const command of commands) this.#note(driver.db, command)
    }
    return wrapDriver(driver, (other) => this.noting(other), {
      send: (command, options) => (note([command]), driver.send(command, options)),
      batch: (commands, options) => (note(commands), driver.batch(commands, options)),
      multi: (commands, options) => (note([["MULTI"], ...commands, ["EXEC"]]), driver.multi(commands, options)),
    })
  }

  #note(db: number, command: Command): void {
    if (this.#count >= MOST) this.#forget()
    const key = firstKey(command) as Wire | undefined
    const id = `${db} ${String(command[0]).toLowerCase()} ${key === undefined ? "" : asMonitored(key)}`
    const times = this.#sent.get(id)
    if (times === undefined) this.#sent.set(id, [performance.now()])
    else times.push(performance.now())
    this.#count++
  }

  #forget(): void {
    this.#sent = new Map()
    this.#count = 0
  }
}

/** A key as a line of MONITOR is read: bytes that are not text lose their difference there. */
const asMonitored = (key: Wire): string => (typeof key === "string" ? key : Buffer.from(key).toString())
