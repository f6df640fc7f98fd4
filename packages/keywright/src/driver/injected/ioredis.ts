/* An injected ioredis 5 or 6: client or cluster.
 *
 * Each command is an ioredis Command of ours (see ioredis-tracking.ts), so that what was
 * written is known, and nothing is written twice. Replies arrive as Buffers, and become
 * text here unless bytes are requested; a status reply is bytes then, too. */

import { clientRefuses, connectionLost, notSent, refusedAgain } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Command, Driver, Reply, SubscribeTo, Wire } from "../driver.ts"
import { firstKey } from "../first-key.ts"
import type { Cancel } from "./cancel.ts"
import type { Courier, Ticket } from "./courier.ts"
import { InjectedDriver, type InjectedOptions } from "./injected-driver.ts"
import { commandName } from "./injected-call.ts"
import { untilReady } from "./until-ready.ts"
import { ownBytes, wholeNumber, withBuffers } from "./wire-buffers.ts"
import { exactly } from "./ioredis-integers.ts"
import type { IoCluster, IoCommandClass, IoRedis, IoRedisOptions } from "./ioredis-shape.ts"
import { commandClassOf, isIoCluster } from "./ioredis-shape.ts"
import type { ListeningConnection } from "./injected-subscription.ts"
import { CallTracking, isReply, replyIn, track } from "./ioredis-tracking.ts"
import { backoffMs } from "../resp/backoff.ts"
import { asResp2 } from "../reply-shape.ts"
import { serverError } from "../server-errors.ts"

/** What our own connections need, whatever the client's settings are. The nodes of a cluster do not reconnect. */
const OURS = {
  lazyConnect: false,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  // What is refused when ioredis renews subscriptions would end the process.
  autoResubscribe: false,
  retryStrategy: (times: number) => backoffMs(times),
  // The deadlines are ours. After `blockingTimeout`, ioredis says that nothing was taken, which may be wrong.
  blockingTimeout: undefined,
  commandTimeout: undefined,
  socketTimeout: undefined,
}

export function ioredisDriver(client: IoRedis | IoCluster, options: InjectedOptions): Driver {
  return new InjectedDriver(new IoCourier(client, false), options)
}

class IoCourier implements Courier {
  readonly kind = "ioredis"
  readonly label: string
  readonly cluster: boolean
  readonly db: number
  readonly #client: IoRedis | IoCluster
  readonly #ours: boolean
  readonly #Command: IoCommandClass
  /** Integers come as text, so that none is rounded. */
  readonly #exact: boolean
  /** What is called while it is not connected, and given up, would stay in its queue until it is connected. */
  readonly #keepsAll: boolean
  readonly #nodes = new WeakMap<IoRedis, IoCourier>()
  readonly #inAir = new Set<CallTracking>()
  readonly #resends: boolean
  /** Without resending ioredis forgets, on a lost connection, who waits for a reply. */
  readonly #onClose: () => void

