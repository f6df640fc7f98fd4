/* Changes of one record made by one process are serialized: otherwise they would only
 * make each other retry. Between processes the script's comparison decides.
 *
 * A change of one record knows what it touches, and takes its turn first. A transaction
 * does not: its first attempt proceeds at once, and only when that loses does it queue
 * for what it writes. From then on the key counts as contended, and transactions that
 * come to it take their turn before they read it. A transaction that holds a turn waits
 * for no second one; one that needs several holds none and takes them in one order. So
 * nobody waits in a circle.
 *
 * Turns only save work: a call that has waited for half of its remaining time proceeds
 * without one. So a transaction whose work changes the same record outside the
 * transaction does not wait for itself until the deadline. */

import { clearAlarm, now, setAlarm } from "./alarms.ts"
import type { Deadline } from "./deadline.ts"
import { onePer } from "./one-per.ts"

const LONGEST_WAIT_MS = 60_000
/** After how many entries the map is a new one. */
const LONG_USE = 1000

interface TurnQueue {
  /** Usually the queue is empty. */
  waiting: Queue | undefined
  /** A transaction lost here. */
  contended: boolean
}

export class Turns {
  /** By key, for keys that are busy. */
  #lines = new Map<string, TurnQueue>()
  #entered = 0

  /** Whether transactions should take a turn before they read this key. */
  isContended(key: string): boolean {
    return this.#lines.get(key)?.contended === true
  }

  /**
   * Resolves to true when it is the caller's turn, or to false when the caller should proceed without it; returns at
   * once, without a promise, when nobody is ahead. Rejects when the time is up.
   */
  enter(key: string, deadline: Deadline, what: () => string, contended = false): Promise<boolean> | undefined {
    const line = this.#lines.get(key)
    if (line === undefined) {
      this.#lines.set(key, { waiting: undefined, contended })
      this.#renew()
      return undefined
    }
    line.contended ||= contended
    return waitIn((line.waiting ??= new Set()), deadline, what)
  }

  /** Lets the next one in. */
  leave(key: string): void {
    const line = this.#lines.get(key)
    if (line === undefined) return
    for (const next of line.waiting ?? []) {
      line.waiting!.delete(next)
      return next()
    }
    this.#lines.delete(key)
  }

  /**
   * Begins a new map now and then. V8 links each table that a map has outgrown to the next one: all that ever waited
   * would stay in memory until the next full collection.
   */
  #renew(): void {
    if (++this.#entered < Math.max(LONG_USE, this.#lines.size)) return
    this.#entered = 0
    this.#lines = new Map(this.#lines)
  }
}

/** Those who wait, in order. */
type Queue = Set<() => void>

/** True when it is the caller's turn; false when it should proceed without it. */
function waitIn(waiting: Queue, deadline: Deadline, what: () => string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const { signal } = deadline
    const end = (isHeld: boolean) => {
      clearAlarm(alarm)
      signal?.removeEventListener("abort", giveUp)
      resolve(isHeld)
    }
    const letIn = () => end(true)
    const goAhead = () => waiting.delete(letIn) && end(false)
    const giveUp = () => {
      if (!waiting.delete(letIn)) return
      clearAlarm(alarm)
      reject(deadline.over(what()))
    }
    const alarm = setAlarm(now() + Math.min(deadline.leftMs / 2, LONGEST_WAIT_MS), goAhead)
    signal?.addEventListener("abort", giveUp, { once: true })
    waiting.add(letIn)
    if (deadline.isOver) giveUp()
  })
}

/** The turns of all that go through one lane. */
export const turnsOf = onePer<object, Turns>(() => new Turns())
