/* A client that was handed in, as a Driver: deadlines, outcomes, scripts and
 * retries on top of a courier. The client is never reconfigured and never closed. */

import { optionsRefusal } from "../call-options.ts"
import { isOfNode } from "../cluster/primaries-subscriber.ts"
import { guarded } from "../guarded-listener.ts"
import { trackedSubscription } from "../tracked-subscription.ts"
import {
  batchHalfSent,
  clusterClientCannot,
  driverClosed,
  neverAnswered,
  noSuchDatabase,
  notSent,
  shardedNotHeard,
  timedOutInQueue,
} from "../../errors/driver.ts"
import { SAFE } from "../safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import type {
  CallOptions,
  Command,
  Driver,
  Reply,
  Script,
  ServerFacts,
  SubscribeTo,
  Subscription,
  Wire,
} from "../driver.ts"
import { firstKey } from "../first-key.ts"
import { fitting, fittingOne, fittingScript } from "../fitting.ts"
import { outcomeOfMulti } from "../resp/multi-outcome.ts"
import { evalCommand } from "../script.ts"
import { isNoScript, passesByItself } from "../server-errors.ts"
import { factsFromInfo } from "../server-facts.ts"
import { refusalAmong, refusalOf } from "../shared-commands.ts"
import { Cancel } from "./cancel.ts"
import type { Courier, Ticket } from "./courier.ts"
import { isRedirect, InjectedCall, type InjectedCallOf, commandName } from "./injected-call.ts"
import { CallTurns } from "./call-turns.ts"
import { InjectedSubscription } from "./injected-subscription.ts"

const CLOSE_POLL_MS = 5

export interface InjectedOptions {
  readonly timeoutMs: number
  /** How many calls that were given up the client may keep before more are refused. */
  readonly queueCalls: number
}

export class InjectedDriver implements Driver {
  readonly label: string
  readonly kind: Driver["kind"]
  readonly cluster: boolean
  readonly db: number
  readonly timeoutMs: number
  readonly #courier: Courier
  readonly #turns = new CallTurns()
  /** Digests that were sent in full before. A wrong guess costs one NOSCRIPT. */
  readonly #known = new Set<string>()
  readonly #databases = new Map<number, Promise<InjectedDriver>>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #queueCalls: number
  #pending = 0
  /** Tries that the client has not settled, also of calls that were given up: it keeps those until it is answered or cut off. */
  #carried = 0
  #closed = false

