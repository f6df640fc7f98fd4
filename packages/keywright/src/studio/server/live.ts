/* Live commands of one system: sampled with MONITOR while somebody wants to see them, and
 * at no other time. What is reported of a command is its name, its pattern and its key
 * with secrets hidden; never a value. */

import { setTimeout as sleep } from "node:timers/promises"
import { type SeenCommand, top, type TopOptions } from "../../inspect/stats/top.ts"
import type { LiveCommand, LiveFrame } from "../api.ts"
import { failureOf } from "./answer.ts"
import type { EventHub } from "./event-hub.ts"
import type { OpenSystem } from "./open-system.ts"

const INTERVAL_MS = 1000
/** MONITOR costs a busy server something: on one that is not of this process it runs a part of the time. */
const SAMPLE = 0.25
const COMMANDS_AT_ONCE = 60
const AGAIN_MS = 3000

const NOTHING = {
  seconds: 0,
  perSecond: null,
  sample: { seconds: 0, seen: 0, lost: 0, cut: null },
  rows: [],
} as const

export class LiveWatch {
  readonly #system: OpenSystem
  readonly #hub: EventHub
  /** Other systems live on the same server: only commands in this one's databases count. */
  readonly #isShared: boolean
  #stopping: AbortController | undefined
  #work: Promise<void> = Promise.resolve()
  #commands: LiveCommand[] = []
  #more = 0

  constructor(system: OpenSystem, hub: EventHub, isShared: boolean) {
    this.#system = system
    this.#hub = hub
    this.#isShared = isShared
  }

  /** Starts or ends it, as it is wanted. */
  update(): void {
    const isWanted = this.#hub.wantsLive(this.#system.name)
    if (isWanted && this.#stopping === undefined) {
      this.#stopping = new AbortController()
      const { signal } = this.#stopping
      this.#work = this.#work.then(() => this.#watch(signal))
    } else if (!isWanted) this.#end()
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#work
  }

  #end(): void {
    this.#stopping?.abort()
    this.#stopping = undefined
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { own } = this.#system
    own.start()
    try {
      while (!signal.aborted) await this.#frames(signal)
    } finally {
      own.stop()
      ;[this.#commands, this.#more] = [[], 0]
    }
  }

  /** Frames until it ends; problems are reported, and after a while it tries again. */
  async #frames(signal: AbortSignal): Promise<void> {
    const { keyspace, driver, monitored, databases, own } = this.#system
    const options: TopOptions = {
      intervalMs: INTERVAL_MS,
      sample: driver.kind === "embedded" ? 0.95 : SAMPLE,
      signal,
      ignores: ({ db, name, key }) => own.take(db, name, key),
      onCommand: (command) => this.#note(command),
      ...(this.#isShared && { databases: databases.map(({ db }) => db) }),
    }
    try {
      for await (const frame of top(keyspace, { driver, url: monitored }, options)) {
        if (signal.aborted) return
        this.#tell({ ...frame, rows: frame.rows.map((row) => ({ ...row, ...this.#nameOf(row.pattern) })) })
        this.#flush()
      }
    } catch (error) {
      if (signal.aborted) return
      this.#tell({ ...NOTHING, at: new Date().toISOString(), error: failureOf(error).error })
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  #tell(frame: Omit<LiveFrame, "system">): void {
    const system = this.#system.name
    this.#hub.emit("live", { ...frame, system }, ({ live }) => live.has(system))
  }

  #nameOf(pattern: string | null): { name?: string } {
    if (pattern === null) return {}
    for (const row of this.#system.model.keys.values())
      if (row.declared.pattern === pattern) return { name: this.#system.nameOf(row) }
    return {}
  }

  #note({ db, name, key, script }: SeenCommand): void {
    if (this.#commands.length >= COMMANDS_AT_ONCE) {
      this.#more++
      return
    }
    const link = key === undefined ? undefined : this.#system.link(db, key)
    const row = link?.name === undefined ? undefined : this.#system.rowNamed(link.name)
    this.#commands.push({
      at: new Date().toISOString(),
      db,
      command: name,
      script,
      ...(link !== undefined && { key: link.key }),
      ...(link?.name !== undefined && { name: link.name }),
      ...(row !== undefined && { pattern: row.declared.pattern }),
    })
  }

  #flush(): void {
    const { name } = this.#system
    const [commands, more] = [this.#commands, this.#more]
    ;[this.#commands, this.#more] = [[], 0]
    if (commands.length > 0) this.#hub.emit("commands", { system: name, commands, more }, ({ live }) => live.has(name))
  }
}
