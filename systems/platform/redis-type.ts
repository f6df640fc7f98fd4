import type { Key } from "keywright"

const OTHERS: Readonly<Record<string, string>> = {
  counter: "string",
  bitmap: "string",
  hyperloglog: "string",
  map: "hash",
  geo: "zset",
}

/** What TYPE answers for a key. */
export const redisTypeOf = ({ kind }: Key): string => OTHERS[kind] ?? kind
