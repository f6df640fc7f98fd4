/* The driver: all that Keywright asks of a connection to a server.
 *
 * Replies have one shape whatever the protocol and the client library: that of
 * RESP2. A map or a hash is a flat array of pairs, never an object, so that a
 * field named "__proto__" survives. A double is the server's own text. An integer
 * is a number, or a bigint where a number would round it. Bulk strings are text,
 * or bytes when the call asks for them.
 *
 * Every promise settles within its deadline, as a reply or as one of the errors
 * in errors/outcome.ts. In `batch` and `multi` the errors of single commands are
 * values in the array, so that one bad command does not hide the others. */

import type { KeywrightError } from "../errors/error.ts"
import type { SlotState } from "./scan-nodes.ts"

/** An argument of a command, as it goes over the wire. */
export type Wire = string | Uint8Array

/** A command and its arguments: `["ZADD", "recent:", "1.5", "EB93"]`. */
export type Command = readonly Wire[]

export type Reply = string | number | bigint | Uint8Array | null | KeywrightError | readonly Reply[]

export interface CallOptions {
  /** Bulk strings are returned as bytes (Buffer), not as text. A status such as OK is text, or with ioredis bytes. */
  readonly bytes?: boolean
  /** Asking twice does no harm: the driver may send it again after a lost connection. */
  readonly safe?: boolean
  /** The deadline of this call, instead of the connection's. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /**
   * Who may answer a command that only reads: the primary, a replica, or whichever the connection was opened for.
   * Default: the primary. Batches of reads too; transactions and scripts never.
   */
  readonly read?: ReadFrom
  /**
   * Called each time it is sent, with what that connection is known by: a new one has another. The last call of it is for
   * the connection that answers. Not by a client that was passed in.
   */
  readonly onLink?: (link: string, at: LinkedTo) => void
}

/** The server of a connection, and what that server calls it. */
export interface LinkedTo {
  /** The label of the driver of this server, see `primaries`. */
  readonly label: string
  /** CLIENT ID; undefined: the server did not say it. */
  readonly id: string | undefined
  /** CLIENT SETNAME. One from `dedicated` has a name that no other connection has, on any server. */
  readonly name: string | undefined
}

/** Who may answer reads. */
export type ReadRole = "primary" | "replica"
export type ReadFrom = ReadRole | "as-opened"

/** A Lua script: sent once by text, from then on by digest. */
export interface Script {
  readonly name: string
  readonly source: string
  readonly sha1: string
  /** The most bytes of what it returns, where that is known: by what follows its digest, the number of keys first. */
  readonly mostBytes?: (words: Command) => number
  /** The command whose reply it returns, where it returns one. */
  readonly answering?: (words: Command) => Answering
}

export interface Answering {
  readonly command: Command
  /** It may not have been carried out, and the reply is nothing then. */
  readonly mayBeNothing: boolean
}

export interface Message {
  readonly channel: string
  /** The pattern that matched, when the subscription was by pattern. */
  readonly pattern?: string
  readonly text: string
}

export interface Subscription {
  close(): Promise<void>
}

export interface SubscribeTo {
  readonly channels?: readonly string[]
  readonly patterns?: readonly string[]
  /** Sharded channels (SPUBLISH, from Redis 7 on): a cluster keeps their messages within the shard of their slot. */
  readonly sharded?: readonly string[]
  readonly onMessage: (message: Message) => void
  /** The connection was lost and is back, or a sharded channel has moved to another node: messages may have been missed. */
  readonly onGap?: () => void
  /**
   * The connection was lost, and the server refuses the subscription now (a changed password, an ACL): nothing is heard
   * until it accepts it again, which is tried at growing intervals, and then `onGap` is called. Called once until then.
   */
  readonly onRefused?: (error: Error) => void
}

export interface ServerFacts {
  readonly flavour: "redis" | "valkey"
  /** `"7.0.15"` */
  readonly version: string
  readonly mode: "standalone" | "cluster" | "sentinel"
  readonly role: "primary" | "replica"
}

/** What one sentinel says about the service that a driver was opened for. */
export interface SentinelView {
  /** `"10.0.0.1:26379"` */
  readonly address: string
  /** Where it says that the primary is; undefined: it gave no answer. */
  readonly primary: string | undefined
  /** How many sentinels have to agree that the primary is down. */
  readonly quorum: number
  /** Why it gave no answer. */
  readonly failure?: string
}

/** Reads a reply as it arrives, so that no promise has to be created in between. */
export interface ReplyReader<T> {
  /** What the caller gets; what it throws rejects the call. */
  answered(reply: Reply): T
  /** What the call is rejected with. */
  failed(error: unknown): unknown
}

export interface Driver {
  /** For people: `"redis://127.0.0.1:6379/0 (own connection)"`, without credentials. */
  readonly label: string
  readonly kind: "resp" | "embedded" | "node-redis" | "ioredis" | "rdb"
  /** Whether it speaks to a cluster. Our own connection knows that once `ready` has resolved. */
  readonly cluster: boolean
  /** The logical database that it speaks to. */
  readonly db: number
  /** The deadline of a call that does not name one, in milliseconds. */
  readonly timeoutMs: number

  /** Resolves when it is known whether this is a cluster, or that the server cannot be reached for now. */
  ready?(): Promise<void>
  send(command: Command, options?: CallOptions): Promise<Reply>
  /** As `send`, for drivers that can hand the reply to a reader. */
  ask?<T>(command: Command, reader: ReplyReader<T>, options?: CallOptions): Promise<T>
  /** All in one write; answered in order. Not atomic. */
  batch(commands: readonly Command[], options?: CallOptions): Promise<Reply[]>
  /** MULTI … EXEC on a connection that nobody else interleaves with. Rejects when the server discards it. */
  multi(commands: readonly Command[], options?: CallOptions): Promise<Reply[]>
  /** EVALSHA; on NOSCRIPT, once EVAL. */
  run(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply>
  subscribe(to: SubscribeTo): Promise<Subscription>

  /** The same server, another logical database, on a separate connection. Closed with this one. */
  database(db: number): Promise<Driver>
  /** A connection that nobody shares, for blocking commands and WAIT. The caller closes it. */
  dedicated(): Promise<Driver>
  /** One driver for each primary of a cluster, to walk its keys; for a single server, itself. */
  primaries(): Promise<readonly Driver[]>
  /** For a cluster over our own connection: which node has which slots now. SCAN then goes through all nodes, see scan-nodes.ts. */
  slots?(): Promise<SlotState>
  /** For a primary that sentinels watch: what each of them says. */
  sentinels?(): Promise<readonly SentinelView[]>
  /** A bare connection to the same server, before any greeting: for what changes the meaning of a connection. */
  dial?(signal: AbortSignal): Promise<Transport>
  facts(): Promise<ServerFacts>
  /** Closes what Keywright opened. A client that was passed in stays open. */
  close(): Promise<void>
}

/** What carries bytes to a server: a socket, or the embedded engine's channel. */
export interface Transport {
  /** Returns false when the buffer is full; `onDrain` follows. */
  write(bytes: Uint8Array): boolean
  close(): void
  onData: (bytes: Uint8Array) => void
  onDrain: () => void
  /** Called once, whichever side closed it. */
  onClose: (reason?: Error) => void
}
