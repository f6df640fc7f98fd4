import type { KnownSoftware } from "./known-software.ts"

/** What is locked is mostly said by its kind and its id, or by a word alone. */
const keys = ["lock", "locks", "redlock"].flatMap((word) => [
  `${word}:{kind=}:{resource…} string`,
  `${word}:{resource} string`,
])
/** Who holds a lock is known by a token: hexadecimal digits, a UUID, or random letters. */
const tokens = ["hex", "uuid", "token"]

export const redlock: KnownSoftware = {
  name: "Redlock",
  about: "Locks (Redlock): who holds a resource, until the TTL ends",
  keys,
  looks: Object.fromEntries(keys.map((key) => [key, tokens])),
  least: 1,
}
