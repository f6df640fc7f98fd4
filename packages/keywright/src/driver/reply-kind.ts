/* The reply type of each command, so that a reply of another type is an error where it
 * arrives, and does not reach a caller as `["O", "K"]`. Commands whose answer depends on
 * their arguments, and those that are not here, are not checked. */

import type { Command, Reply } from "./driver.ts"
import { SHORT_REPLY_BYTES } from "./resp-reader.ts"

const kinds = {
  text: "text",
  maybeText: "text or nothing",
  number: "a whole number",
  count: "a whole number below 2^53",
  list: "a list",
  texts: "a list of texts",
  maybeTexts: "a list of texts, some of which may be missing",
  maybeList: "a list or nothing",
  cursor: "a cursor and a list",
  taken: "text, a list of texts or nothing",
  one: "a single value or nothing",
} as const

type ReplyKind = keyof typeof kinds

const COMMANDS: Readonly<Record<ReplyKind, string>> = {
  text:
    "MSET LSET LTRIM RENAME RESTORE TYPE INFO PFMERGE FLUSHDB FLUSHALL SWAPDB SAVE BGSAVE GETRANGE HMSET PSETEX SETEX " +
    "INCRBYFLOAT HINCRBYFLOAT",
  maybeText:
    "GET SET GETEX GETDEL GETSET HGET LINDEX ZSCORE ZINCRBY GEODIST DUMP XADD LMOVE BLMOVE RPOPLPUSH RANDOMKEY",
  number: "INCR DECR INCRBY DECRBY HINCRBY",
  count:
    "EXISTS DEL UNLINK TOUCH COPY EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST TTL PTTL EXPIRETIME PEXPIRETIME DBSIZE STRLEN " +
    "APPEND SETNX MSETNX SETBIT GETBIT BITCOUNT BITPOS BITOP SETRANGE PFADD PFCOUNT HSET HDEL HLEN HEXISTS HSETNX HSTRLEN " +
    "SADD SREM SCARD SISMEMBER SMOVE SINTERCARD SUNIONSTORE SINTERSTORE SDIFFSTORE LPUSH " +
    "RPUSH LPUSHX RPUSHX LLEN LREM LINSERT ZREM ZCARD ZCOUNT ZLEXCOUNT ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX " +
    "ZRANGESTORE ZUNIONSTORE ZINTERSTORE ZDIFFSTORE GEOADD GEOSEARCHSTORE XLEN XTRIM XDEL XACK PUBLISH WAIT LASTSAVE",
  list: "SMISMEMBER GEOPOS GEOSEARCH XRANGE XREVRANGE XPENDING XCLAIM XAUTOCLAIM BITFIELD BITFIELD_RO",
  texts:
    "HGETALL HKEYS HVALS SMEMBERS SUNION SINTER SDIFF LRANGE ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX " +
    "ZUNION ZINTER ZDIFF ZPOPMIN ZPOPMAX KEYS TIME",
  maybeTexts: "MGET HMGET ZMSCORE SORT_RO",
  maybeList: "BLPOP BRPOP BZPOPMIN BZPOPMAX LMPOP BLMPOP ZMPOP BZMPOP XREAD XREADGROUP",
  cursor: "SCAN SSCAN HSCAN ZSCAN",
  taken: "LPOP RPOP SPOP SRANDMEMBER",
  one: "ZADD",
}

const KIND_OF: ReadonlyMap<unknown, ReplyKind> = new Map(
  Object.entries(COMMANDS).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name, kind as ReplyKind] as const),
  ),
)

/* The most bytes of a reply. A command whose reply holds values or keys is bounded by the connection alone
 * (`replyBytes`); every other is bounded by what was asked, so that a server cannot fill the memory with it. */

/** A few thousand bytes, on most servers; of a large cluster, or of very many clients, some megabytes. */
const REPORT_BYTES = 16 * 1024 * 1024
const LONG_REPORT_BYTES = 64 * 1024 * 1024
const SHORT_TEXTS =
  "MSET LSET LTRIM RENAME RESTORE TYPE PFMERGE FLUSHDB FLUSHALL SWAPDB SAVE BGSAVE HMSET PSETEX SETEX TIME SET " +
  "INCRBYFLOAT HINCRBYFLOAT ZSCORE ZADD ZINCRBY GEODIST XADD XSETID XGROUP MULTI WATCH UNWATCH DISCARD ASKING READONLY " +
  "SELECT AUTH PING SCRIPT ZRANK ZREVRANK"
/** One element for each word at most: a number, or a pair of them. */
const BY_WORDS = new Set<unknown>(["SMISMEMBER", "ZMSCORE", "GEOPOS", "BITFIELD", "BITFIELD_RO", "HPEXPIRETIME"])
const BYTES_OF_WORD = 512
const REPORTS = "INFO CONFIG HELLO ROLE LATENCY MEMORY OBJECT COMMAND MODULE"
const LONG_REPORTS = "CLUSTER CLIENT SLOWLOG ACL"

