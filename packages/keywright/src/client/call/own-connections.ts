/* Commands that block hold up everything after them on a connection: until something arrives
 * (BLPOP, XREAD BLOCK), or until replicas have a write (WAIT, after every durable save). So
 * they run on separate connections, which are opened when first needed, reused, and closed
 * with the client.
 *
 * A wait that is given up is ended by CLIENT UNBLOCK, not by cutting the connection:
 * an item that was already taken from its list is handed over, not lost. */

import { randomUUID } from "node:crypto"
import type { CallOptions, Command, Driver, Reply } from "../../driver/driver.ts"
import { abortedInFlight, abortedInQueue, connectionLost, driverClosed, notSent } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import { Deadline } from "./deadline.ts"

const UNBLOCK_EVERY_MS = 10
const UNBLOCK_TRIES = 30
/** A caller that gives up does not wait long for a server that does not answer; closing the client waits longer. */
const UNBLOCK_MS = 80
const UNBLOCK_AT_CLOSE_MS = 1000

interface WaitingConnection {
  readonly driver: Driver
  /** CLIENT ID, where it may be asked. */
  readonly id: string | undefined
  /** CLIENT SETNAME: a client that connects again by itself is another connection, and has lost this name. */
  readonly name: string | undefined
}

/** What became of a write that replicas were waited for. */
interface Written {
  readonly reply: Reply
  /** How many replicas have it. */
  readonly confirmed: number
  /** Why that is not known. */
  readonly refusal?: KeywrightError
}

export class OwnConnections {
  readonly #driver: Driver
  readonly #idle: WaitingConnection[] = []
  readonly #busy = new Map<WaitingConnection, (reason: unknown) => void>()
  #closed = false

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /**
   * Sends a command that waits up to `waitMs`, and what is to follow it: `timeoutMs` is how long it may take beyond that.
   * Returns the reply of the first: what it took is gone from the server, so it is returned even if the rest is refused.
   */
  async send(commands: readonly Command[], waitMs: number, options: CallOptions = {}): Promise<Reply> {
    const [reply] = await this.#send(commands, waitMs, options, isNothing)
    if (reply instanceof KeywrightError) throw reply
    return reply!
  }

