/* The reply type of each command, so that a reply of another type is an error where it
 * arrives, and does not reach a caller as `["O", "K"]`. Commands whose answer depends on
 * their arguments, and those that are not here, are not checked. */

import type { Answering, Command, Reply } from "./driver.ts"
import { SHORT_REPLY_BYTES } from "./resp-reader.ts"

export const COUNT = "a whole number below 2^53"

const kinds = {
  text: "text",
  maybeText: "text or nothing",
  number: "a whole number",
  count: COUNT,
  list: "a list",
  texts: "a list of texts",
  maybeTexts: "a list of texts, some of which may be missing",
  maybeList: "a list or nothing",
  cursor: "a cursor and a list",
  taken: "text, a list of texts or nothing",
  ok: "OK",
  set: "OK, with a condition or nothing, with GET or the value before",
  added: "a whole number, with INCR a score or nothing",
  place: "a place or nothing",
  id: "the id of an entry",
  group: "OK, or a whole number, or with HELP a list",
  popped: "one of its keys and an element, or nothing",
} as const

type ReplyKind = keyof typeof kinds

const COMMANDS: Readonly<Record<ReplyKind, string>> = {
  text: "PING TYPE INFO BGSAVE GETRANGE INCRBYFLOAT HINCRBYFLOAT ZINCRBY",
  ok: "MSET LSET LTRIM RENAME RESTORE PFMERGE FLUSHDB FLUSHALL SWAPDB SAVE HMSET PSETEX SETEX",
  maybeText: "GET GETEX GETDEL GETSET HGET LINDEX ZSCORE GEODIST DUMP LMOVE BLMOVE RPOPLPUSH RANDOMKEY",
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
  maybeList: "BZPOPMIN BZPOPMAX LMPOP BLMPOP ZMPOP BZMPOP XREAD XREADGROUP",
  cursor: "SCAN SSCAN HSCAN ZSCAN",
  taken: "LPOP RPOP SPOP SRANDMEMBER",
  set: "SET",
  added: "ZADD",
  place: "ZRANK ZREVRANK LPOS",
  id: "XADD",
  group: "XGROUP",
  popped: "BLPOP BRPOP",
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

const isCursor = (reply: unknown): boolean =>
  isText(reply) && (reply as string).length <= 20 && /^\d+$/.test(bufferOf(reply).toString("latin1"))

/** Only a SET with a condition, or one that returns the value before, may answer with nothing. */
const mayBeNothing = (word: unknown, at: number): boolean =>
  at > 2 && typeof word === "string" && /^(?:NX|XX|GET|IF\w+)$/i.test(word)

const isOption = (option: string) => (word: unknown, at: number) =>
  at > 1 && typeof word === "string" && word.toUpperCase() === option
const isIncr = isOption("INCR")
const isOnlyThere = isOption("NOMKSTREAM")

/** Compares text and bytes alike. */
const isSame = (reply: unknown, text: unknown): boolean =>
  reply === text || (isText(reply) && isText(text) && bufferOf(reply).equals(bufferOf(text)))
const bufferOf = (text: unknown): Buffer => Buffer.from(text as string)
const isId = (reply: unknown): boolean =>
  isText(reply) && /^\d{1,20}-\d{1,20}$/.test(bufferOf(reply).toString("latin1"))

/** The type the command should return, if the reply has another one. An error is a valid reply to every command. */
export function expectedInstead(command: Command, reply: Reply): string | undefined {
  const kind = KIND_OF.get(command[0])
  if (kind === undefined) return undefined
  if (!fits(kind, reply, command)) return kinds[kind]
  return Array.isArray(reply) ? lengthInstead(command, reply.length) : undefined
}

/** The same of a script that returns what a command does; Lua has whole numbers beyond 2^53 as text. */
export function expectedOfScript({ command, mayBeNothing }: Answering, reply: Reply): string | undefined {
  if (reply === null && mayBeNothing) return undefined
  if (KIND_OF.get(command[0]) === "number" && isLongNumber(reply)) return undefined
  return expectedInstead(command, reply)
}

const isLongNumber = (reply: Reply): boolean =>
  isText(reply) && /^-?\d{16,19}$/.test(bufferOf(reply).toString("latin1"))

/** The position of the first word that is answered by an element of its own. */
const EACH_FROM: ReadonlyMap<unknown, number> = new Map([
  ["MGET", 1],
  ...["HMGET", "SMISMEMBER", "ZMSCORE", "GEOPOS"].map((name) => [name, 2] as const),
])
const IN_PAIRS = new Set<unknown>(["HGETALL", "ZPOPMIN", "ZPOPMAX", "TIME"])
const MAY_BE_IN_PAIRS = new Set<unknown>(["ZRANGE", "ZREVRANGE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE"])
const isWithScores = (word: unknown, at: number): boolean =>
  at > 3 && typeof word === "string" && /^WITHSCORES$/i.test(word)

/** In a list that lacks an element, those behind it would be mistaken for the answers to other words. */
function lengthInstead(command: Command, length: number): string | undefined {
  const [name] = command
  const from = EACH_FROM.get(name)
  if (from !== undefined) return length === command.length - from ? undefined : `a list of ${command.length - from}`
  if (length % 2 === 0) return undefined
  const isInPairs = IN_PAIRS.has(name) || (MAY_BE_IN_PAIRS.has(name) && command.some(isWithScores))
  return isInPairs ? "a list of pairs" : undefined
}

function fits(kind: ReplyKind, reply: Reply, command: Command): boolean {
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
        isCursor(reply[0]) &&
        Array.isArray(reply[1]) &&
        reply[1].every(isText)
      )
    case "taken":
      return reply === null || isText(reply) || (Array.isArray(reply) && reply.every(isText))
    case "ok":
      return isSame(reply, "OK")
    case "set":
      if (reply === null) return command.some(mayBeNothing)
      return isSame(reply, "OK") || (isText(reply) && command.some(isGet))
    case "added":
      return typeof reply === "number" || ((reply === null || isText(reply)) && command.some(isIncr))
    case "place":
      // With options, also a list of places, or a place and a score.
      if (command.length > 3) return reply === null || typeof reply === "number" || Array.isArray(reply)
      return reply === null || (typeof reply === "number" && reply >= 0)
    case "id":
      return reply === null ? command.some(isOnlyThere) : isId(reply)
    case "group":
      if (/^HELP$/i.test(String(command[1]))) return Array.isArray(reply)
      return /^(?:CREATE|SETID)$/i.test(String(command[1])) ? isSame(reply, "OK") : typeof reply === "number"
    case "popped":
      if (reply === null) return true
      return Array.isArray(reply) && reply.length === 2 && reply.every(isText) && isOneOfKeys(reply[0], command)
  }
}

/** The last word is how long to wait. */
const isOneOfKeys = (reply: unknown, command: Command): boolean =>
  command.some((word, at) => at > 0 && at < command.length - 1 && isSame(reply, word))

/** For messages: what it is, never what is in it. */
export function kindOf(reply: Reply | undefined): string {
  if (reply === null || reply === undefined) return "nothing"
  if (Array.isArray(reply)) return `a list of ${reply.length}`
  if (isText(reply)) return "text"
  return typeof reply === "number" || typeof reply === "bigint" ? "a whole number" : "an error"
}