const MOST_BYTES: ReadonlyMap<unknown, number> = new Map([
  ...[...COMMANDS.count.split(" "), ...COMMANDS.number.split(" "), ...SHORT_TEXTS.split(" ")].map(
    (name) => [name, SHORT_REPLY_BYTES] as const,
  ),
  ...REPORTS.split(" ").map((name) => [name, REPORT_BYTES] as const),
  ...LONG_REPORTS.split(" ").map((name) => [name, LONG_REPORT_BYTES] as const),
])

/** The most bytes of the reply to a command; infinite where only the limit of the connection holds. */
export function mostBytesOf(command: Command): number {
  const [name] = command
  if (name === "SET" && command.some(isGet)) return Infinity
  if (name === "GETRANGE") return Math.max(SHORT_REPLY_BYTES, lengthOf(command[2], command[3]))
  if (BY_WORDS.has(name)) return SHORT_REPLY_BYTES + command.length * BYTES_OF_WORD
  return MOST_BYTES.get(name) ?? Infinity
}

/** The most bytes of what EXEC returns. */
export const mostBytesOfAll = (commands: readonly Command[]): number =>
  commands.reduce((sum, command) => sum + mostBytesOf(command), SHORT_REPLY_BYTES)

/** Answers with the value that was there before. */
const isGet = (word: unknown, at: number): boolean => at > 2 && typeof word === "string" && /^GET$/i.test(word)

/** Positions below zero count from an end that is not known. */
function lengthOf(from: unknown, to: unknown): number {
  const [first, last] = [Number(from), Number(to)]
  return first >= 0 && last >= 0 ? last - first + 1 : Infinity
}

const isText = (reply: unknown): boolean => typeof reply === "string" || reply instanceof Uint8Array

const mayBeNothing = (word: unknown, at: number): boolean =>
  at > 2 && typeof word === "string" && /^(?:NX|XX|GET|IF\w+)$/i.test(word)

/** The type the command should return, if the reply has another one. An error is a valid reply to every command. */
export function expectedInstead(command: Command, reply: Reply): string | undefined {
  let kind = KIND_OF.get(command[0])
  // Only a SET with a condition, or one that returns the value before, may answer with nothing.
  if (reply === null && command[0] === "SET" && !command.some(mayBeNothing)) kind = "text"
  if (kind === undefined) return undefined
  if (!fits(kind, reply)) return kinds[kind]
  return Array.isArray(reply) ? lengthInstead(command, reply.length) : undefined
}

/** Where the words begin of which each is answered by an element. */
const EACH_FROM: ReadonlyMap<unknown, number> = new Map([
  ["MGET", 1],
  ...["HMGET", "SMISMEMBER", "ZMSCORE", "GEOPOS"].map((name) => [name, 2] as const),
])
const IN_PAIRS = new Set<unknown>(["HGETALL", "ZPOPMIN", "ZPOPMAX", "TIME"])
const MAY_BE_IN_PAIRS = new Set<unknown>(["ZRANGE", "ZREVRANGE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE"])
const isWithScores = (word: unknown, at: number): boolean =>
  at > 3 && typeof word === "string" && /^WITHSCORES$/i.test(word)

/** In a list that lacks an element, those behind it would be taken for the answers to other words. */
function lengthInstead(command: Command, length: number): string | undefined {
  const [name] = command
  const from = EACH_FROM.get(name)
  if (from !== undefined) return length === command.length - from ? undefined : `a list of ${command.length - from}`
  if (length % 2 === 0) return undefined
  const isInPairs = IN_PAIRS.has(name) || (MAY_BE_IN_PAIRS.has(name) && command.some(isWithScores))
  return isInPairs ? "a list of pairs" : undefined
}

function fits(kind: ReplyKind, reply: Reply): boolean {
  switch (kind) {
    case "maybeText":
      return typeof reply === "string" || reply === null || isText(reply)
    case "number":
      return typeof reply === "number" || typeof reply === "bigint"
    case "count":
      return typeof reply === "number"
    case "text":
      return isText(reply)
    case "list":
      return Array.isArray(reply)
    case "texts":
      return Array.isArray(reply) && reply.every(isText)
    case "maybeTexts":
      return Array.isArray(reply) && reply.every((one) => one === null || isText(one))
    case "maybeList":
      return reply === null || Array.isArray(reply)
    case "cursor":
      return (
        Array.isArray(reply) &&
        reply.length === 2 &&
        isText(reply[0]) &&
        Array.isArray(reply[1]) &&
        reply[1].every(isText)
      )
    case "taken":
      return reply === null || isText(reply) || (Array.isArray(reply) && reply.every(isText))
    case "one":
      return !Array.isArray(reply)
  }
}

/** For messages: what it is, never what is in it. */
export function kindOf(reply: Reply | undefined): string {
  if (reply === null || reply === undefined) return "nothing"
  if (Array.isArray(reply)) return `a list of ${reply.length}`
  if (isText(reply)) return "text"
  return typeof reply === "number" || typeof reply === "bigint" ? "a whole number" : "an error"
}
