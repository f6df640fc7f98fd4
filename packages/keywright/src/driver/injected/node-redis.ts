/* An injected node-redis 5 or 6: client, pool or cluster.
 *
 * Whether a command was written decides what its failure means. node-redis never
 * sends one twice, and takes one out of its queue when its signal is aborted, if
 * it is not written yet: then it is certain that nothing was applied. All other
 * failures that are not error replies leave the outcome open. Its own `multi()`
 * decodes the reply of EXEC without the command's type mapping, so MULTI, the
 * commands and EXEC are sent as a chain. */

import { clientRefuses, connectionLost, notSent } from "../../errors/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Command, Driver, Reply, SubscribeTo, Wire } from "../driver.ts"
import { firstKey } from "../first-key.ts"
import { Cancel } from "./cancel.ts"
import type { Courier, Ticket } from "./courier.ts"
import { InjectedDriver, type InjectedOptions } from "./injected-driver.ts"
import { commandName } from "./injected-call.ts"
import type { ListeningConnection } from "./injected-subscription.ts"
import { inStep } from "./in-step.ts"
import { untilReady } from "./until-ready.ts"
import { withBuffers } from "./wire-buffers.ts"
import { RawMapping, readRaw } from "./node-redis-replies.ts"
import type {
  ClientOptions,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisPool,
  SendOptions,
} from "./node-redis-shape.ts"
import { isNodeRedisCluster, isNodeRedisPool } from "./node-redis-shape.ts"
import { backoffMs } from "../resp/backoff.ts"
import { asResp2 } from "../reply-shape.ts"
import { looksLikeReply, serverError } from "../server-errors.ts"

const PLAIN: SendOptions = { typeMapping: {}, timeout: 0, asap: false }

type Sender = (args: readonly (string | Buffer)[], options: SendOptions) => Promise<unknown>

/** `client` is what `createClient`, `createClientPool` or `createCluster` returned. */
export function nodeRedisDriver(
  client: NodeRedisClient | NodeRedisPool | NodeRedisCluster,
  options: InjectedOptions,
): Driver {
  return new InjectedDriver(courierOf(client), options)
}

function courierOf(client: NodeRedisClient | NodeRedisPool | NodeRedisCluster): Courier {
  if (isNodeRedisCluster(client)) return new ClusterCourier(client)
  return isNodeRedisPool(client) ? new PoolCourier(client) : new ClientCourier(client)
}

abstract class NodeRedisCourier implements Courier {
  readonly kind = "node-redis"
  abstract readonly label: string
  abstract readonly cluster: boolean
  abstract readonly db: number

  one(command: Command, bytes: boolean, ticket: Ticket): Promise<Reply> {
    return this.deliver((args, options) => this.route(command, args, options), command, bytes, ticket.signal)
  }

  together<T>(work: (one: Courier["one"]) => Promise<T>, _signal: Cancel): Promise<T> {
    return work((command, bytes, ticket) => this.one(command, bytes, ticket))
  }

  /** Sends one command, and reads the reply or the failure. */
  protected async deliver(
    send: Sender,
    command: Command,
    bytes: boolean,
    abortSignal?: Cancel,
    chainId?: symbol,
    shape: (reply: Reply) => Reply = (reply) => asResp2(command, reply),
  ): Promise<Reply> {
    const typeMapping = new RawMapping()
    const options: SendOptions = {
      typeMapping,
      timeout: 0,
      asap: false,
      ...(abortSignal === undefined ? {} : { abortSignal }),
      ...(chainId === undefined ? {} : { chainId }),
    }
    try {
      return shape(readRaw(await send(withBuffers(command), options), bytes, typeMapping.notes))
    } catch (error) {
      throw outcomeOf(error, commandName(command), this.label)
    }
  }

