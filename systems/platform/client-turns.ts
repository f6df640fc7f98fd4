/* Expensive work that everybody may ask for, done a few at a time. Clients take turns, so a client that asks many times
 * keeps others waiting for only one of its requests. The queue is bounded: when it is full, a client with many waiting
 * requests makes room for one with few. */

import { type Problem, unavailable } from "./http/problem.ts"
import { tooMany } from "./limits/limits.ts"

export interface ClientTurnsOptions {
  /** At once. */
  readonly parallel: number
  /** Waiting, of all clients and of one. */
  readonly most?: number | undefined
  readonly mostOfOne?: number | undefined
  /** For messages: what waits. */
  readonly what: string
}

/** Does the work when it is this client's turn. */
export type ClientTurns = <T>(client: string, work: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly start: () => void
  readonly refuse: (problem: Problem) => void
}

export function clientTurns({ parallel, most = 2048, mostOfOne = 1024, what }: ClientTurnsOptions): ClientTurns {
  /** By client; the next one is first. */
  const waiting = new Map<string, Waiting[]>()
  let running = 0
  let size = 0

  const enter = (client: string): Promise<void> | undefined => {
    if (running < parallel) {
      running += 1
      return undefined
    }
    const own = waiting.get(client) ?? []
    if (own.length >= mostOfOne) throw tooMany("too many requests of this client are waiting", 1000)
    if (size >= most) makeRoom(own.length + 1)
    size += 1
    waiting.set(client, own)
    return new Promise((start, refuse) => own.push({ start, refuse }))
  }
  /** Refuses the latest request of the client with the most waiting, or the new one, if its client has as many (`asking`). */
  const makeRoom = (asking: number) => {
    const busy = unavailable("busy", `too many ${what} are waiting`)
    const longest = [...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one))
    if (longest.length <= asking) throw busy
    longest.pop()!.refuse(busy)
    size -= 1
  }
  const leave = () => {
    const next = waiting.entries().next()
    if (next.done) {
      running -= 1
      return
    }
    const [client, own] = next.value
    waiting.delete(client)
    const first = own.shift()!
    if (own.length > 0) waiting.set(client, own)
    size -= 1
    first.start()
  }
  return async (client, work) => {
    await enter(client)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
