/* Our own connection as a Driver: over a socket, or over the embedded engine. If the server
 * turns out to be a node of a cluster, the calls of the same driver go through a router;
 * otherwise there is no router. */

import { randomUUID } from "node:crypto"
import { guarded } from "../guarded-listener.ts"
import { trackedSubscription } from "../tracked-subscription.ts"
import { notAMember } from "../../errors/cluster.ts"
import { driverClosed, noSuchDatabase } from "../../errors/driver.ts"
import { Refused } from "../../errors/outcome.ts"
import { SAFE } from "../safe.ts"
import { Cluster, type ClusterOptions } from "../cluster/cluster.ts"
import type { Router } from "../cluster/router.ts"
import { subscribeInCluster } from "../cluster/subscribe.ts"
import type {
  CallOptions,
  Command,
  Driver,
  Reply,
  ReplyReader,
  Script,
  SentinelView,
  ServerFacts,
  SubscribeTo,
  Subscription,
  Transport,
  Wire,
} from "../driver.ts"
import type { SlotState } from "../scan-nodes.ts"
import { factsFromInfo } from "../server-facts.ts"
import { refusalAmong, refusalOf } from "../shared-commands.ts"
import { Connection, type ConnectionOptions } from "./connection.ts"
import type { Dial } from "./dialler.ts"
import type { Greeted } from "./link.ts"
import { subscribeOver } from "./subscriber.ts"

export interface RespDriverOptions extends Omit<ConnectionOptions, "label"> {
  readonly kind: "resp" | "embedded"
  /** How a label is made for each database. */
  readonly labelOf: (db: number) => string
  /** How to speak to a cluster, should the server be a node of one; undefined: it is treated as a single server. */
  readonly inCluster?: Omit<ClusterOptions, "label" | "connection"> | undefined
  /** Why a cluster is not to be used, should the server be a node of one. */
  readonly refuseCluster?: (() => Error | undefined) | undefined
  /** The sentinels, if this is a primary that they watch. */
  readonly sentinels?: (() => Promise<readonly SentinelView[]>) | undefined
  /** What stands before the connection, if anything does. */
  readonly before?: ((connection: Connection, options: ConnectionOptions) => Calls) | undefined
}

/** What takes the calls of a driver: a connection, or what is in front of several. */
export type Calls = Pick<Connection, "call" | "close">

/** Where the calls of a driver go, if not to its own connection. */
interface CallTarget {
  readonly calls: Calls
  /** What they go through; closed with the driver only if it is its own. */
  readonly cluster?: Cluster
  readonly label: string
  readonly close: () => Promise<void>
  readonly dial?: Dial
}

export class RespDriver implements Driver {
  readonly label: string
  readonly kind: "resp" | "embedded"
  /** Known once the server was greeted. */
  cluster = false
  readonly db: number
  readonly timeoutMs: number
  readonly sentinels?: () => Promise<readonly SentinelView[]>
  readonly #options: RespDriverOptions
  readonly #databases = new Map<number, Promise<RespDriver>>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #dial: Dial
  #calls: Calls
  #cluster: Cluster | undefined
  #close: () => Promise<void>
  readonly #whenReady: Promise<void>
  #isReady: () => void = () => undefined
  #isClosed = false

  constructor(options: RespDriverOptions, given?: CallTarget) {
    this.kind = options.kind
    this.db = options.db
    this.timeoutMs = options.timeoutMs
    this.label = given?.label ?? options.labelOf(options.db)
    if (options.sentinels !== undefined) this.sentinels = options.sentinels
    this.#options = options
    this.#dial = given?.dial ?? options.dial
    this.#whenReady = new Promise((resolve) => (this.#isReady = resolve))
    this.#cluster = given?.cluster
    this.cluster = given?.cluster !== undefined
    this.#calls = given?.calls ?? this.#connect()
    this.#close = given?.close ?? (() => this.#calls.close())
    if (given !== undefined || options.inCluster === undefined) this.#isReady()
  }

  ready(): Promise<void> {
    return this.#whenReady
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#calls.call("one", command, undefined, undefined, options)
  }

  ask<T>(command: Command, reader: ReplyReader<T>, options?: CallOptions): Promise<T> {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return Promise.reject(reader.failed(refusal))
    return this.#calls.call("one", command, undefined, undefined, options, reader) as Promise<unknown> as Promise<T>
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
    return this.#calls.call("script", words, undefined, script, options)
  }