  /**
   * MULTI, the commands and EXEC on one client, with nothing in between. If the queue has no room for all of them, those
   * that it took are taken back: nothing is written before this turn of the event loop is over.
   */
  protected async chain(client: NodeRedisClient, commands: readonly Command[], bytes: boolean): Promise<Reply[]> {
    const chainId = Symbol("keywright")
    const send: Sender = (args, options) => client.sendCommand(args, options)
    const shaped = (reply: Reply): Reply =>
      Array.isArray(reply) ? reply.map((item: Reply, i) => asResp2(commands[i] ?? [], item)) : reply
    const whole = new Cancel()
    const all = () => {
      const replies = [["MULTI"], ...commands, ["EXEC"]].map((command) =>
        this.deliver(send, command, bytes, whole, chainId, shaped).catch((error: KeywrightError) => {
          if (error.code.startsWith("SERVER.")) return error
          if (error.code === "DRIVER.NOT_SENT") whole.abort(error)
          throw whole.reason ?? error
        }),
      )
      return Promise.allSettled(replies).then(() => Promise.all(replies))
    }
    return inStep(client)
      .answerTo(all, (word) => send(["ECHO", word], PLAIN))
      .catch((error: unknown) => Promise.reject(outcomeOf(error, "MULTI", this.label)))
  }

  listen({ channels = [], patterns = [], onMessage }: SubscribeTo, onLost: () => void): ListeningConnection {
    let own: OwnClient | undefined
    let end: ((error: Error) => void) | undefined
    const closed = new Promise<never>((_, reject) => (end = reject))
    const open = async () => {
      own = ownClient(await Promise.race([this.template(), closed]), {}, false)
      const { client } = own
      client.on("error", onLost)
      await Promise.race([own.connected, closed])
      if (channels.length > 0) await client.subscribe(channels, (text, channel) => onMessage({ channel, text }))
      for (const pattern of patterns)
        await client.pSubscribe([pattern], (text, channel) => onMessage({ pattern, channel, text }))
    }
    return {
      opened: open(),
      ping: async () => own?.client.sendCommand(["PING"], PLAIN),
      close: () => {
        end?.(new Error("it was closed"))
        own?.close()
      },
    }
  }

  database(db: number): Promise<Courier> {
    return this.#own({ database: db })
  }

  dedicated(): Promise<Courier> {
    return this.#own({})
  }

  primaries(): Promise<readonly Courier[]> {
    return Promise.resolve([this])
  }

  close(): void {
    // The client was passed in: it stays open.
  }

  /** Commands wait in it until it is connected. */
  async #own(overrides: object): Promise<Courier> {
    const { client, connected, close } = ownClient(await this.template(), overrides, true)
    // Why it cannot connect does not matter here: each call on it ends with its own outcome.
    connected.catch(() => undefined)
    return new ClientCourier(client, close)
  }

  abstract multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]>
  protected abstract route(command: Command, args: readonly (string | Buffer)[], options: SendOptions): Promise<unknown>
  /** A client to duplicate. */
  protected abstract template(): Promise<NodeRedisClient>
}

class ClientCourier extends NodeRedisCourier {
  readonly label: string
  readonly cluster = false
  readonly db: number
  readonly #client: NodeRedisClient
  readonly #end: (() => void) | undefined

  /** `end` closes it, if it is ours. */
  constructor(client: NodeRedisClient, end?: () => void) {
    super()
    refusePrefix(client.options)
    this.#client = client
    this.#end = end
    this.db = databaseOf(client.options)
    this.label = `${addressOf(client.options)}/${this.db} (node-redis client)`
  }