  async #send(
    commands: readonly Command[],
    waitMs: number,
    options: CallOptions,
    isUndone: IsUndone,
    onPlace?: (place: WaitingConnection) => void,
  ): Promise<Reply[]> {
    const name = String(commands[0]![0])
    const { timeoutMs = this.#driver.timeoutMs, signal } = options
    const until = (ms: number) => new Deadline(this.#driver, { timeoutMs: ms, ...(signal && { signal }) })
    const deadline = until(waitMs + timeoutMs)
    deadline.check(name)
    const place = this.#idle.pop() ?? (await this.#open(until(timeoutMs), name))
    if (this.#closed) {
      await place.driver.close()
      throw driverClosed(name, this.#driver.label)
    }
    onPlace?.(place)
    return this.#wait(place, name, commands, deadline, options, isUndone)
  }

  /**
   * A write, and WAIT on the same connection. Rejects as OutcomeUnknown when the client has connected again in between,
   * and sent the rest there. When WAIT alone is refused, because the server became a replica for example, the write was
   * carried out all the same. Never sent again by the client: WAIT alone, on another connection, would wait for nothing.
   */
  async writeAndWait(write: Command, replicas: number, deadline: Deadline, how?: CallOptions): Promise<Written> {
    const waitMs = Math.max(1, Math.floor(deadline.leftMs / 2))
    const options = { ...how, safe: false, timeoutMs: Math.max(1, deadline.leftMs - waitMs) }
    const commands: Command[] = [write, ["WAIT", String(replicas), String(waitMs)]]
    const isOneConnection = this.#driver.kind === "resp" || this.#driver.kind === "embedded"
    if (!isOneConnection) commands.push(["CLIENT", "GETNAME"])
    let name: string | undefined
    const [reply, count, found] = await this.#send(commands, waitMs, options, never, (place) => (name = place.name))
    if (reply instanceof KeywrightError) throw reply
    if (!isOneConnection && name !== undefined && found !== name)
      throw connectionLost(String(write[0]), this.#driver.label, new Error("the client connected again"))
    if (count instanceof KeywrightError) return { reply: reply!, confirmed: 0, refusal: count }
    return { reply: reply!, confirmed: Number(count) }
  }

  async close(): Promise<void> {
    this.#closed = true
    const closed = driverClosed("a call that waits", this.#driver.label)
    for (const giveUp of this.#busy.values()) giveUp(closed)
    await Promise.all(this.#idle.splice(0).map(({ driver }) => driver.close()))
  }

  async #wait(
    place: WaitingConnection,
    name: string,
    commands: readonly Command[],
    deadline: Deadline,
    options: CallOptions,
    isUndone: IsUndone,
  ) {
    const { signal, timeoutMs: _, ...rest } = options
    let reason: unknown
    let gone: ((error: Error) => void) | undefined
    const cut = new Promise<never>((_, reject) => (gone = reject))
    const giveUp = (given: unknown) => {
      if (reason !== undefined) return
      reason = given ?? new Error("aborted")
      void this.#unblock(place, reason instanceof KeywrightError ? UNBLOCK_AT_CLOSE_MS : UNBLOCK_MS).then(() =>
        gone?.(abortedInFlight(name, reason)),
      )
    }
    const onAbort = () => giveUp(signal?.reason)
    signal?.addEventListener("abort", onAbort, { once: true })
    this.#busy.set(place, giveUp)
    let usable = false
    try {
      const replies = await Promise.race([
        place.driver.batch(commands, { ...rest, timeoutMs: Math.max(1, deadline.leftMs) }),
        cut,
      ])
      usable = true
      if (reason !== undefined && isUndone(replies[0]!))
        throw reason instanceof KeywrightError ? reason : abortedInQueue(name, reason)
      return replies
    } finally {
      signal?.removeEventListener("abort", onAbort)
      this.#busy.delete(place)
      if (usable && !this.#closed) this.#idle.push(place)
      else void place.driver.close().catch(() => undefined)
    }
  }

  /** A separate connection. One that is opened too late is closed. */
  async #open(deadline: Deadline, name: string): Promise<WaitingConnection> {
    const opening = this.#driver.dedicated()
    let driver: Driver
    try {
      driver = await deadline.before(opening, name)
    } catch (error) {
      void opening.then((late) => late.close()).catch(() => undefined)
      throw error
    }
    if (this.#driver.cluster) return { driver, id: undefined, name: undefined }
    const own = `keywright-${randomUUID()}`
    const named = ["CLIENT", "SETNAME", own]
    try {
      const [id, reply] = await driver.batch([["CLIENT", "ID"], named], { safe: true, ...deadline.notes() })
      // Some users may not run CLIENT ID or SETNAME: then the connection is used as it is.
      const isNamed = !(reply instanceof KeywrightError)
      return { driver, id: id instanceof KeywrightError ? undefined : String(id), name: isNamed ? own : undefined }
    } catch (error) {
      if (error instanceof Refused) return { driver, id: undefined, name: undefined }
      void driver.close().catch(() => undefined)
      // Nothing of the call itself was sent.
      throw notSent("a call that waits", this.#driver.label, error)
    }
  }

  /** Waits until the blocking command has ended, if the server lets us end it. */
  async #unblock({ driver, id }: WaitingConnection, timeoutMs: number): Promise<void> {
    if (id === undefined) return
    for (let i = 0; i < UNBLOCK_TRIES; i++) {
      if (![...this.#busy.keys()].some((place) => place.driver === driver)) return
      const told = await this.#driver.send(["CLIENT", "UNBLOCK", id], { timeoutMs }).catch(() => undefined)
      if (told === undefined) return
      await new Promise((resolve) => setTimeout(resolve, UNBLOCK_EVERY_MS))
    }
  }
}

/** Whether the first reply of a wait that was given up shows that nothing was done. */
type IsUndone = (reply: Reply) => boolean

/** A write was carried out, whatever it replied. */
const never: IsUndone = () => false

/** What blocks until something arrives replies so when it took nothing. */
const isNothing: IsUndone = (reply) => reply === null || (Array.isArray(reply) && reply.length === 0)
