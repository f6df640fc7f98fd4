/* The values of a family's keys as commands that write them, commands that read them, and
 * back. A value that was loaded but not stored goes the same way without a server, so
 * that callers always see what a read would have returned. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Kind } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { inPairs, listOf, textOf } from "../call/reply.ts"
import { Handle } from "./handle.ts"

/** Words of one command: far below what a script can unpack. */
const CHUNK_WORDS = 1000

/** A kind of key that can live in a family. */
interface FamilyKind {
  /** The command that adds words to it, and how many words make one element. */
  readonly write: string
  readonly width: 1 | 2
  readonly read: (key: string) => Command
  readonly encode: (ready: ReadyKey, value: never) => Wire[]
  readonly decode: (key: FamilyKey, reply: Reply) => unknown
  /** What reading it would return for these words. */
  readonly answer?: (words: readonly Wire[]) => Reply
}

const codecOf = ({ declared }: ReadyKey, part: string): AnyCodec => declared.shape[part] as AnyCodec
const encodePairs = (ready: ReadyKey, first: string, second: string, entries: Iterable<readonly [unknown, unknown]>) =>
  [...entries].flatMap(([a, b]) => [codecOf(ready, first).encode(a), codecOf(ready, second).encode(b)])

const value: FamilyKind = {
  write: "SET",
  width: 1,
  read: (key) => ["GET", key],
  encode: (ready, given) => [codecOf(ready, "value").encode(given)],
  decode: (key, reply) => (reply === null ? undefined : key.part("value", reply)),
  answer: (words) => (words[0] as Reply | undefined) ?? null,
}

const kinds: { readonly [K in Kind]?: FamilyKind } = {
  string: value,
  counter: value,
  hash: {
    write: "HSET",
    width: 2,
    read: (key) => ["HGETALL", key],
    encode: ({ fields }, record: Readonly<Record<string, unknown>>) => fields!.encodeWhole(record),
    decode: (key, reply) => (listOf(reply).length === 0 ? undefined : key.record(listOf(reply))),
  },
  map: {
    write: "HSET",
    width: 2,
    read: (key) => ["HGETALL", key],
    encode: (ready, given: Iterable<readonly [unknown, unknown]>) => encodePairs(ready, "field", "value", given),
    decode: (key, reply) =>
      new Map(inPairs(listOf(reply)).map(([field, raw]) => [key.part("field", field), key.part("value", raw)])),
  },
  list: {
    write: "RPUSH",
    width: 1,
    read: (key) => ["LRANGE", key, "0", "-1"],
    encode: (ready, items: readonly unknown[]) => items.map((item) => codecOf(ready, "item").encode(item)),
    decode: (key, reply) => listOf(reply).map((raw) => key.part("item", raw)),
  },
  set: {
    write: "SADD",
    width: 1,
    read: (key) => ["SMEMBERS", key],
    encode: (ready, members: readonly unknown[]) => members.map((one) => codecOf(ready, "member").encode(one)),
    decode: (key, reply) => listOf(reply).map((raw) => key.part("member", raw)),
    answer: (words) => [...new Map(words.map((word) => [textOf(word), word as Reply])).values()],
  },
  zset: {
    write: "ZADD",
    width: 2,
    read: (key) => ["ZRANGE", key, "0", "-1", "WITHSCORES"],
    encode: (ready, given: Iterable<readonly [unknown, unknown]>) =>
      encodePairs(
        ready,
        "score",
        "member",
        [...given].map(([member, score]) => [score, member] as const),
      ),
    decode: (key, reply) =>
      inPairs(listOf(reply)).map(([member, score]) => [key.part("member", member), key.part("score", score)]),
    answer: (words) =>
      inPairs(words as readonly Reply[])
        .sort(([a], [b]) => Number(a) - Number(b))
        .flatMap(([score, member]) => [member, score]),
  },
}

export const canLiveInFamily = (kind: Kind): boolean => kind in kinds

export const readCommand = ({ kind }: Key, key: string): Command => kinds[kind]!.read(key)

/** The words that a value is written with; none when it is empty. */
export function encodeValue(ready: ReadyKey, given: unknown): Wire[] {
  return given === undefined ? [] : kinds[ready.declared.kind]!.encode(ready, given as never)
}

/** Commands without their key, in pieces. */
export function writeCommands({ kind, keep }: Key, words: readonly Wire[]): Wire[][] {
  const { write, width } = kinds[kind]!
  const commands: Wire[][] = []
  const piece = CHUNK_WORDS - (CHUNK_WORDS % width)
  for (let at = 0; at < words.length; at += piece) commands.push([write, ...words.slice(at, at + piece)])
  if (keep !== undefined && words.length > keep * width) {
    commands.push(kind === "list" ? ["LTRIM", String(-keep), "-1"] : ["ZREMRANGEBYRANK", "0", String(-keep - 1)])
  }
  return commands
}

/** One key of a family: what it holds is decoded as a whole. */
export class FamilyKey extends Handle {
  decoded(reply: Reply): unknown {
    return kinds[this.ready.declared.kind]!.decode(this, reply)
  }

  /** What a read would return for words that were not stored. */
  decodedWords(words: readonly Wire[]): unknown {
    const { answer } = kinds[this.ready.declared.kind]!
    return this.decoded(answer ? answer(words) : ([...words] as Reply))
  }

  part(part: string, raw: Reply): unknown {
    return this.decodePart(codecOf(this.ready, part), raw, part)
  }

  record(fields: readonly Reply[]): unknown {
    return this.ready.fields!.decode(fields, this)
  }
}

/** Some value of it is kept as bytes. */
export const holdsBytes = ({ declared, fields }: ReadyKey): boolean =>
  fields?.bytes === true || Object.values(declared.shape).some((codec) => (codec as AnyCodec).decodeBytes !== undefined)