  constructor(courier: Courier, { timeoutMs, queueCalls }: InjectedOptions) {
    this.#courier = courier
    this.timeoutMs = timeoutMs
    this.#queueCalls = queueCalls
    this.label = courier.label
    this.kind = courier.kind
    this.cluster = courier.cluster
    this.db = courier.db
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return Promise.reject(refusal)
    return this.#job(commandName(command), options, async (ticket) => {
      const reply = fittingOne(command, await this.#courier.one(command, options?.bytes === true, ticket))
      if (reply instanceof KeywrightError) throw reply
      return reply
    })
  }

  batch(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    const refusal = refusalAmong(commands)
    if (refusal !== undefined) return Promise.reject(refusal)
    if (commands.length === 0) return Promise.resolve([])
    return this.#job(`a batch (${commandName(commands[0])} …)`, options, (ticket) =>
      this.#batch(commands, options, ticket),
    )
  }

  multi(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    const refusal = refusalAmong(commands)
    if (refusal !== undefined) return Promise.reject(refusal)
    if (commands.length === 0) return Promise.resolve([])
    return this.#job("MULTI", options, async (ticket) => {
      const outcome = outcomeOfMulti(commands, await this.#courier.multi(commands, options?.bytes === true, ticket))
      if (!(outcome instanceof KeywrightError)) return outcome as Reply[]
      if (this.cluster && isRedirect(outcome.cause)) await this.#learn(commands, ticket)
      throw outcome
    })
  }

  run(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    const bytes = options?.bytes === true
    const words = [String(keys.length), ...keys, ...args]
    const fitted = (reply: Reply): Reply => {
      const one = fittingScript(script, words, reply)
      if (one instanceof KeywrightError) throw one
      return one
    }
    return this.#job(`script ${script.name}`, options, async (ticket) => {
      if (this.#known.has(script.sha1)) {
        try {
          return fitted(await this.#courier.one(["EVALSHA", script.sha1, ...words], bytes, ticket))
        } catch (error) {
          if (!(error instanceof KeywrightError && isNoScript(error))) throw error
        }
      }
      this.#known.add(script.sha1)
      return fitted(await this.#courier.one(evalCommand(script, keys, args), bytes, ticket))
    })
  }

  async subscribe(given: SubscribeTo): Promise<Subscription> {
    const to = guarded(given)
    if (to.sharded !== undefined && to.sharded.length > 0) throw shardedNotHeard(this.label)
    if (this.cluster && [...(to.channels ?? []), ...(to.patterns ?? [])].some(isOfNode))
      throw clusterClientCannot("subscribe to notifications of the keyspace", this.label)
    if (this.#closed) throw driverClosed("SUBSCRIBE", this.label)
    const silenceMs = Math.max(this.timeoutMs, 1000)
    const subscription = new InjectedSubscription((onLost) => this.#courier.listen(to, onLost), to, silenceMs)
    const tracked = trackedSubscription(subscription, this.#subscriptions)
    try {
      await this.#inTime("SUBSCRIBE", (signal) => subscription.begin(signal))
      if (this.#closed) throw driverClosed("SUBSCRIBE", this.label)
      return tracked
    } catch (error) {
      await tracked.close()
      throw error
    }
  }

  async database(db: number): Promise<Driver> {
    if (this.#closed) throw driverClosed("SELECT", this.label)
    if (db === this.db) return this
    if (!Number.isInteger(db) || db < 0 || this.cluster) throw noSuchDatabase(db, this.label)
    let driver = this.#databases.get(db)
    if (driver === undefined) {
      driver = this.#opened("SELECT", () => this.#courier.database(db))
      this.#databases.set(db, driver)
      driver.catch(() => this.#databases.delete(db))
    }
    return driver
  }

  async dedicated(): Promise<Driver> {
    if (this.cluster) throw clusterClientCannot("open a connection for calls that wait", this.label)
    return this.#opened("a connection of its own", () => this.#courier.dedicated())
  }

  async primaries(): Promise<readonly Driver[]> {
    if (!this.cluster) return [this]
    // A client that has just been made knows only the addresses that it was given: the first node that answers provides
    // the rest.
    const until = performance.now() + this.timeoutMs
    await this.send(["PING"], { safe: true })
    const couriers = await this.#inTime("CLUSTER", () => this.#courier.primaries(), until - performance.now())
    return couriers.map((courier) => this.#beside(courier))
  }

  async facts(): Promise<ServerFacts> {
    return factsFromInfo(String(await this.send(["INFO"], SAFE)))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const databases = await Promise.allSettled(this.#databases.values())
    const opened = databases.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    await Promise.all([...opened, ...this.#subscriptions].map((part) => part.close()))
    while (this.#pending > 0) await new Promise((resolve) => setTimeout(resolve, CLOSE_POLL_MS))
    this.#turns.stop()
    this.#courier.close()
  }

  #beside(courier: Courier): InjectedDriver {
    return new InjectedDriver(courier, { timeoutMs: this.timeoutMs, queueCalls: this.#queueCalls })
  }

  #job<T>(name: string, options: CallOptions | undefined, work: InjectedCallOf<T>["attempt"]): Promise<T> {
    if (this.#closed) return Promise.reject(driverClosed(name, this.label))
    const givenUp = this.#carried - this.#pending
    if (givenUp >= this.#queueCalls) return Promise.reject(neverAnswered(name, this.label, givenUp))
    const refusal = options ? optionsRefusal(options) : undefined
    if (refusal !== undefined) return Promise.reject(refusal)
    const turn = this.#turns.take(options?.timeoutMs ?? this.timeoutMs, options?.signal !== undefined)
    this.#pending++
    const left = () => void this.#pending--
    const settled = () => void this.#carried--
    const attempt = (ticket: Ticket) => {
      this.#carried++
      const carried = work(ticket)
      carried.then(settled, settled)
      return carried
    }
    const done = new Promise<T>((resolve, reject) => {
      const job = new InjectedCall(
        { name, label: this.label, options, cluster: this.cluster, attempt },
        turn,
        resolve,
        reject,
      )
      job.start()
    })
    done.then(left, left)
    return done
  }

  /** A connection that the client opens for us. One that is ready too late, or after this driver, is closed at once. */
  #opened(name: string, open: () => Promise<Courier>): Promise<InjectedDriver> {
    return this.#inTime(name, async (signal) => {
      if (this.#closed) throw driverClosed(name, this.label)
      const courier = await open()
      if (signal.aborted || this.#closed) {
        courier.close()
        throw driverClosed(name, this.label)
      }
      return this.#beside(courier)
    })
  }

  /** A client may wait for a connection indefinitely, but its caller may not. */
  async #inTime<T>(name: string, work: (signal: Cancel) => Promise<T>, timeoutMs = this.timeoutMs): Promise<T> {
    const signal = new Cancel()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(timedOutInQueue(name, this.label, this.timeoutMs, undefined))
        signal.abort(undefined)
      }, timeoutMs)
    })
    return Promise.race([asOutcome(work(signal), name, this.label), late]).finally(() => clearTimeout(timer))
  }

  /** A read of its first key, which the cluster client follows to where the slot is now. */
  async #learn(commands: readonly Command[], ticket: Ticket): Promise<void> {
    const key = commands.map(firstKey).find((found) => found !== undefined)
    if (key !== undefined) await this.#courier.one(["EXISTS", key], false, ticket)
  }

  async #batch(commands: readonly Command[], options: CallOptions | undefined, ticket: Ticket): Promise<Reply[]> {
    const bytes = options?.bytes === true
    const inPlace = (error: unknown) => {
      if (error instanceof KeywrightError) return error
      throw error
    }
    const replies = await this.#courier.together(
      (one) => Promise.all(commands.map((command) => one(command, bytes, ticket).catch(inPlace))),
      ticket.signal,
    )
    const unsent = replies.filter((reply) => reply instanceof NotApplied && reply.code.startsWith("DRIVER."))
    const unknown = replies.find((reply) => reply instanceof OutcomeUnknown)
    if (unknown !== undefined) throw unknown
    if (unsent.length === replies.length) throw unsent[0]
    if (unsent.length > 0) throw batchHalfSent(unsent[0] as KeywrightError)
    const passes = (reply: Reply) => passesByItself(reply) || (this.cluster && isRedirect(reply))
    if (replies.every(passes)) throw replies[0]
    return fitting(commands, replies)
  }
}

/** What a client says about a connection that it could not open, as an outcome: nothing was sent. */
async function asOutcome<T>(work: Promise<T>, name: string, label: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof KeywrightError ? error : notSent(name, label, error)
  }
}
