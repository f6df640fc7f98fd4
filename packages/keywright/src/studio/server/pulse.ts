/* How a server is: INFO, cheap enough to be asked every two seconds while somebody
 * looks. The points of its growth are kept, fewer of the older ones. */

import type { HistoryPoint, Pulse } from "../api.ts"
import type { EventHub } from "./event-hub.ts"
import type { OpenSystem } from "./open-system.ts"

const EVERY_MS = 2000
const MOST_POINTS = 600

export class PulseWatch {
  readonly #system: OpenSystem
  readonly #hub: EventHub
  #last: Pulse | undefined
  #points: HistoryPoint[] = []
  #timer: NodeJS.Timeout | undefined
  #asked: Promise<Pulse> | undefined

  constructor(system: OpenSystem, hub: EventHub) {
    this.#system = system
    this.#hub = hub
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#hub.watched) void this.#ask()
    }, EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  get history(): readonly HistoryPoint[] {
    return this.#points
  }

  /** Not older than the interval. */
  async now(): Promise<Pulse> {
    if (this.#last !== undefined && Date.now() - Date.parse(this.#last.at) < EVERY_MS) return this.#last
    return this.#ask()
  }

  #ask(): Promise<Pulse> {
    this.#asked ??= this.#read().finally(() => (this.#asked = undefined))
    return this.#asked
  }

  async #read(): Promise<Pulse> {
    const { name, driver, databases } = this.#system
    const at = new Date().toISOString()
    try {
      const info = readInfo(String(await driver.send(["INFO"], { safe: true, timeoutMs: 3000 })))
      const number = (field: string) => Number(info.get(field) ?? 0)
      this.#last = {
        system: name,
        at,
        up: true,
        flavour: info.has("valkey_version") ? "valkey" : "redis",
        version: info.get("valkey_version") ?? info.get("redis_version") ?? "",
        uptimeSeconds: number("uptime_in_seconds"),
        usedMemory: number("used_memory"),
        maxMemory: number("maxmemory"),
        opsPerSecond: number("instantaneous_ops_per_sec"),
        clients: number("connected_clients"),
        databases: databases.map(({ db }) => {
          const [, keys = "0", expires = "0"] = /keys=(\d+),expires=(\d+)/.exec(info.get(`db${db}`) ?? "") ?? []
          return { db, keys: Number(keys), expires: Number(expires) }
        }),
      }
      this.#keep(this.#last)
    } catch {
      this.#last = { ...(this.#last ?? nothing(name)), at, up: false } // What is reported is that it does not answer.
    }
    this.#hub.emit("pulse", this.#last)
    return this.#last
  }

  #keep({ at, usedMemory, databases }: Pulse): void {
    const keys = databases.reduce((sum, one) => sum + one.keys, 0)
    this.#points.push({ at, usedMemory, keys })
    // Every second point of the older half goes.
    if (this.#points.length > MOST_POINTS)
      this.#points = this.#points.filter((_, i) => i >= MOST_POINTS / 2 || i % 2 === 0)
  }
}

const nothing = (system: string): Pulse => ({
  system,
  at: "",
  up: false,
  flavour: "",
  version: "",
  uptimeSeconds: 0,
  usedMemory: 0,
  maxMemory: 0,
  opsPerSecond: 0,
  clients: 0,
  databases: [],
})

function readInfo(text: string): Map<string, string> {
  const facts = new Map<string, string>()
  for (const [, name, value] of text.matchAll(/^([\w-]+):(.*?)\r?$/gm)) facts.set(name!, value!)
  return facts
}
