/* The sweeper that nobody has to start: it runs where a process writes records that
 * expire, from the first of them on, one for each keyspace and server in this process,
 * however many connections there are. Its timer does not keep the process alive, and
 * while the server is unreachable or refuses, it tries ever less often. */

import type { Keyspace } from "../../schema/keyspace.ts"
import { longestLife } from "../../schema/ttl.ts"
import { onePer } from "../call/one-per.ts"
import { observedJob, outcomeOf } from "../observe/observe.ts"

const EVERY_MS = 1000
const LONGEST_MS = 60_000

/** A pass over all records that expire. */
type Sweep = (signal: AbortSignal) => Promise<number>

/** One connection's access to the shared sweeper. */
export interface OwnSweeper {
  /** A record that expires was written. */
  wake(): void
  /** The connection closes: waits for a pass that is under way on it. */
  stop(): Promise<void>
}

class Sweeping {
  /** One for each connection: the first is used, until it fails. */
  readonly #sweeps: Sweep[] = []
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #pass: { readonly sweep: Sweep; readonly abort: AbortController; readonly done: Promise<void> } | undefined
  #failures = 0

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  join(sweep: Sweep): OwnSweeper {
    this.#sweeps.push(sweep)
    return {
      wake: () => {
        if (this.#timer === undefined && this.#pass === undefined && this.#sweeps.includes(sweep)) this.#sleep(EVERY_MS)
      },
      stop: () => this.#leave(sweep),
    }
  }

  async #leave(sweep: Sweep): Promise<void> {
    const at = this.#sweeps.indexOf(sweep)
    if (at < 0) return
    this.#sweeps.splice(at, 1)
    if (this.#sweeps.length === 0) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#onIdle()
    }
    if (this.#pass?.sweep !== sweep) return
    this.#pass.abort.abort()
    await this.#pass.done
  }

  #sleep(ms: number): void {
    this.#timer = setTimeout(() => this.#begin(), ms * (0.9 + Math.random() / 5))
    this.#timer.unref()
  }

  #begin(): void {
    this.#timer = undefined
    const [sweep] = this.#sweeps
    if (!sweep) return
    const abort = new AbortController()
    this.#pass = { sweep, abort, done: this.#run(sweep, abort.signal) }
  }

  /** Never rejects: only the code that closes the connection waits for it. */
  async #run(sweep: Sweep, signal: AbortSignal): Promise<void> {
    const started = performance.now()
    let outcome = "ok"
    try {
      await sweep(signal)
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      outcome = outcomeOf(error)
      // Another connection may have another user, who may do it.
      this.#sweeps.push(...this.#sweeps.splice(0, 1))
    }
    observedJob({ job: "keywright-sweeper", ms: performance.now() - started, outcome })
    this.#pass = undefined
    const waitMs = this.#failures === 0 ? EVERY_MS : Math.min(LONGEST_MS, EVERY_MS * 2 ** this.#failures)
    if (this.#sweeps.length > 0) this.#sleep(waitMs)
  }
}

/** By keyspace and server. */
const serversOf = onePer<Keyspace, Map<string, Sweeping>>(() => new Map())

/** The sweeper of a connection; undefined where no record expires. `label` is that of its driver. */
export function ownSweeper(keyspace: Keyspace, label: string, sweep: Sweep): OwnSweeper | undefined {
  const expires = keyspace.keys.some(({ entity, ttl }) => entity?.role === "record" && longestLife(ttl) !== undefined)
  if (!expires) return undefined
  // Only an address identifies a server: clusters, pools and embedded engines do not have one.
  const [address] = /^\w+:\/\/\S+/.exec(label) ?? []
  if (address === undefined) return new Sweeping(() => undefined).join(sweep)
  const servers = serversOf(keyspace)
  let sweeping = servers.get(address)
  if (!sweeping) servers.set(address, (sweeping = new Sweeping(() => servers.delete(address))))
  return sweeping.join(sweep)
}
