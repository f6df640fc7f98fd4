/* Password hashes, one after another. A hash is slow on purpose, so a client that sends
 * many wrong passwords could keep the machine busy, and a right one waiting. Only a
 * limited number are computed at once, and clients take turns. */

import { hash, verify } from "@node-rs/argon2"
import { availableParallelism } from "node:os"
import { clientTurns, type ClientTurns, type ClientTurnsOptions } from "./client-turns.ts"

export interface Hashing {
  /** The hash of a new password, when it is this client's turn. */
  hash(client: string, password: string): Promise<string>
  /** Does what needs one hash, such as a login, when it is this client's turn. */
  readonly inTurn: ClientTurns
}

/** libuv has four threads; one core is left for everything else. */
const PARALLEL = Math.min(4, Math.max(1, availableParallelism() - 1))

export function hashing(options: Partial<Omit<ClientTurnsOptions, "what">> = {}): Hashing {
  const inTurn = clientTurns({ parallel: PARALLEL, ...options, what: "logins" })
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
