/* What the console runs. A command that is not in this table is refused, whatever it is: the table
 * says about each whether it writes, where its keys are, and what its answer gives away.
 * commands.test.ts holds it to what a real server says about the same commands. */

/**
 * Which of the arguments are keys: the first one or two, the only one, all, every second, those after STREAMS, or as many
 * as a number says, with a destination before it.
 */
export type KeyRule =
  | { readonly keys: "none" | "one" | "two" | "only" | "all" | "pairs" | "streams" }
  | { readonly keys: "counted"; readonly at: number; readonly destination?: true }

export interface ConsoleCommand {
  readonly access: "read" | "write"
  readonly rule: KeyRule
  /** Its answer and its arguments say nothing about what a key holds: allowed where secrets are. */
  readonly meta?: true
  /** It reads, or frees, everything at once: not on a large key. */
  readonly whole?: true
  /** Words that must not be among its arguments. */
  readonly never?: readonly string[]
  /** The arguments after the name, for the hint. */
  readonly usage: string
}

type Notes = Pick<ConsoleCommand, "meta" | "whole" | "never">
type CommandRow = readonly [names: string, command: Omit<ConsoleCommand, "usage">, usage: string]

const read = (rule: KeyRule, notes: Notes = {}) => ({ access: "read", rule, ...notes }) as const
const write = (rule: KeyRule, notes: Notes = {}) => ({ access: "write", rule, ...notes }) as const
const none = { keys: "none" } as const
const one = { keys: "one" } as const
const all = { keys: "all" } as const
const two = { keys: "two" } as const
const only = { keys: "only" } as const
const counted = { keys: "counted", at: 1 } as const
const stored = { keys: "counted", at: 2, destination: true } as const
const meta = { meta: true } as const
const whole = { whole: true } as const

const ROWS: readonly CommandRow[] = [
  ["PING DBSIZE TIME LASTSAVE", read(none, meta), ""],
  ["ECHO", read(none, meta), "message"],
  ["INFO", read(none, meta), "[section]"],
  ["CLUSTER INFO", read(none, meta), ""],
  ["CLUSTER KEYSLOT", read(none, meta), "key"],
  ["SCAN", read(none), "cursor [MATCH pattern] [COUNT count] [TYPE type]"],
  ["RANDOMKEY", read(none), ""],

  ["TYPE TTL PTTL EXPIRETIME PEXPIRETIME STRLEN HLEN LLEN SCARD ZCARD XLEN", read(one, meta), "key"],
  ["EXISTS", read(all, meta), "key [key …]"],
  ["OBJECT ENCODING", read(only, meta), "key"],
  ["OBJECT FREQ", read(only, meta), "key"],
  ["OBJECT IDLETIME", read(only, meta), "key"],
  ["OBJECT REFCOUNT", read(only, meta), "key"],
  ["MEMORY USAGE", read(one, { ...meta, never: ["SAMPLES"] }), "key"],

  ["GET", read(one, whole), "key"],
  ["GETRANGE", read(one, whole), "key start end"],
  ["MGET", read(all, whole), "key [key …]"],
  ["GETBIT", read(one), "key offset"],
  ["BITCOUNT", read(one, whole), "key [start end]"],
  ["BITPOS", read(one, whole), "key bit [start [end]]"],
  ["BITFIELD_RO", read(one), "key GET encoding offset …"],

  ["HGET HEXISTS HSTRLEN", read(one), "key field"],
  ["HMGET", read(one, whole), "key field [field …]"],
  ["HGETALL HKEYS HVALS", read(one, whole), "key"],
  ["HSCAN SSCAN ZSCAN", read(one), "key cursor [MATCH pattern] [COUNT count]"],

  ["LRANGE", read(one, whole), "key start stop"],
  ["LINDEX", read(one), "key index"],
  ["LPOS", read(one, whole), "key element"],

  ["SISMEMBER", read(one), "key member"],
  ["SMISMEMBER", read(one), "key member [member …]"],
  ["SMEMBERS", read(one, whole), "key"],
  ["SINTER SUNION SDIFF", read(all, whole), "key [key …]"],
  ["SINTERCARD", read(counted, whole), "numkeys key [key …] [LIMIT limit]"],

  ["ZSCORE ZRANK ZREVRANK", read(one), "key member"],
  ["ZMSCORE", read(one), "key member [member …]"],
  ["ZCOUNT ZLEXCOUNT", read(one), "key min max"],
  ["ZRANGE ZREVRANGE", read(one, whole), "key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count] [WITHSCORES]"],
  ["ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX", read(one, whole), "key min max [LIMIT offset count]"],
  ["ZINTER ZUNION ZDIFF", read(counted, whole), "numkeys key [key …] [WITHSCORES]"],
  ["ZINTERCARD", read(counted, whole), "numkeys key [key …] [LIMIT limit]"],
  ["GEOPOS GEOHASH", read(one), "key member [member …]"],
  ["GEODIST", read(one), "key member1 member2 [unit]"],
  ["GEOSEARCH", read(one, whole), "key FROMLONLAT longitude latitude BYRADIUS radius unit"],

  ["XRANGE XREVRANGE", read(one, whole), "key start end [COUNT count]"],
  ["XREAD", read({ keys: "streams" }, { ...whole, never: ["BLOCK"] }), "[COUNT count] STREAMS key [key …] id [id …]"],
  ["XPENDING", read(one, whole), "key group"],
  ["XINFO STREAM", read(one, whole), "key"],
  ["XINFO GROUPS", read(one), "key"],
  ["XINFO CONSUMERS", read(one), "key group"],

  ["DEL", write(all, { ...meta, ...whole }), "key [key …]"],
  ["UNLINK", write(all, meta), "key [key …]"],
  ["EXPIRE PEXPIRE EXPIREAT PEXPIREAT", write(one, meta), "key time [NX|XX|GT|LT]"],
  ["PERSIST", write(one, meta), "key"],
  ["RENAME RENAMENX", write(two), "key newkey"],
  ["COPY", write(two, { ...whole, never: ["DB"] }), "source destination [REPLACE]"],

  ["SET", write(one), "key value [NX|XX] [EX seconds] [KEEPTTL]"],
  ["SETNX GETSET APPEND", write(one), "key value"],
  ["SETEX PSETEX", write(one), "key time value"],
  ["GETDEL INCR DECR", write(one), "key"],
  ["GETEX", write(one), "key [EX seconds | PERSIST]"],
  ["INCRBY DECRBY INCRBYFLOAT", write(one), "key number"],
  ["MSET MSETNX", write({ keys: "pairs" }), "key value [key value …]"],

  ["HSET HMSET", write(one), "key field value [field value …]"],
  ["HSETNX", write(one), "key field value"],
  ["HDEL", write(one), "key field [field …]"],
  ["HINCRBY HINCRBYFLOAT", write(one), "key field number"],

  ["LPUSH RPUSH LPUSHX RPUSHX", write(one), "key element [element …]"],
  ["LPOP RPOP", write(one, whole), "key [count]"],
  ["LSET", write(one), "key index element"],
  ["LREM", write(one, whole), "key count element"],
  ["LINSERT", write(one, whole), "key BEFORE|AFTER pivot element"],
  ["LTRIM", write(one, whole), "key start stop"],
  ["LMOVE", write(two), "source destination LEFT|RIGHT LEFT|RIGHT"],
  ["RPOPLPUSH", write(two), "source destination"],

  ["SADD SREM", write(one), "key member [member …]"],
  ["SPOP", write(one, whole), "key [count]"],
  ["SMOVE", write(two), "source destination member"],
  ["SINTERSTORE SUNIONSTORE SDIFFSTORE", write(all, whole), "destination key [key …]"],

  ["ZADD", write(one), "key [NX|XX] [GT|LT] [CH] score member [score member …]"],
  ["ZREM", write(one), "key member [member …]"],
  ["ZINCRBY", write(one), "key increment member"],
  ["ZPOPMIN ZPOPMAX", write(one, whole), "key [count]"],
  ["ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX", write(one, whole), "key min max"],
  ["ZRANGESTORE", write(two, whole), "destination source min max"],
  ["ZINTERSTORE ZUNIONSTORE ZDIFFSTORE", write(stored, whole), "destination numkeys key [key …]"],
  ["GEOADD", write(one), "key longitude latitude member"],

  ["XADD", write(one), "key * field value [field value …]"],
  ["XDEL", write(one), "key id [id …]"],
  ["XTRIM", write(one, whole), "key MAXLEN|MINID threshold"],
  ["PFADD", write(one), "key element [element …]"],
]

