/* Password hashes, one after another. A hash is slow on purpose, so a client that sends
 * many wrong passwords could keep the machine busy, and a right one waiting. Only a
 * limited number are computed at once, clients take turns, and the queue is bounded: when
 * it is full, a client that has many waiting makes room for one that has few. */

import { hash, verify } from "@node-rs/argon2"
import { availableParallelism } from "node:os"
import { type Problem, unavailable } from "./http/problem.ts"
import { tooMany } from "./limits/limits.ts"

export interface HashingOptions {
  /** At once. */
  readonly parallel?: number
  /** Waiting, of all clients and of one. */
  readonly most?: number
  readonly mostOfOne?: number
}

export interface Hashing {
  /** The hash of a new password, when it is this client's turn. */
  hash(client: string, password: string): Promise<string>
  /** Does what needs one hash, such as a login, when it is this client's turn. */
  inTurn<T>(client: string, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (problem: Problem) => void
}

/** libuv has four threads; one core is left for everything else. */
const PARALLEL = Math.min(4, Math.max(1, availableParallelism() - 1))

export function hashing({ parallel = PARALLEL, most = 2048, mostOfOne = 1024 }: HashingOptions = {}): Hashing {
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
  /** The latest of the client that has most waiting is refused, unless that is who asks, with so many. */
  const makeRoom = (asking: number) => {
    const busy = unavailable("busy", "too many logins are waiting")
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
  const inTurn = async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    await enter(client)
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return { inTurn, hash: (client, password) => inTurn(client, () => hash(password)) }
}

let nobody: Promise<string> | undefined

/**
 * Whether it is the password of this hash; without a hash, never, and after just as long, so that nobody learns which
 * names are known.
 */
export async function isPassword(stored: string | undefined, given: string): Promise<boolean> {
  nobody ??= hash("nobody has this password")
  try {
    const fits = await verify(stored ?? (await nobody), given)
    return fits && stored !== undefined
  } catch {
    return false // What is stored there is not a hash.
  }
}
