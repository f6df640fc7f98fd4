/* Our own connection as a Driver: over a socket, or over the embedded engine. */

import { noSuchDatabase } from "../../errors/driver.ts"
import { SAFE } from "../safe.ts"
import type {
  CallOptions,
  Command,
  Driver,
  Reply,
  ReplyReader,
  Script,
  ServerFacts,
  SubscribeTo,
  Subscription,
  Wire,
} from "../driver.ts"
import { factsFromInfo } from "../server-facts.ts"
import { refusalAmong, refusalOf } from "../shared-commands.ts"
import { Connection, type ConnectionOptions } from "./connection.ts"
import { subscribeOver } from "./subscriber.ts"

/** How a label is made for each database. */
export interface RespDriverOptions extends Omit<ConnectionOptions, "label"> {
  readonly kind: "resp" | "embedded"
  readonly labelOf: (db: number) => string
}

export class RespDriver implements Driver {
  readonly label: string
  readonly kind: "resp" | "embedded"
  readonly cluster = false
  readonly db: number
  readonly timeoutMs: number
  readonly #options: RespDriverOptions
  readonly #connection: Connection
  readonly #databases = new Map<number, RespDriver>()
  readonly #subscriptions = new Set<Subscription>()

  constructor(options: RespDriverOptions) {
    this.kind = options.kind
    this.db = options.db
    this.timeoutMs = options.timeoutMs
    this.label = options.labelOf(options.db)
    this.#options = options
    this.#connection = new Connection(this.#connectionOptions())
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#connection.call("one", command, undefined, undefined, options)
  }

  ask<T>(command: Command, reader: ReplyReader<T>, options?: CallOptions): Promise<T> {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return Promise.reject(reader.failed(refusal))
    return this.#connection.call(
      "one",
      command,
      undefined,
      undefined,
      options,
      reader,
    ) as Promise<unknown> as Promise<T>
  }

  batch(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return this.#several("batch", commands, options)
  }

  multi(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return this.#several("multi", commands, options)
  }

  run(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    const words = [String(keys.length), ...keys, ...args]
    const refusal = refusalOf(words)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#connection.call("script", words, undefined, script, options)
  }

  async subscribe(to: SubscribeTo): Promise<Subscription> {
    const inner = await subscribeOver(this.#connectionOptions(), to)
    const subscription: Subscription = {
      close: () => {
        this.#subscriptions.delete(subscription)
        return inner.close()
      },
    }
    this.#subscriptions.add(subscription)
    return subscription
  }

  async database(db: number): Promise<Driver> {
    if (db === this.db) return this
    if (!Number.isInteger(db) || db < 0) throw noSuchDatabase(db, this.label)
    let driver = this.#databases.get(db)
    if (driver === undefined) {
      driver = new RespDriver({ ...this.#options, db })
      this.#databases.set(db, driver)
    }
    return driver
  }

  async dedicated(): Promise<Driver> {
    return new RespDriver(this.#options)
  }

  async primaries(): Promise<readonly Driver[]> {
    return [this]
  }

  async facts(): Promise<ServerFacts> {
    return factsFromInfo(String(await this.send(["INFO"], SAFE)))
  }

  async close(): Promise<void> {
    const parts = [...this.#databases.values(), ...this.#subscriptions]
    this.#databases.clear()
    await Promise.all([this.#connection.close(), ...parts.map((part) => part.close())])
  }

  #several(kind: "batch" | "multi", commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    const [first] = commands
    if (first === undefined) return Promise.resolve([])
    const refusal = refusalAmong(commands)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#connection.call(kind, first, commands, undefined, options) as Promise<Reply[]>
  }

  #connectionOptions(): ConnectionOptions {
    return { ...this.#options, label: this.label }
  }
}