  async subscribe(given: SubscribeTo): Promise<Subscription> {
    const to = guarded(given)
    this.#refuseClosed("SUBSCRIBE")
    await this.#whenReady
    const inner = await (this.#cluster === undefined
      ? subscribeOver(this.#connectionOptions(false), to)
      : subscribeInCluster(this.#cluster, to))
    if (this.#isClosed) await inner.close()
    this.#refuseClosed("SUBSCRIBE")
    return trackedSubscription(inner, this.#subscriptions)
  }

  async database(db: number): Promise<Driver> {
    if (db === this.db) return this
    if (!Number.isInteger(db) || db < 0) throw noSuchDatabase(db, this.label)
    this.#refuseClosed("SELECT")
    await this.#whenReady
    let driver = this.#databases.get(db)
    if (driver === undefined) {
      driver = this.#openDatabase(db)
      this.#databases.set(db, driver)
      driver.catch(() => this.#databases.delete(db))
    }
    return driver
  }

  async dedicated(): Promise<Driver> {
    await this.#whenReady
    const cluster = this.#cluster
    // Commands that wait are silent for as long as they wait.
    const { overseer } = this.#options
    const patient = overseer && { ...overseer, silenceMs: Infinity }
    const name = `keywright-${randomUUID()}`
    if (cluster === undefined)
      return new RespDriver({ ...this.#options, name, inCluster: undefined, overseer: patient })
    const router = cluster.newRouter(() => Infinity, this.db, name)
    return new RespDriver(this.#options, { calls: router, cluster, label: this.label, close: () => router.close() })
  }

  async primaries(): Promise<readonly Driver[]> {
    await this.#whenReady
    const cluster = this.#cluster
    if (cluster === undefined) return [this]
    // A client that has just connected knows only the addresses it was given: the first node that answers provides the
    // rest.
    if (cluster.topology.primaries.length === 0) await this.send(["PING"], SAFE)
    return cluster.topology.primaries.map((node) => {
      const calls = cluster.router.on(node)
      const dial = this.#options.inCluster?.dial(node.endpoint)
      return new RespDriver(this.#options, {
        calls,
        label: calls.label,
        close: () => Promise.resolve(),
        ...(dial && { dial }),
      })
    })
  }

  async slots(): Promise<SlotState> {
    await this.#whenReady
    if (this.#cluster === undefined) return { nodes: [0], owners: [], moving: new Map() }
    return this.#cluster.slots(this.#calls as Router)
  }

  dial(signal: AbortSignal): Promise<Transport> {
    return this.#dial(signal)
  }

  async facts(): Promise<ServerFacts> {
    return factsFromInfo(String(await this.send(["INFO"], SAFE)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const databases = await Promise.allSettled(this.#databases.values())
    const opened = databases.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    const parts = [...opened, ...this.#subscriptions]
    this.#databases.clear()
    await Promise.all([this.#close(), ...parts.map((part) => part.close())])
  }

  /** What is opened after that, nobody would close. */
  #refuseClosed(command: string): void {
    if (this.#isClosed) throw driverClosed(command, this.label)
  }

  #several(kind: "batch" | "multi", commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    const [first] = commands
    if (first === undefined) return Promise.resolve([])
    const refusal = refusalAmong(commands)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#calls.call(kind, first, commands, undefined, options) as Promise<Reply[]>
  }

  #connect(): Calls {
    const options = this.#connectionOptions(true)
    const connection = new Connection(options)
    return this.#options.before?.(connection, options) ?? connection
  }

  async #openDatabase(db: number): Promise<RespDriver> {
    const cluster = this.#cluster
    if (cluster === undefined) return new RespDriver({ ...this.#options, db, inCluster: undefined })
    const router = cluster.newRouter(undefined, db)
    const options = { ...this.#options, db }
    const label = this.#options.labelOf(db)
    const driver = new RespDriver(options, { calls: router, cluster, label, close: () => router.close() })
    try {
      // Redis has one database in a cluster; Valkey from 9 on may have more.
      await driver.send(["PING"], SAFE)
      return driver
    } catch (error) {
      await driver.close()
      throw error instanceof Refused ? noSuchDatabase(db, this.label, error) : error
    }
  }

  #connectionOptions(isFirst: boolean): ConnectionOptions {
    const { inCluster, refuseCluster: _, before: __, sentinels: ___, ...options } = this.#options
    if (!isFirst || inCluster === undefined) return { ...options, label: this.label }
    return {
      ...options,
      label: this.label,
      asksWho: true,
      onGreeted: (greeted) => this.#greeted(greeted),
      // Its identity becomes known when it can be reached.
      onNotLinked: () => this.#isReady(),
    }
  }

  #greeted({ mode }: Greeted): Error | undefined {
    const { inCluster, refuseCluster } = this.#options
    if (inCluster === undefined || this.#cluster !== undefined) return undefined
    if (mode !== "cluster") {
      this.#isReady()
      return inCluster.seeds.length > 1 ? notAMember(this.label) : undefined
    }
    const refused = refuseCluster?.()
    if (refused !== undefined) {
      this.#isReady()
      return refused
    }
    const { onGreeted: _, onNotLinked: __, dial: ___, label, ...connection } = this.#connectionOptions(false)
    const seed = this.#calls as Connection
    const cluster = new Cluster({ ...inCluster, label, connection })
    this.#cluster = cluster
    this.#calls = cluster.router
    this.#close = () => cluster.close()
    this.cluster = true
    for (const call of seed.takeQueued()) cluster.router.adopt(call)
    void seed.close()
    this.#isReady()
    return new Error("the server is a node of a cluster")
  }
}
