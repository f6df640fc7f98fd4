/* Commands that block hold up everything after them on a connection: until something arrives
 * (BLPOP, XREAD BLOCK), or until replicas have a write (WAIT, after every durable save). So
 * they run on separate connections, which are opened when first needed, reused, and closed
 * with the client.
 *
 * A wait that is given up is ended by CLIENT UNBLOCK: an item that was already taken from its
 * list is handed over, not lost. It takes an id, which belongs to another program's connection
 * after a restart of the server that ours has not noticed: so only the one with our name is
 * ended. Where the server does not end it in time, the connection is
 * cut, so that nothing is taken later; whether something was taken before is then unknown.
 * Either way the connection is not used again: an UNBLOCK may still be on its way to it. */

import { randomUUID } from "node:crypto"
import type { CallOptions, Command, Driver, LinkedTo, Reply } from "../../driver/driver.ts"
import { abortedInQueue, connectionLost, driverClosed, notSent } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import { Deadline } from "./deadline.ts"
import { sleep } from "./sleep.ts"

const UNBLOCK_EVERY_MS = 10
const UNBLOCK_TRIES = 30
/** A caller that gives up does not wait long for a server that does not answer; closing the client waits longer. */
const UNBLOCK_MS = 80
const UNBLOCK_AT_CLOSE_MS = 1000

interface WaitingConnection {
  readonly driver: Driver
  /**
   * CLIENT SETNAME, of a client that was passed in: when it connects again by itself, that is another connection, which
   * has lost this name.
   */
  readonly name: string | undefined
}

/** A call that waits. */
interface Wait {
  /** The connection that it was sent on last, where it may be ended there. */
  at: LinkedTo | Promise<LinkedTo | undefined> | undefined
  isOver: boolean
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
  readonly #busy = new Set<(reason: unknown) => Promise<void>>()
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
    isUndone?: IsUndone,
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
    // Between the opening of the connection and here nothing has listened to the signal.
    if (deadline.isOver) {
      this.#idle.push(place)
      throw deadline.over(name)
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
    if (!this.#isOwn) commands.push(["CLIENT", "GETNAME"])
    let name: string | undefined
    const [reply, count, found] = await this.#send(commands, waitMs, options, undefined, (place) => (name = place.name))
    if (reply instanceof KeywrightError) throw reply
    if (!this.#isOwn && name !== undefined && found !== name)
      throw connectionLost(String(write[0]), this.#driver.label, new Error("the client connected again"))
    if (count instanceof KeywrightError) return { reply: reply!, confirmed: 0, refusal: count }
    return { reply: reply!, confirmed: Number(count) }
  }

  async close(): Promise<void> {
    this.#closed = true
    const closed = driverClosed("a call that waits", this.#driver.label)
    await Promise.all([...this.#busy].map((giveUp) => giveUp(closed)))
    await Promise.all(this.#idle.splice(0).map(({ driver }) => driver.close()))
  }

  /** Our own connection says which link a call was sent on. */
  get #isOwn(): boolean {
    return this.#driver.kind === "resp" || this.#driver.kind === "embedded"
  }

  /** Without `isUndone`, it is not worth while to ask the server to end the wait: the outcome is unknown in any case. */
  async #wait(
    place: WaitingConnection,
    name: string,
    commands: readonly Command[],
    deadline: Deadline,
    options: CallOptions,
    isUndone: IsUndone | undefined,
  ) {
    const { driver } = place
    const { signal, timeoutMs: _, ...rest } = options
    const wait: Wait = { at: undefined, isOver: false }
    const cut = new AbortController()
    let reason: unknown
    const giveUp = async (given: unknown) => {
      if (reason !== undefined) return
      reason = given ?? new Error("aborted")
      await this.#unblock(wait, reason instanceof KeywrightError ? UNBLOCK_AT_CLOSE_MS : UNBLOCK_MS)
      cut.abort(reason)
    }
    const onAbort = () => void giveUp(signal?.reason)
    signal?.addEventListener("abort", onAbort, { once: true })
    this.#busy.add(giveUp)
    let usable = false
    try {
      if (isUndone !== undefined && place.name !== undefined) wait.at = linkOf(driver, place.name)
      const replies = await driver.batch(commands, {
        ...rest,
        timeoutMs: Math.max(1, deadline.leftMs),
        signal: cut.signal,
        ...(isUndone && { onLink: (_: string, at: LinkedTo) => (wait.at = at) }),
      })
      usable = reason === undefined
      if (reason !== undefined && isUndone?.(replies[0]!) === true)
        throw reason instanceof KeywrightError ? reason : abortedInQueue(name, reason)
      return replies
    } finally {
      wait.isOver = true
      signal?.removeEventListener("abort", onAbort)
      this.#busy.delete(giveUp)
      if (usable && !this.#closed) this.#idle.push(place)
      else void driver.close().catch(() => undefined)
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
    // Named in its greeting, each time that it connects.
    if (this.#isOwn) return { driver, name: undefined }
    const own = `keywright-${randomUUID()}`
    try {
      await driver.send(["CLIENT", "SETNAME", own], { safe: true, ...deadline.notes() })
      return { driver, name: own }
    } catch (error) {
      // Some users may not run it: then the connection is used as it is.
      if (error instanceof Refused) return { driver, name: undefined }
      void driver.close().catch(() => undefined)
      // Nothing of the call itself was sent.
      throw notSent("a call that waits", this.#driver.label, error)
    }
  }

  /** Asks the server to end the wait, until it has ended or the server cannot be asked. */
  async #unblock(wait: Wait, timeoutMs: number): Promise<void> {
    for (let i = 0; i < UNBLOCK_TRIES && !wait.isOver; i++) {
      const { label, id, name } = (await Promise.race([wait.at, sleep(timeoutMs)])) ?? {}
      if (id === undefined || name === undefined) return
      const nodes = this.#driver.cluster ? await this.#driver.primaries().catch(() => []) : undefined
      const node = nodes ? nodes.find((one) => one.label === label) : this.#driver
      const listed = await node?.send(["CLIENT", "LIST", "ID", id], { timeoutMs }).catch(() => undefined)
      if (!String(listed).split(" ").includes(`name=${name}`)) return
      const told = await node?.send(["CLIENT", "UNBLOCK", id], { timeoutMs }).catch(() => undefined)
      if (told === undefined) return
      await sleep(UNBLOCK_EVERY_MS)
    }
  }
}

/** The link of a client that was passed in: asked for with each call, as it may have reconnected. */
async function linkOf(driver: Driver, name: string): Promise<LinkedTo | undefined> {
  const commands = [["SETNAME", name], ["ID"]].map((words) => ["CLIENT", ...words])
  const replies = await driver.batch(commands, { timeoutMs: UNBLOCK_AT_CLOSE_MS }).catch(() => [])
  const id = replies[1]
  return typeof id === "number" ? { label: driver.label, id: String(id), name } : undefined
}

/** Whether the first reply of a wait that was given up shows that nothing was done. */
type IsUndone = (reply: Reply) => boolean

/** What blocks until something arrives replies so when it took nothing. */
const isNothing: IsUndone = (reply) => reply === null || (Array.isArray(reply) && reply.length === 0)
