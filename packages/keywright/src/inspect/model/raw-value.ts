/* The value of a key that no codec can read, because no pattern owns it or it has another type: as it is on the server. */

import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { asWire, showWire } from "../walk/wire.ts"
import { tableOf } from "./told-by-server.ts"

/** Only the beginning of a longer string is read. */
const STRING_BYTES = 65_536

export interface RawValue {
  readonly value: unknown
  readonly cut: boolean
}

/** GETRANGE, LRANGE, XRANGE, or the first page of HSCAN, SSCAN or ZSCAN. Undefined for types that have none of these. */
export async function rawValue(driver: Driver, type: string, key: string, most: number): Promise<RawValue | undefined> {
  const read = readers[type]
  if (read === undefined) return undefined
  const [reply] = await driver.batch([read.command(key, most)], SAFE_BYTES)
  return reply instanceof KeywrightError ? undefined : read.value(reply!, most)
}

interface RawReader {
  readonly command: (key: string, most: number) => Command
  readonly value: (reply: Reply, most: number) => RawValue
}

const shown = (reply: Reply): string => showWire(asWire(reply))

const first = (values: readonly unknown[], most: number, more = false): RawValue => ({
  value: values.slice(0, most),
  cut: more || values.length > most,
})

const scanning = (command: string, make: (elements: readonly Reply[]) => readonly unknown[]): RawReader => ({
  command: (key, most) => [command, key, "0", "COUNT", String(most)],
  value: (reply, most) => {
    const [cursor, elements] = reply as readonly [Reply, readonly Reply[]]
    return first(make(elements), most, shown(cursor) !== "0")
  },
})

const pairs = (elements: readonly Reply[]): readonly [string, string][] =>
  elements.flatMap((one, i) => (i % 2 === 0 ? [[shown(one), shown(elements[i + 1]!)] as [string, string]] : []))

const readers = tableOf<RawReader>({
  string: {
    command: (key) => ["GETRANGE", key, "0", String(STRING_BYTES)],
    value: (reply) => {
      const bytes = reply as Uint8Array
      return { value: shown(bytes.subarray(0, STRING_BYTES)), cut: bytes.length > STRING_BYTES }
    },
  },
  hash: scanning("HSCAN", pairs),
  zset: scanning("ZSCAN", pairs),
  set: scanning("SSCAN", (elements) => elements.map(shown)),
  list: {
    command: (key, most) => ["LRANGE", key, "0", String(most)],
    value: (reply, most) => first((reply as readonly Reply[]).map(shown), most),
  },
  stream: {
    command: (key, most) => ["XRANGE", key, "-", "+", "COUNT", String(most + 1)],
    value: (reply, most) =>
      first(
        (reply as readonly (readonly [Reply, readonly Reply[]])[]).map(([id, fields]) => ({
          id: shown(id),
          ...Object.fromEntries(pairs(fields)),
        })),
        most,
      ),
  },
})