  async multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]> {
    await untilReady(this.#client, ticket.signal, "MULTI", this.label)
    return this.chain(this.#client, commands, bytes)
  }

  override close(): void {
    this.#end?.()
  }

  protected route(_command: Command, args: readonly (string | Buffer)[], options: SendOptions): Promise<unknown> {
    return sendInStep(this.#client, args, options)
  }

  protected template(): Promise<NodeRedisClient> {
    return Promise.resolve(this.#client)
  }
}

class PoolCourier extends NodeRedisCourier {
  readonly label: string
  readonly cluster = false
  readonly db: number
  readonly #pool: NodeRedisPool

  constructor(pool: NodeRedisPool) {
    super()
    this.#pool = pool
    // A pool does not show its settings, but its clients do.
    let options: ClientOptions | undefined
    if (pool.idleClients > 0) pool.execute((client) => (options = client.options)).catch(() => undefined)
    this.db = databaseOf(options)
    this.label = `database ${this.db} (node-redis pool)`
  }

  override together<T>(work: (one: Courier["one"]) => Promise<T>, signal: Cancel): Promise<T> {
    return this.#on(signal, (client) => {
      const send: Sender = (args, options) => sendInStep(client, args, options)
      return work((command, bytes, ticket) => this.deliver(send, command, bytes, ticket.signal))
    })
  }

  multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]> {
    return this.#on(ticket.signal, async (client) => {
      await untilReady(client, ticket.signal, "MULTI", this.label)
      return this.chain(client, commands, bytes)
    })
  }

  protected route(_command: Command, args: readonly (string | Buffer)[], options: SendOptions): Promise<unknown> {
    return this.#on(options.abortSignal, (client) => sendInStep(client, args, options))
  }

  protected template(): Promise<NodeRedisClient> {
    return this.#on(undefined, (client) => Promise.resolve(client))
  }

  /** What is given up before one of its clients is free was not sent. */
  #on<T>(signal: Cancel | undefined, work: (client: NodeRedisClient) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(notSent("a command", this.label, signal?.reason))
      const begin = (client: NodeRedisClient) => {
        signal?.removeEventListener("abort", late)
        return databaseOf(client.options) === this.db
          ? work(client)
          : Promise.reject(poolOfDatabase(databaseOf(client.options)))
      }
      signal?.addEventListener("abort", late)
      this.#pool.execute(begin).then(resolve, reject)
    })
  }
}

class ClusterCourier extends NodeRedisCourier {
  readonly label = "node-redis cluster"
  readonly cluster = true
  readonly db = 0
  readonly #cluster: NodeRedisCluster

  constructor(cluster: NodeRedisCluster) {
    super()
    this.#cluster = cluster
  }

  async multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]> {
    const client = await this.#clientOf(
      commands.map(firstKey).find((found) => found !== undefined),
      ticket.signal,
    )
    await untilReady(client, ticket.signal, "MULTI", this.label)
    return this.chain(client, commands, bytes)
  }

  override async primaries(): Promise<readonly Courier[]> {
    const clients = await Promise.all(this.#cluster.masters.map((node) => this.#cluster.nodeClient(node)))
    return clients.map((client) => new ClientCourier(client))
  }

  protected async route(command: Command, args: readonly (string | Buffer)[], options: SendOptions): Promise<unknown> {
    const key = firstKey(command)
    const client = await this.#clientOf(key, options.abortSignal)
    if (key === undefined) return sendInStep(client, args, options)
    const [routing] = withBuffers([key])
    // By the cluster client, which follows redirects.
    const send = () => this.#cluster.sendCommand(routing as string | Buffer, false, args, options)
    return sendInStep(client, args, options, send)
  }

  /** Of the node that has the key, as far as the cluster client knows. Until it is connected, nothing was sent to it. */
  #clientOf(key: Wire | undefined, signal: Cancel | undefined): Promise<NodeRedisClient> {
    const node = key === undefined ? undefined : this.#cluster.slots[clusterSlot(key)]?.master
    const connected = async () => (node === undefined ? this.template() : this.#cluster.nodeClient(node))
    return new Promise<NodeRedisClient>((resolve, reject) => {
      const fail = (error: unknown) => reject(notSent("a command", this.label, error))
      const late = () => fail(signal?.reason)
      const settled = () => signal?.removeEventListener("abort", late)
      signal?.addEventListener("abort", late)
      connected().then(resolve, fail).then(settled)
    })
  }

  protected async template(): Promise<NodeRedisClient> {
    const { masters } = this.#cluster
    // Any: the client may not have noticed yet that one is gone.
    const node = masters[Math.floor(Math.random() * masters.length)]
    if (node === undefined) throw new Error("the cluster client is not connected")
    return this.#cluster.nodeClient(node)
  }
}

