/* Redis commands as pages write them: for the shell (`SADD cart:list "1"`) and as
 * calls of a client library (`r.hget('db_len', 'post')`). */

import { firstKey } from "../../driver/first-key.ts"
import type { RedisType } from "../../schema/define.ts"
import { type MaskedLine } from "./page-text.ts"

/** Commands of one type, and those that take a key of any type or of several. */
const BY_TYPE: Readonly<Record<RedisType, string>> = {
  string:
    "GET SET SETEX PSETEX SETNX GETSET GETDEL GETEX GETRANGE SETRANGE STRLEN APPEND MGET MSET MSETNX INCR DECR INCRBY DECRBY INCRBYFLOAT SETBIT GETBIT BITCOUNT BITPOS BITFIELD PFADD PFCOUNT PFMERGE",
  hash: "HGET HSET HSETNX HMGET HMSET HGETALL HDEL HEXISTS HKEYS HVALS HLEN HINCRBY HINCRBYFLOAT HSCAN HSTRLEN HRANDFIELD",
  list: "LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LRANGE LTRIM LLEN LINDEX LSET LREM LINSERT LPOS LMOVE RPOPLPUSH BLPOP BRPOP BLMOVE",
  set: "SADD SREM SMEMBERS SISMEMBER SMISMEMBER SCARD SPOP SRANDMEMBER SMOVE SINTER SUNION SDIFF SINTERSTORE SUNIONSTORE SDIFFSTORE SSCAN",
  zset: "ZADD ZREM ZSCORE ZMSCORE ZINCRBY ZCARD ZCOUNT ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANK ZREVRANK ZPOPMIN ZPOPMAX ZREMRANGEBYSCORE ZREMRANGEBYRANK ZUNIONSTORE ZINTERSTORE ZSCAN GEOADD GEOSEARCH GEODIST GEOPOS GEORADIUS",
  stream: "XADD XRANGE XREVRANGE XLEN XREAD XREADGROUP XACK XTRIM XDEL XPENDING XCLAIM XAUTOCLAIM",
}
const ANY = "DEL UNLINK EXISTS EXPIRE PEXPIRE EXPIREAT TTL PTTL PERSIST TYPE RENAME RENAMENX DUMP TOUCH OBJECT MEMORY"
const MANY = new Set(
  "DEL UNLINK EXISTS MGET TOUCH SINTER SUNION SDIFF PFCOUNT RENAME RENAMENX SMOVE LMOVE RPOPLPUSH".split(" "),
)

const types = new Map<string, RedisType | undefined>([
  ...Object.entries(BY_TYPE).flatMap(([type, names]) =>
    names.split(" ").map((name) => [name, type as RedisType] as const),
  ),
  ...ANY.split(" ").map((name) => [name, undefined] as const),
])

export interface PageCommand {
  readonly name: string
  /** The type that it is for; undefined for any. */
  readonly type: RedisType | undefined
  /** As masked words. */
  readonly keys: readonly string[]
  /** In quotes in a client's call: certainly meant as keys. */
  readonly quoted: boolean
  /** As written: `"r.get('rs_param', …)"`. */
  readonly shown: string
  /** What the line says after the keys, as it was written. */
  readonly rest: string
}

/** More of a line is not looked at for one command: a line may have thousands of them. */
const LONGEST = 2000
/** Words up to the key of a command that has one key: more than XREADGROUP takes before it. */
const MOST_WORDS = 16

const call = /\b\w+\.([A-Za-z_]{3,20})\(\s*(['"])([^'"]+)\2\s*([,)])/g
const words = new RegExp(`(?<![\\w.'"/-])(${[...types.keys()].join("|")})\\s+(?=\\S)`, "g")

export function commandsIn(line: MaskedLine): PageCommand[] {
  return [...calls(line), ...typed(line)]
}

function* calls({ text, restore }: MaskedLine): Generator<PageCommand> {
  for (const [whole, method, quote, key, end] of text.matchAll(call)) {
    const name = (method as string).replaceAll("_", "").toUpperCase()
    if (!types.has(name)) continue
    const shown = `${restore(whole as string).replace(/(?<!\s)\s*[,)]$/, "")}${end === "," ? ", …" : ""})`
    yield { name, type: types.get(name), keys: [key as string], quoted: quote !== undefined, shown, rest: "" }
  }
}

function* typed({ text, restore }: MaskedLine): Generator<PageCommand> {
  for (const match of text.matchAll(words)) {
    const name = match[1] as string
    const after = text.slice(match.index, match.index + LONGEST)
    const args = splitWords(after, MANY.has(name) ? LONGEST : MOST_WORDS)
    const first = firstKey(args)
    const at = first === undefined ? -1 : args.indexOf(String(first))
    if (at < 1) continue
    const keys = MANY.has(name) ? args.slice(at) : [String(first)]
    const rest = restore(after.slice(after.indexOf(keys[0] as string) + (keys[0] as string).length))
    yield { name, type: types.get(name), keys, quoted: false, shown: restore(`${name} ${keys[0]}`), rest }
  }
}

/** Without quotes around it, and what ends a sentence: looked for once, however many of these there are. */
export const bareWord = (word: string): string => word.replace(/^["'`]+|(?<!["'`,;.)])["'`,;.)]+$/g, "")

/** The words of a command, up to where prose or a remark begins. */
function splitWords(text: string, most: number): string[] {
  const found: string[] = []
  for (const [word] of text.matchAll(/'[^']*'|"[^"]*"|\S+/g)) {
    if (/^(#|\/\/|→|->|\||\\|\(|`|=)/.test(word)) break
    found.push(bareWord(word))
    if (found.length === most || /[,;)`]$/.test(word)) break
  }
  return found
}
