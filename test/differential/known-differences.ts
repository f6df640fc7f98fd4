/* Where the embedded engine rightly answers otherwise than the server it is compared
 * with: Valkey 9.1 for 32 bits against Redis 7.0 for 64. Each has a name, a reason,
 * and an example whose last reply shows it, which a test runs. Whatever is not
 * listed here fails. */

import { ErrorReply, type RawReply } from "../resp-client.ts"

export interface KnownDifference {
  readonly name: string
  readonly reason: string
  readonly example: readonly (readonly string[])[]
  /** Left out: the random commands avoid it. */
  readonly matches?: (command: readonly string[], embedded: RawReply, real: RawReply) => boolean
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    name: "script errors without a digest",
    reason: "Valkey 9 no longer names the script's SHA-1 after an error, nor Redis in its wording.",
    example: [["EVAL", "return redis.call('nosuchcommand')", "0"]],
    matches: bothErrors(
      (embedded, real) =>
        embedded ===
        real
          .replace(/ script: [0-9a-f]{40}, on @/, " script: on @")
          .replace("Redis command", "command")
          .replace("Lua redis lib command arguments", "Command arguments"),
    ),
  },
  {
    name: "negative zero",
    reason:
      "A compact sorted set stores -0 as 0; Valkey sees a long member coming and does not start with a compact one.",
    example: [
      ["ZADD", "z", "-0", "a", "3", "x".repeat(100)],
      ["ZRANGE", "z", "0", "-1", "WITHSCORES"],
    ],
    matches: (_, embedded, real) =>
      JSON.stringify(embedded).replaceAll('"-0"', '"0"') === JSON.stringify(real).replaceAll('"-0"', '"0"'),
  },
  {
    name: "shortest digits",
    reason: "Valkey prints the shortest digits that read back as the same number, Redis 7.0 prints seventeen.",
    example: [["ZINCRBY", "z", "0.1", "m"]],
    matches: ([name = ""], embedded, real) => !name.endsWith("INCRBYFLOAT") && sameNumbers(embedded, real),
  },
  {
    name: "negative LIMIT",
    reason: "In a large sorted set Valkey counts a negative offset from the end, Redis 7.0 finds nothing.",
    example: [
      ["ZADD", "z", "1", "a", "3", "x".repeat(100)],
      ["ZRANGE", "z", "0", "9", "BYSCORE", "LIMIT", "-1", "4"],
    ],
    matches: (command, _, real) => /^Z.* LIMIT -/.test(command.join(" ")) && Array.isArray(real) && real.length === 0,
  },
  {
    name: "wording of unbalanced streams",
    reason: "Valkey names the command in lower case, and for XREADGROUP the ID that is meant.",
    example: [["XREAD", "STREAMS", "a", "b", "0"]],
    matches: bothErrors((embedded, real) => /Unbalanced/.test(embedded) && /Unbalanced/.test(real)),
  },
  {
    name: "a missing member is named",
    reason: "Valkey says which member GEOSEARCH starts from does not exist.",
    example: [
      ["GEOADD", "g", "1", "1", "m"],
      ["GEOSEARCH", "g", "FROMMEMBER", "other", "BYRADIUS", "1", "km"],
    ],
    matches: bothErrors(
      (embedded, real) => /^ERR member .* does not exist$/s.test(embedded) && /could not decode/.test(real),
    ),
  },
  {
    name: "arguments are checked first",
    reason: "Valkey looks at all arguments before it looks up the key, Redis 7.0 after.",
    example: [["BITCOUNT", "missing", "1", "2", "3", "BIT"]],
    matches: (command, embedded) =>
      /^BIT(COUNT|POS)$/.test(command[0] ?? "") && isError(embedded, /syntax|not an integer/),
  },
  {
    name: "ZRANK WITHSCORE",
    reason: "ZRANK and ZREVRANK take one more argument since 7.2, and complain otherwise about a fourth.",
    example: [["ZRANK", "z", "m", "other"]],
    matches: (command, embedded) => /^Z(REV)?RANK$/.test(command[0] ?? "") && isError(embedded, /^ERR syntax error/),
  },
  {
    name: "32 bits",
    reason: "WebAssembly's long has 32 bits: counts and offsets beyond 2^31 are out of range there.",
    example: [["SETRANGE", "s", "4294967296", "x"]],
    matches: (command, embedded) =>
      command.some((argument) => Math.abs(Number(argument)) >= 2 ** 31) &&
      isError(embedded, /out of range|not an integer/),
  },
  {
    name: "SORT of an empty string",
    reason: "Valkey does not take an empty string for a number.",
    example: [
      ["RPUSH", "l", ""],
      ["SORT", "l"],
    ],
    matches: (command, embedded) =>
      command[0]?.startsWith("SORT") === true && isError(embedded, /can't be converted into double/),
  },
  {
    name: "BITCOUNT from an index",
    reason: "Valkey takes a start without an end.",
    example: [
      ["SET", "s", "v"],
      ["BITCOUNT", "s", "0"],
    ],
    matches: (command, _, real) => command[0] === "BITCOUNT" && command.length === 3 && isError(real, /syntax error/),
  },
  {
    name: "GEOPOS of what is no position",
    reason: "C leaves open what becomes of a score that is no geohash: processors differ.",
    example: [
      ["ZADD", "z", "inf", "m"],
      ["GEOPOS", "z", "m"],
    ],
  },
  {
    name: "XSETID below what was deleted",
    reason: "Valkey refuses a last ID below the highest deleted one, Redis 7.0 only below the highest present.",
    example: [
      ["XADD", "s", "5-5", "f", "v"],
      ["XDEL", "s", "5-5"],
      ["XSETID", "s", "3-0"],
    ],
  },
  {
    name: "consumers made by a claim",
    reason: "Since 7.2 XCLAIM and XAUTOCLAIM create the consumer even when they claim nothing.",
    example: [
      ["XGROUP", "CREATE", "s", "g", "$", "MKSTREAM"],
      ["XAUTOCLAIM", "s", "g", "c", "0", "0"],
      ["XINFO", "GROUPS", "s"],
    ],
    matches: (command, embedded, real) =>
      /^(XINFO GROUPS|XGROUP (CREATE|DEL)CONSUMER)/.test(command.join(" ")) &&
      withoutConsumers(embedded) === withoutConsumers(real),
  },
  {
    name: "lag after a deletion",
    reason: "Valkey no longer guesses how far a group is behind when entries after its position were deleted.",
    example: [
      ["XADD", "s", "5-1", "f", "v"],
      ["XADD", "s", "6-1", "f", "v"],
      ["XGROUP", "CREATE", "s", "g", "2-1"],
      ["XDEL", "s", "5-1"],
      ["XINFO", "GROUPS", "s"],
    ],
    matches: (command, embedded, real) =>
      command[1] === "GROUPS" && withoutLag(withoutConsumers(embedded)) === withoutLag(withoutConsumers(real)),
  },
  {
    name: "stored with a deadline that has passed",
    reason: "Valkey removes the key at once, Redis 7.0 when it is next touched: DBSIZE still counts it.",
    example: [["SET", "s", "v", "EXAT", "1000"], ["DBSIZE"]],
  },
  {
    name: "digits of INCRBYFLOAT",
    reason: "A long double has 128 bits in WebAssembly and 80 on x86: their sums round differently.",
    example: [
      ["SET", "s", "5.0e3"],
      ["INCRBYFLOAT", "s", "0.1"],
    ],
  },
]

export function known(command: readonly string[], embedded: RawReply, real: RawReply): KnownDifference | undefined {
  return knownDifferences.find((difference) => difference.matches?.(command, embedded, real))
}

function bothErrors(compare: (embedded: string, real: string) => boolean): NonNullable<KnownDifference["matches"]> {
  return (_, embedded, real) =>
    embedded instanceof ErrorReply && real instanceof ErrorReply && compare(embedded.message, real.message)
}

const isError = (reply: RawReply, message: RegExp) => reply instanceof ErrorReply && message.test(reply.message)

/** The reply without the number of consumers; a bare 0 or 1 says whether one was new. */
function withoutConsumers(reply: RawReply): string {
  if (typeof reply === "number") return ""
  return JSON.stringify(reply).replaceAll(/"consumers",\d+/g, "")
}

const withoutLag = (groups: string) => groups.replaceAll(/"lag",(\d+|null)/g, "")

function sameNumbers(one: RawReply, other: RawReply): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameNumbers(item, other[index] ?? null))
  }
  if (one === other) return true
  if (typeof one !== "string" || typeof other !== "string" || one === "" || other === "") return false
  return /\d\.\d|^-?0$/.test(one) && Number(one) === Number(other)
}