  constructor(client: IoRedis | IoCluster, ours: boolean) {
    const options = optionsOf(client)
    const Command = commandClassOf(client)
    if (Command === undefined) throw clientRefuses("this ioredis client has no commands", "Use ioredis 5 or 6.")
    refuse(client, options)
    this.#client = client
    this.#ours = ours
    this.#Command = Command
    this.#exact = options.stringNumbers === true
    this.#keepsAll =
      options.maxRetriesPerRequest === null && options.enableOfflineQueue !== false && !options.commandTimeout
    this.#resends = options.autoResendUnfulfilledCommands !== false
    this.#onClose = () => {
      for (const flight of this.#inAir) flight.disconnected(this.#resends)
    }
    if (!isIoCluster(client)) client.on("close", this.#onClose)
    this.cluster = isIoCluster(client)
    this.db = isIoCluster(client) ? 0 : (client.condition?.select ?? options.db ?? 0)
    this.label = this.cluster ? "ioredis cluster" : `${addressOf(options)}/${this.db} (ioredis client)`
  }

  async one(command: Command, bytes: boolean, ticket: Ticket): Promise<Reply> {
    if (this.#keepsAll && this.#client.status !== "ready") await this.#ready(ticket, commandName(command))
    const flight = this.#take(ticket.signal, ticket.safe)
    const [sent, read] = this.#prepare(command, bytes)
    const { command: tracked, reply } = track(
      this.#Command,
      commandName(sent),
      withBuffers(sent.slice(1)),
      flight,
      true,
      this.#slotOf(firstKey(command)),
    )
    try {
      return read(await this.#carry(tracked, reply, ticket, flight))
    } catch (error) {
      throw this.#outcome(error, commandName(command), flight)
    } finally {
      this.#inAir.delete(flight)
    }
  }

  together<T>(work: (one: Courier["one"]) => Promise<T>): Promise<T> {
    return work((command, bytes, ticket) => this.one(command, bytes, ticket))
  }

  /** In a cluster, all of it goes to the node that has the first key. */
  async multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]> {
    await this.#ready(ticket, "MULTI")
    if (isIoCluster(this.#client)) {
      const node = this.#nodeOf(
        this.#client,
        commands.map(firstKey).find((found) => found !== undefined),
      )
      return this.#courierOf(node).multi(commands, bytes, ticket)
    }
    const flight = this.#take(ticket.signal, false)
    const prepared = commands.map((command) => this.#prepare(command, bytes))
    const tracked = [["MULTI"], ...prepared.map(([sent]) => sent), ["EXEC"]].map((command) =>
      track(this.#Command, commandName(command), withBuffers(command.slice(1)), flight, false),
    )
    const replies = tracked.map(({ command, reply }) =>
      this.#carry(command, reply, ticket, flight).then(
        (raw): unknown => raw,
        (error: unknown) => {
          if (error instanceof Error && isReply(error)) return error
          throw this.#outcome(error, "MULTI", flight)
        },
      ),
    )
    const settled = await Promise.allSettled(replies)
    this.#inAir.delete(flight)
    const raw = settled.map((result) => {
      if (result.status === "rejected") throw result.reason
      return result.value
    })
    try {
      const exec = raw.pop()
      const results = Array.isArray(exec)
        ? exec.map((item, i) => prepared[i]?.[1](item) as Reply)
        : readReply(exec, false)
      return [...raw.map((item) => readReply(item, false)), results]
    } catch (error) {
      throw this.#outcome(error, "MULTI", flight)
    }
  }

  listen({ channels = [], patterns = [], onMessage }: SubscribeTo, onLost: () => void): ListeningConnection {
    const client = this.#duplicate({ lazyConnect: true, retryStrategy: null })
    let failure: unknown
    client.on("error", (error: Error) => void (failure = error))
    client.on("message", (channel: string, text: string) => onMessage({ channel, text }))
    client.on("pmessage", (pattern: string, channel: string, text: string) => onMessage({ pattern, channel, text }))
    client.on("close", onLost)
    const open = async () => {
      // If the server refuses the user, ioredis says only that the connection is closed.
      await client.connect().catch((error: unknown) => Promise.reject(failure ?? error))
      if (channels.length > 0) await client.subscribe(...channels)
      if (patterns.length > 0) await client.psubscribe(...patterns)
    }
    return { opened: open(), ping: () => client.ping(), close: () => client.disconnect() }
  }

  async database(db: number): Promise<Courier> {
    return new IoCourier(this.#duplicate({ db }), true)
  }

  async dedicated(): Promise<Courier> {
    return new IoCourier(this.#duplicate({}), true)
  }

  async primaries(): Promise<readonly Courier[]> {
    return isIoCluster(this.#client) ? this.#client.nodes("master").map((node) => this.#courierOf(node)) : [this]
  }

  /** One for each node, however often it is asked for: each listens for the end of its connection. */
  #courierOf(node: IoRedis): IoCourier {
    let courier = this.#nodes.get(node)
    if (courier === undefined) this.#nodes.set(node, (courier = new IoCourier(node, false)))
    return courier
  }

  close(): void {
    if (isIoCluster(this.#client)) return
    this.#client.off("close", this.#onClose)
    if (this.#ours) this.#client.disconnect()
  }

  #ready(ticket: Ticket, command: string): Promise<void> {
    if (this.#client.status === "wait") this.#client.connect().catch(() => undefined)
    return untilReady(this.#client, ticket.signal, command, this.label)
  }

  #take(signal: Cancel, safe: boolean): CallTracking {
    const flight = new CallTracking(signal, safe)
    this.#inAir.add(flight)
    return flight
  }

  /** What to send, and how to read the reply. */
  #prepare(command: Command, bytes: boolean): [Command, (raw: unknown) => Reply] {
    const exact = this.#exact ? undefined : exactly(command)
    if (exact === undefined) return [command, (raw) => asResp2(command, readReply(raw, bytes))]
    return [
      exact,
      (raw) => {
        const reply = readReply(raw, false)
        return typeof reply === "string" ? wholeNumber(reply) : reply
      },
    ]
  }

  #slotOf(key: Wire | undefined): number | null | undefined {
    if (!this.cluster) return undefined
    return key === undefined ? null : clusterSlot(key)
  }

  #carry(
    command: ReturnType<typeof track>["command"],
    reply: Promise<unknown>,
    ticket: Ticket,
    flight: CallTracking,
  ): Promise<unknown> {
    // The same failure comes through `reply`, where it is read.
    this.#client.sendCommand(command).catch(() => undefined)
    return new Promise((resolve, reject) => {
      const late = () => {
        // Then ioredis keeps it until it is answered, on whichever connection.
        if (this.#resends) this.#inAir.delete(flight)
        if (!flight.sent && !flight.wasLost) reject(notSent("a command", this.label, ticket.signal.reason))
      }
      const settled = () => ticket.signal.removeEventListener("abort", late)
      reply.then(resolve, reject).then(settled)
      ticket.signal.addEventListener("abort", late)
    })
  }

  #outcome(error: unknown, command: string, flight: CallTracking): unknown {
    if (!(error instanceof Error) || error instanceof KeywrightError) return error
    const reply = replyIn(error)
    if (reply !== undefined) {
      const refusal = serverError(reply)
      return flight.wasLost ? refusedAgain(command, this.label, refusal) : refusal
    }
    return flight.sent || flight.wasLost
      ? connectionLost(command, this.label, error)
      : notSent(command, this.label, error)
  }

  /** The primary that has the key; without one any, because the client may not have noticed yet that one is gone. */
  #nodeOf(cluster: IoCluster, key: Wire | undefined): IoRedis {
    const nodes = cluster.nodes("master")
    const address = key === undefined ? undefined : cluster.slots[clusterSlot(key)]?.[0]
    const owner = nodes.find(({ options: { host, port } }) => `${host}:${port}` === address)
    const node = owner ?? nodes[Math.floor(Math.random() * nodes.length)]
    if (node === undefined) throw notSent("a command", this.label, new Error("the cluster client is not connected"))
    return node
  }

  #duplicate(overrides: object): IoRedis {
    const template = isIoCluster(this.#client) ? this.#nodeOf(this.#client, undefined) : this.#client
    const client = template.duplicate({ ...OURS, db: this.db, ...overrides })
    // An error event without a listener would be printed; each call reports what it means for that call.
    client.on("error", () => undefined)
    return client
  }
}

/** Strings are Buffers; with `stringNumbers`, integers are strings. */
function readReply(raw: unknown, bytes: boolean): Reply {
  if (Buffer.isBuffer(raw)) return bytes ? ownBytes(raw) : raw.toString("utf8")
  if (typeof raw === "string") return /^[+-]?\d+$/.test(raw) ? wholeNumber(raw) : raw
  if (typeof raw === "number" && !Number.isSafeInteger(raw)) return BigInt(raw)
  if (typeof raw === "boolean") return raw ? 1 : 0
  if (Array.isArray(raw)) return raw.map((item) => readReply(item, bytes))
  if (raw instanceof Error) return serverError(raw.message)
  return raw as Reply
}

function optionsOf(client: IoRedis | IoCluster): IoRedisOptions {
  return isIoCluster(client) ? (client.options.redisOptions ?? {}) : client.options
}

function refuse(client: IoRedis | IoCluster, options: IoRedisOptions): void {
  if (
    (options.keyPrefix !== undefined && options.keyPrefix !== "") ||
    ("keyPrefix" in client.options && client.options.keyPrefix)
  ) {
    throw clientRefuses(
      "the ioredis client adds a prefix to keys",
      "Declare the prefix in the schema, and leave out `keyPrefix`.",
    )
  }
  if (options.replyMapping === "resp3") {
    throw clientRefuses(
      'the ioredis client was made with replyMapping "resp3", which turns hashes into objects and rounds scores',
      'Leave `replyMapping` at "legacy".',
    )
  }
}

function addressOf({ host = "127.0.0.1", port = 6379, path, tls }: IoRedisOptions): string {
  if (path !== undefined && path !== null) return `unix://${path}`
  return `${tls === undefined || tls === null ? "redis" : "rediss"}://${host}:${port}`
}