const byName = ([names, command, usage]: CommandRow): (readonly [string, ConsoleCommand])[] => {
  // A name of two words is one command of a container.
  const isContainer = /^(?:OBJECT|MEMORY|XINFO|CLUSTER) /.test(names)
  return (isContainer ? [names] : names.split(" ")).map((name) => [name, { ...command, usage }] as const)
}

export const consoleCommands: ReadonlyMap<string, ConsoleCommand> = new Map(ROWS.flatMap(byName))

/** Why a command will never be run here, for those that people try. */
const WHY: readonly (readonly [names: string, why: string])[] = [
  [
    "CONFIG ACL SHUTDOWN DEBUG MODULE FAILOVER CLIENT LATENCY RESET",
    "It changes the server itself, or shows its secrets.",
  ],
  ["FLUSHALL FLUSHDB SWAPDB MOVE", "It empties or replaces a whole database."],
  ["REPLICAOF SLAVEOF PSYNC SYNC REPLCONF MIGRATE RESTORE DUMP", "It moves data between servers."],
  ["EVAL EVAL_RO EVALSHA EVALSHA_RO SCRIPT FUNCTION FCALL FCALL_RO", "A script may touch any key."],
  [
    "MONITOR SUBSCRIBE PSUBSCRIBE SSUBSCRIBE PUBLISH SPUBLISH",
    "The live view shows commands; the console has no streams.",
  ],
  ["MULTI EXEC DISCARD WATCH UNWATCH", "The console runs one command at a time."],
  [
    "BLPOP BRPOP BLMOVE BRPOPLPUSH BZPOPMIN BZPOPMAX BLMPOP BZMPOP WAIT WAITAOF XREADGROUP",
    "It may wait, or takes work away from its consumers.",
  ],
  [
    "LCS SETBIT SETRANGE SRANDMEMBER HRANDFIELD ZRANDMEMBER",
    "With some arguments it takes all of the server's time or memory.",
  ],
  ["KEYS SORT SORT_RO", "It may read the whole database at once. SCAN, or the list of a pattern, is gentle."],
  ["SLOWLOG", "Its entries may hold secrets. The live view shows it by pattern."],
  ["SELECT", "Choose the database beside the input."],
  ["SAVE BGSAVE BGREWRITEAOF", "keywright backup does that, and waits until it is done."],
  ["AUTH HELLO QUIT", "The connection belongs to the studio."],
]

export const whyNever = (name: string): string =>
  WHY.find(([names]) => names.split(" ").includes(name))?.[1] ??
  "The console runs only commands that it fully understands."
