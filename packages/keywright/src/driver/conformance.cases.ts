/* What every driver must give back: one command after some others, and its reply.
 * The same table runs over every driver and protocol; see conformance.test.ts. */

import { Refused, WrongType } from "../errors/outcome.ts"
import type { CallOptions, Command, Reply } from "./driver.ts"

export interface ReplyCase {
  readonly name: string
  readonly before: readonly Command[]
  readonly command: Command
  readonly reply: Reply | Refusal
  readonly options?: CallOptions
}

/** An error is expected, of this class and code. */
export class Refusal {
  readonly type: new (...args: never[]) => Error
  readonly code: string

  constructor(type: new (...args: never[]) => Error, code: string) {
    this.type = type
    this.code = code
  }
}

const BYTES: CallOptions = { bytes: true }
const wrongType = new Refusal(WrongType, "SERVER.WRONGTYPE")
const err = new Refusal(Refused, "SERVER.ERR")
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
const bytes = (...values: number[]) => Buffer.from(values)
const text = (value: string) => Buffer.from(value)
const large = "0123456789abcdef".repeat(64 * 1024 * 10)
const largeBytes = Buffer.from(large)
const longList = Array.from({ length: 5000 }, (_, i) => String(i + 1))
const MAX = 9223372036854775807n
const MIN = -9223372036854775808n
const SAFE = Number.MAX_SAFE_INTEGER