const sendInStep = (
  client: NodeRedisClient,
  args: readonly (string | Buffer)[],
  options: SendOptions,
  send = () => client.sendCommand(args, options),
) => inStep(client).answerTo(send, (word) => client.sendCommand(["ECHO", word], { ...options, typeMapping: {} }))

interface OwnClient {
  readonly client: NodeRedisClient
  readonly connected: Promise<unknown>
  close(): void
}

/**
 * A connection of ours, with the settings of the client. A client that is destroyed while it dials would forget its
 * socket instead of closing it, so it is destroyed when it has been answered.
 */
function ownClient(template: NodeRedisClient, overrides: object, reconnects: boolean): OwnClient {
  let isClosed = false
  let isDialling = true
  const reconnectStrategy = (retries: number) => (reconnects && !isClosed ? backoffMs(retries) : false)
  const socket = { ...template.options?.socket, reconnectStrategy }
  const client = template.duplicate({ ...overrides, url: undefined, socket })
  const end = () => {
    if (!isClosed || isDialling) return
    try {
      client.destroy()
    } catch {
      // It was closed before.
    }
  }
  // An error event without a listener would end the process; each call reports what it means for that call.
  for (const event of ["connect", "error"])
    client.on(event, () => {
      isDialling = false
      end()
    })
  client.on("reconnecting", () => (isDialling = true))
  const connected = client.connect()
  return {
    client,
    connected,
    close: () => {
      isClosed = true
      end()
    },
  }
}

/** Errors that node-redis makes only before a command is written. Its TimeoutError also ends written ones. */
const BEFORE_WRITING = new Set(["AbortError", "ClientClosedError", "ClientOfflineError"])
const BEFORE_WRITING_TEXT = /^(The queue is full|Timeout waiting for a client)/
/** When a connection breaks, the pool of node-redis 5 passes the answer to its own greeting to a waiting command. */
const HANDSHAKE = /unknown subcommand 'SETINFO'/i

function outcomeOf(error: unknown, command: string, label: string): unknown {
  if (!(error instanceof Error) || ("code" in error && String(error.code).startsWith("DRIVER."))) return error
  const names = namesOf(error)
  if (HANDSHAKE.test(error.message)) return connectionLost(command, label, error)
  if (names.includes("ErrorReply") || looksLikeReply(error.message)) return serverError(error.message)
  const before = names.some((name) => BEFORE_WRITING.has(name)) || BEFORE_WRITING_TEXT.test(error.message)
  return before ? notSent(command, label, error) : connectionLost(command, label, error)
}

function namesOf(error: Error): string[] {
  const names: string[] = []
  for (let type = error.constructor; typeof type === "function" && type !== Error; type = Object.getPrototypeOf(type)) {
    names.push(type.name)
  }
  return names
}

const databaseOf = (options: ClientOptions | undefined): number => options?.database ?? 0

const poolOfDatabase = (db: number): KeywrightError =>
  clientRefuses(
    `the node-redis pool had no idle client when it was passed in, and uses database ${db}`,
    "Pass it in when it is connected: `await pool.connect()`.",
  )

function refusePrefix(options: ClientOptions | undefined): void {
  if (options?.keyPrefix === undefined || options.keyPrefix === "") return
  throw clientRefuses(
    "the node-redis client adds a prefix to keys",
    "Declare the prefix in the schema, and leave out `keyPrefix`.",
  )
}

function addressOf(options: ClientOptions | undefined): string {
  const { host = "127.0.0.1", port = 6379, path, tls } = options?.socket ?? {}
  if (path !== undefined) return `unix://${path}`
  return `${tls === true ? "rediss" : "redis"}://${host}:${port}`
}
