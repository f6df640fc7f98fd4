/* Raw replies from a node-redis client, whatever type mapping its owner chose.
 *
 * The mapping goes with each command. Strings are asked for as Buffers, maps as flat
 * arrays, numbers and doubles as text, so that nothing is rounded. Since a number, a
 * double and a status then all arrive as text, the mapping notes in what order the
 * decoder asked for them, and the reply is read against those notes. */

import type { Reply } from "../driver.ts"
import { ownBytes, wholeNumber } from "./wire-buffers.ts"
import { serverError } from "../server-errors.ts"

const TYPES = { number: 58, bigNumber: 40, double: 44, status: 43, blob: 36, verbatim: 61, map: 37, set: 126 } as const

/** Made for one command. */
export class RawMapping {
  readonly notes: number[] = []
  readonly [TYPES.blob] = Buffer
  readonly [TYPES.verbatim] = Buffer
  readonly [TYPES.map] = Array
  readonly [TYPES.set] = Array

  get [TYPES.number](): StringConstructor {
    this.notes.push(TYPES.number)
    return String
  }

  get [TYPES.bigNumber](): StringConstructor {
    this.notes.push(TYPES.number)
    return String
  }

  get [TYPES.double](): StringConstructor {
    this.notes.push(TYPES.double)
    return String
  }

  get [TYPES.status](): StringConstructor {
    this.notes.push(TYPES.status)
    return String
  }
}

/** What node-redis decoded with that mapping, in the shape of driver.ts. */
export function readRaw(decoded: unknown, bytes: boolean, notes: readonly number[]): Reply {
  if (decoded === null || typeof decoded === "number") return decoded
  return new RawReader(bytes, notes).read(decoded)
}

class RawReader {
  readonly #bytes: boolean
  readonly #notes: readonly number[]
  #at = 0

  constructor(bytes: boolean, notes: readonly number[]) {
    this.#bytes = bytes
    this.#notes = notes
  }

  read(decoded: unknown): Reply {
    if (Buffer.isBuffer(decoded)) return this.#bytes ? ownBytes(decoded) : decoded.toString("utf8")
    if (typeof decoded === "string") return this.#text(decoded)
    if (Array.isArray(decoded)) return decoded.map((item) => this.read(item))
    if (typeof decoded === "boolean") return decoded ? 1 : 0
    if (decoded instanceof Error) return serverError(decoded.message)
    return decoded as Reply
  }

  #text(text: string): Reply {
    const note = this.#notes[this.#at++]
    if (note === TYPES.number) return wholeNumber(text)
    return note === TYPES.double && this.#bytes ? Buffer.from(text) : text
  }
}