/** `k`, and keys that start with it, are the case's own. */
export function replyCases(k: string): ReplyCase[] {
  const is = (
    name: string,
    before: readonly Command[],
    command: Command,
    reply: Reply | Refusal,
    options?: CallOptions,
  ) => (options === undefined ? { name, before, command, reply } : { name, before, command, reply, options })
  const set = (value: string | Uint8Array): Command => ["SET", k, value]
  const get: Command = ["GET", k]
  const hash: Command = ["HSET", k, "a", "1", "b", "2"]
  const zset: Command = ["ZADD", k, "1", "a", "2.5", "b", "-inf", "low", "+inf", "top"]
  const list: Command = ["RPUSH", k, "a", "b", "c"]
  const entry: Command = ["XADD", k, "1-1", "f", "v", "g", "w"]
  return [
    // Status replies and nulls
    is("PING is answered by a status", [], ["PING"], "PONG"),
    is("ECHO gives the text back", [], ["ECHO", "hello"], "hello"),
    is("SET answers OK", [], set("v"), "OK"),
    is("a key that is not there is null", [], get, null),
    is("a field that is not there is null", [hash], ["HGET", k, "c"], null),
    is("a null array is null", [], ["LPOP", k, "2"], null),
    is("SET NX that does not set is null", [set("v")], ["SET", k, "w", "NX"], null),
    is("SET GET answers the old value", [set("old")], ["SET", k, "new", "GET"], "old"),
    is("TYPE answers a status", [hash], ["TYPE", k], "hash"),
    is("TYPE of no key is none", [], ["TYPE", k], "none"),
    is("the rank of no member is null", [zset], ["ZRANK", k, "none"], null),
    is("the score of no member is null", [zset], ["ZSCORE", k, "none"], null),
    is("a blocking pop that times out is null", [], ["BLPOP", k, "0.01"], null),
    is("XREAD without entries is null", [], ["XREAD", "STREAMS", k, "0"], null),
    // Strings, and what they may hold
    is("an empty string is not null", [set("")], get, ""),
    is("text comes back as it was", [set("grüße 🎈 日本")], get, "grüße 🎈 日本"),
    is("text with line ends comes back", [set("a\r\nb\n$5\r\n*1\r\n")], get, "a\r\nb\n$5\r\n*1\r\n"),
    is("text with a zero byte comes back", [set("a\0b")], get, "a\0b"),
    is("a value that looks like an error is text", [set("-ERR no")], get, "-ERR no"),
    is("a value that looks like an integer is text", [set("42")], get, "42"),
    is("a value that looks like a big integer is text", [set("9223372036854775808")], get, "9223372036854775808"),
    is("text of 40 characters", [set("x".repeat(40))], get, "x".repeat(40)),
    is("text of 41 characters", [set("x".repeat(41))], get, "x".repeat(41)),
    is("text of 16,384 bytes", [set("x".repeat(16_384))], get, "x".repeat(16_384)),
    is("text of 16,385 bytes", [set("x".repeat(16_385))], get, "x".repeat(16_385)),
    is("long text of several bytes a character", [set("é".repeat(9000))], get, "é".repeat(9000)),
    is("text of 65,535 bytes", [set("y".repeat(65_535))], get, "y".repeat(65_535)),
    is("text of 10 MB", [set(large)], get, large),
    is("the length is that in bytes", [set("é")], ["STRLEN", k], 2),
    is("a key of several bytes a character", [["SET", `${k}é日`, "v"]], ["GET", `${k}é日`], "v"),
    is("a key with spaces and quotes", [["SET", `${k} "x" '`, "v"]], ["GET", `${k} "x" '`], "v"),
    // Bytes
    is("all bytes come back as bytes", [set(allBytes)], get, allBytes, BYTES),
    is("a Uint8Array is sent as its bytes", [set(new Uint8Array([0, 255, 128]))], get, bytes(0, 255, 128), BYTES),
    is("a part of a Uint8Array is sent as that part", [set(allBytes.subarray(65, 68))], get, "ABC"),
    is("no bytes come back as no bytes", [set(new Uint8Array(0))], get, bytes(), BYTES),
    is("bytes that are not UTF-8 come back", [set(bytes(0xc3, 0x28, 0xff))], get, bytes(0xc3, 0x28, 0xff), BYTES),
    is("10 MB come back as bytes", [set(largeBytes)], get, largeBytes, BYTES),
    is("a null is null for bytes too", [], get, null, BYTES),
    is("an integer is an integer for bytes too", [], ["INCR", k], 1, BYTES),
    is(
      "bytes within an array",
      [["RPUSH", k, bytes(255), "t"]],
      ["LRANGE", k, "0", "-1"],
      [bytes(255), text("t")],
      BYTES,
    ),
    is("bytes within a hash", [["HSET", k, bytes(1), bytes(254)]], ["HGETALL", k], [bytes(1), bytes(254)], BYTES),
    is(
      "a key of bytes",
      [["SET", Buffer.concat([text(k), allBytes]), "v"]],
      ["GET", Buffer.concat([text(k), allBytes])],
      "v",
    ),
    is("scores are bytes when bytes are asked for", [zset], ["ZSCORE", k, "b"], text("2.5"), BYTES),
    is("MGET of bytes with a gap", [set(bytes(200))], ["MGET", k, `${k}:no`], [bytes(200), null], BYTES),
    is("a dump is bytes", [["SETBIT", k, "7", "1"]], ["GETRANGE", k, "0", "0"], bytes(1), BYTES),
    // Integers
    is("INCR answers a number", [], ["INCR", k], 1),
    is("a negative integer", [], ["DECRBY", k, "5"], -5),
    is("zero", [set("1")], ["DECR", k], 0),
    is("the largest safe integer is a number", [set(String(SAFE - 1))], ["INCR", k], SAFE),
    is("the next one is a bigint", [set(String(SAFE))], ["INCR", k], 9007199254740992n),
    is("the one after is exact", [set("9007199254740992")], ["INCR", k], 9007199254740993n),
    is("the largest integer is exact", [set(String(MAX - 1n))], ["INCR", k], MAX),
    is("the smallest integer is exact", [set(String(MIN + 1n))], ["DECR", k], MIN),
    is("INCRBY beyond 2^53 is exact", [], ["INCRBY", k, "9007199254740995"], 9007199254740995n),
    is("DECRBY beyond 2^53 is exact", [], ["DECRBY", k, "9007199254740997"], -9007199254740997n),
    is("HINCRBY beyond 2^53 is exact", [], ["HINCRBY", k, "f", "9007199254740993"], 9007199254740993n),
    is("HINCRBY of a small number", [hash], ["HINCRBY", k, "a", "-3"], -2),
    is("INCR in lower case", [set("9007199254740992")], ["incr", k], 9007199254740993n),
    is("EXISTS counts", [set("v")], ["EXISTS", k, k, `${k}:no`], 2),
    is("DEL counts", [set("v")], ["DEL", k, `${k}:no`], 1),
    is("TTL without expiry is -1", [set("v")], ["TTL", k], -1),
    is("TTL without key is -2", [], ["TTL", k], -2),
    is("EXPIRETIME is the second", [["SET", k, "v", "EXAT", "33177117420"]], ["EXPIRETIME", k], 33177117420),
    is(
      "PEXPIRETIME is the millisecond",
      [["SET", k, "v", "PXAT", "33177117420123"]],
      ["PEXPIRETIME", k],
      33177117420123,
    ),
    // Floats are the server's text
    is("INCRBYFLOAT answers text", [set("10.5")], ["INCRBYFLOAT", k, "0.5"], "11"),
    is("HINCRBYFLOAT answers text", [["HSET", k, "f", "1"]], ["HINCRBYFLOAT", k, "f", "0.25"], "1.25"),
    is("a score is text", [zset], ["ZSCORE", k, "b"], "2.5"),
    is("a whole score is text", [zset], ["ZSCORE", k, "a"], "1"),
    is("an infinite score is text", [zset], ["ZSCORE", k, "top"], "inf"),
    is("a negative infinite score is text", [zset], ["ZSCORE", k, "low"], "-inf"),
    is("ZINCRBY answers text", [zset], ["ZINCRBY", k, "1", "a"], "2"),
    is("ZADD INCR answers text", [zset], ["ZADD", k, "INCR", "0.5", "b"], "3"),
    is("ZADD INCR that does not apply is null", [zset], ["ZADD", k, "NX", "INCR", "1", "a"], null),
    is("a score of 2^53 + 2 is text", [["ZADD", k, "9007199254740994", "m"]], ["ZSCORE", k, "m"], "9007199254740994"),
    is("ZMSCORE has nulls between texts", [zset], ["ZMSCORE", k, "a", "none", "b"], ["1", null, "2.5"]),
    // Hashes are pairs
    is("HGETALL is a flat list of pairs", [hash], ["HGETALL", k], ["a", "1", "b", "2"]),
    is("HGETALL of no key is an empty list", [], ["HGETALL", k], []),
    is(
      "a field named __proto__ survives",
      [["HSET", k, "__proto__", "x", "z", "1"]],
      ["HGETALL", k],
      ["__proto__", "x", "z", "1"],
    ),
    is(
      "fields named like methods survive",
      [["HSET", k, "constructor", "c", "toString", "t"]],
      ["HGETALL", k],
      ["constructor", "c", "toString", "t"],
    ),
    is(
      "fields named like indexes keep their order",
      [["HSET", k, "2", "b", "1", "a"]],
      ["HGETALL", k],
      ["2", "b", "1", "a"],
    ),
    is("an empty field name and value", [["HSET", k, "", ""]], ["HGETALL", k], ["", ""]),
    is("HMGET has nulls", [hash], ["HMGET", k, "a", "x", "b"], ["1", null, "2"]),
    is("HKEYS", [hash], ["HKEYS", k], ["a", "b"]),
    is("HVALS", [hash], ["HVALS", k], ["1", "2"]),
    is("HSCAN is a cursor and a flat list", [hash], ["HSCAN", k, "0"], ["0", ["a", "1", "b", "2"]]),
    is("HRANDFIELD WITHVALUES is flat", [["HSET", k, "a", "1"]], ["HRANDFIELD", k, "1", "WITHVALUES"], ["a", "1"]),
    is("HRANDFIELD with a count", [["HSET", k, "a", "1"]], ["HRANDFIELD", k, "1"], ["a"]),
    is("HRANDFIELD without a count", [["HSET", k, "a", "1"]], ["HRANDFIELD", k], "a"),
    is("HSETNX", [hash], ["HSETNX", k, "a", "9"], 0),
    is("HSTRLEN", [hash], ["HSTRLEN", k, "a"], 1),
    // Lists
    is("LRANGE keeps the order", [list], ["LRANGE", k, "0", "-1"], ["a", "b", "c"]),
    is("LRANGE of no key is an empty list", [], ["LRANGE", k, "0", "-1"], []),
    is("LPOP with a count", [list], ["LPOP", k, "2"], ["a", "b"]),
    is("LPOP without a count", [list], ["LPOP", k], "a"),
    is("LPOS", [list], ["LPOS", k, "c"], 2),
    is("LMPOP is nested", [list], ["LMPOP", "1", k, "LEFT", "COUNT", "2"], [k, ["a", "b"]]),
    is("LINDEX beyond the end is null", [list], ["LINDEX", k, "9"], null),
    is("LINSERT", [list], ["LINSERT", k, "BEFORE", "c", "x"], 4),
    is("LMOVE within one list", [list], ["LMOVE", k, k, "LEFT", "RIGHT"], "a"),
    is("BLPOP of what is there", [list], ["BLPOP", k, "1"], [k, "a"]),
    // Sets
    is("SMEMBERS is a list", [["SADD", k, "only"]], ["SMEMBERS", k], ["only"]),
    is("SMEMBERS of no key is an empty list", [], ["SMEMBERS", k], []),
    is("SISMEMBER is an integer", [["SADD", k, "a"]], ["SISMEMBER", k, "a"], 1),
    is("SMISMEMBER is a list of integers", [["SADD", k, "a"]], ["SMISMEMBER", k, "a", "b"], [1, 0]),
    is("SPOP with a count", [["SADD", k, "a"]], ["SPOP", k, "5"], ["a"]),
    is("SSCAN", [["SADD", k, "a"]], ["SSCAN", k, "0"], ["0", ["a"]]),
    is("SINTERCARD", [["SADD", k, "a", "b"]], ["SINTERCARD", "1", k], 2),
    is("SDIFF with itself is empty", [["SADD", k, "a"]], ["SDIFF", k, k], []),
    // Sorted sets
    is("ZRANGE is a list of members", [zset], ["ZRANGE", k, "0", "-1"], ["low", "a", "b", "top"]),
    is(
      "ZRANGE WITHSCORES is flat",
      [zset],
      ["ZRANGE", k, "0", "-1", "WITHSCORES"],
      ["low", "-inf", "a", "1", "b", "2.5", "top", "inf"],
    ),
    is("ZRANGE in lower case is flat too", [zset], ["zrange", k, "1", "1", "withscores"], ["a", "1"]),
    is(
      "ZRANGE BYSCORE WITHSCORES is flat",
      [zset],
      ["ZRANGE", k, "1", "3", "BYSCORE", "WITHSCORES"],
      ["a", "1", "b", "2.5"],
    ),
    is("ZREVRANGE WITHSCORES is flat", [zset], ["ZREVRANGE", k, "1", "2", "WITHSCORES"], ["b", "2.5", "a", "1"]),
    is("ZRANGEBYSCORE WITHSCORES is flat", [zset], ["ZRANGEBYSCORE", k, "1", "2", "WITHSCORES"], ["a", "1"]),
    is("ZREVRANGEBYSCORE WITHSCORES is flat", [zset], ["ZREVRANGEBYSCORE", k, "2", "1", "WITHSCORES"], ["a", "1"]),
    is("ZPOPMIN is flat", [zset], ["ZPOPMIN", k], ["low", "-inf"]),
    is("ZPOPMIN with a count is flat", [zset], ["ZPOPMIN", k, "2"], ["low", "-inf", "a", "1"]),
    is("ZPOPMAX with a count is flat", [zset], ["ZPOPMAX", k, "1"], ["top", "inf"]),
    is("ZPOPMIN of no key is an empty list", [], ["ZPOPMIN", k], []),
    is("ZRANDMEMBER WITHSCORES is flat", [["ZADD", k, "1", "a"]], ["ZRANDMEMBER", k, "1", "WITHSCORES"], ["a", "1"]),
    is(
      "ZUNION WITHSCORES is flat",
      [zset],
      ["ZUNION", "1", k, "WITHSCORES"],
      ["low", "-inf", "a", "1", "b", "2.5", "top", "inf"],
    ),
    is(
      "ZINTER WITHSCORES is flat",
      [zset],
      ["ZINTER", "2", k, k, "WITHSCORES"],
      ["low", "-inf", "a", "2", "b", "5", "top", "inf"],
    ),
    is(
      "ZDIFF WITHSCORES is flat",
      [zset],
      ["ZDIFF", "1", k, "WITHSCORES"],
      ["low", "-inf", "a", "1", "b", "2.5", "top", "inf"],
    ),
    is("ZMPOP is nested", [["ZADD", k, "1", "a"]], ["ZMPOP", "1", k, "MIN"], [k, [["a", "1"]]]),
    is("BZPOPMIN is key, member and score", [["ZADD", k, "1.5", "a"]], ["BZPOPMIN", k, "1"], [k, "a", "1.5"]),
    is("ZSCAN is flat", [["ZADD", k, "1.5", "a"]], ["ZSCAN", k, "0"], ["0", ["a", "1.5"]]),
    is("ZRANK is an integer", [zset], ["ZRANK", k, "b"], 2),
    is("ZADD CH counts", [zset], ["ZADD", k, "CH", "5", "a", "6", "new"], 2),
    is("ZRANGEBYLEX", [["ZADD", k, "0", "a", "0", "b"]], ["ZRANGEBYLEX", k, "[b", "+"], ["b"]),
    // Streams
    is("XADD answers the id", [], entry, "1-1"),
    is("XRANGE is nested", [entry], ["XRANGE", k, "-", "+"], [["1-1", ["f", "v", "g", "w"]]]),
    is(
      "XREAD is a list of streams",
      [entry],
      ["XREAD", "COUNT", "1", "STREAMS", k, "0"],
      [[k, [["1-1", ["f", "v", "g", "w"]]]]],
    ),
    is(
      "XREADGROUP is a list of streams",
      [entry, ["XGROUP", "CREATE", k, "g", "0"]],
      ["XREADGROUP", "GROUP", "g", "me", "STREAMS", k, ">"],
      [[k, [["1-1", ["f", "v", "g", "w"]]]]],
    ),
    is("XPENDING is nested", [entry, ["XGROUP", "CREATE", k, "g", "0"]], ["XPENDING", k, "g"], [0, null, null, null]),
    is(
      "XINFO GROUPS is a list of flat pairs",
      [entry, ["XGROUP", "CREATE", k, "g", "0"]],
      ["XINFO", "CONSUMERS", k, "g"],
      [],
    ),
    is("XLEN", [entry], ["XLEN", k], 1),
    is("XACK of an unknown id", [entry, ["XGROUP", "CREATE", k, "g", "0"]], ["XACK", k, "g", "5-5"], 0),
    is(
      "an existing group is refused",
      [entry, ["XGROUP", "CREATE", k, "g", "0"]],
      ["XGROUP", "CREATE", k, "g", "0"],
      new Refusal(Refused, "SERVER.BUSYGROUP"),
    ),
    is(
      "an unknown group is refused",
      [entry],
      ["XREADGROUP", "GROUP", "no", "me", "STREAMS", k, ">"],
      new Refusal(Refused, "SERVER.NOGROUP"),
    ),
    // Bitmaps, HyperLogLog, geo
    is("SETBIT answers the old bit", [], ["SETBIT", k, "7", "1"], 0),
    is("BITCOUNT", [set("abc")], ["BITCOUNT", k], 10),
    is(
      "BITFIELD is a list with nulls",
      [],
      ["BITFIELD", k, "SET", "u8", "0", "255", "OVERFLOW", "FAIL", "INCRBY", "u8", "0", "1"],
      [0, null],
    ),
    is("PFCOUNT", [["PFADD", k, "a", "b"]], ["PFCOUNT", k], 2),
    is("GEODIST is text", [["GEOADD", k, "0", "0", "a", "0", "0", "b"]], ["GEODIST", k, "a", "b"], "0.0000"),
    is("GEOPOS of no member is a null", [["GEOADD", k, "0", "0", "a"]], ["GEOPOS", k, "none"], [null]),
    is(
      "GEOSEARCH WITHDIST is nested",
      [["GEOADD", k, "0", "0", "a"]],
      ["GEOSEARCH", k, "FROMMEMBER", "a", "BYRADIUS", "1", "m", "WITHDIST"],
      [["a", "0.0000"]],
    ),
    // Keys and the server
    is("MGET has nulls", [set("v")], ["MGET", k, `${k}:no`], ["v", null]),
    is("OBJECT ENCODING", [set("12")], ["OBJECT", "ENCODING", k], "int"),
    is(
      "CONFIG GET is a flat list of pairs",
      [],
      ["CONFIG", "GET", "proto-max-bulk-len"],
      ["proto-max-bulk-len", "536870912"],
    ),
    is("PUBLISH counts", [], ["PUBLISH", k, "m"], 0),
    is("COPY", [set("v")], ["COPY", k, k, "REPLACE"], err),
    is("a command in lower case", [set("v")], ["get", k], "v"),
    is("SORT", [["RPUSH", k, "2", "1"]], ["SORT", k], ["1", "2"]),
    // Errors
    is("a key of another type is WrongType", [set("v")], ["LPUSH", k, "x"], wrongType),
    is("HGETALL of a string is WrongType", [set("v")], ["HGETALL", k], wrongType),
    is("INCR of text is refused", [set("v")], ["INCR", k], err),
    is("INCR of a list is WrongType", [list], ["INCR", k], wrongType),
    is("INCR beyond the largest integer is refused", [set(String(MAX))], ["INCR", k], err),
    is("HINCRBY of text is refused", [["HSET", k, "f", "v"]], ["HINCRBY", k, "f", "1"], err),
    is("an unknown command is refused", [], ["NOSUCHCOMMAND", k], err),
    is("too few arguments are refused", [], ["GET"], err),
    is("a score that is not a number is refused", [], ["ZADD", k, "x", "m"], err),
    is("an unknown digest is refused", [], ["EVALSHA", "0".repeat(40), "0"], new Refusal(Refused, "SERVER.NOSCRIPT")),
    // Scripts sent as commands
    is("a script's list", [], ["EVAL", "return {1, 'two', false, {3}}", "0"], [1, "two", null, [3]]),
    is("a script's list ends at nil", [], ["EVAL", "return {1, nil, 2}", "0"], [1]),
    is("a script's number is cut to an integer", [], ["EVAL", "return 3.99", "0"], 3),
    is("a script's true is 1", [], ["EVAL", "return true", "0"], 1),
    is("a script's false is null", [], ["EVAL", "return false", "0"], null),
    is("a script's status", [], ["EVAL", "return redis.status_reply('FINE')", "0"], "FINE"),
    is("a status of digits is text", [], ["EVAL", "return redis.status_reply('12')", "0"], "12"),
    is("an empty list of a script", [], ["EVAL", "return {}", "0"], []),
    is(
      "a script's error has its own code",
      [],
      ["EVAL", "return redis.error_reply('INDEX.TAKEN it is')", "0"],
      new Refusal(Refused, "INDEX.TAKEN"),
    ),
    is("a script's nested error is a value", [], ["EVAL", "return #redis.pcall('NOSUCH')['err'] > 0", "0"], 1),
    is("a script sees its keys and arguments", [], ["EVAL", "return {KEYS[1], ARGV[1]}", "1", k, "arg"], [k, "arg"]),
    is("a list nested 7 deep", [], ["EVAL", "return {{{{{{{'x'}}}}}}}", "0"], [[[[[[["x"]]]]]]]),
    is(
      "a long list",
      [["EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], i) end", "1", k]],
      ["LRANGE", k, "0", "-1"],
      longList,
    ),
  ]
}
