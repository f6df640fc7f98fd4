/* The values of a family's keys as commands that write them, commands that read them, and
 * back. A value that was loaded but not stored goes the same way without a server, so
 * that callers always see what a read would have returned. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { fieldMissing, recordIncomplete, undecodable } from "../../errors/client.ts"
import { isKeywrightError } from "../../errors/error.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Kind } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import { redactKey, type ReadyKey } from "../call/ready-key.ts"
import { listOf, textOf } from "../call/reply.ts"

/** Words of one command: far below what a script can unpack. */
const CHUNK_WORDS = 1000

/** A kind of key that can live in a family. */
interface FamilyKind {
  /** The command that adds words to it, and how many words make one element. */
  readonly write: string
  readonly width: 1 | 2
  readonly read: (key: string) => Command
  readonly encode: (ready: ReadyKey, value: never) => Wire[]
  readonly decode: (value: Decoder, reply: Reply) => unknown
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
  decode: (decoder, reply) => (reply === null ? undefined : decoder.part("value", reply)),
  answer: (words) => (words[0] as Reply | undefined) ?? null,
}

const kinds: { readonly [K in Kind]?: FamilyKind } = {
  string: value,
  counter: value,
  hash: {
    write: "HSET",
    width: 2,
    read: (key) => ["HGETALL", key],
    encode({ fields }, record: Readonly<Record<string, unknown>>) {
      const missing = fields!.missing(record)
      if (missing !== undefined) throw recordIncomplete(missing)
      return fields!.encode(record)
    },
    decode: (decoder, reply) => (listOf(reply).length === 0 ? undefined : decoder.record(listOf(reply))),
  },
  map: {
    write: "HSET",
    width: 2,
    read: (key) => ["HGETALL", key],
    encode: (ready, given: Iterable<readonly [unknown, unknown]>) => encodePairs(ready, "field", "value", given),
    decode: (decoder, reply) =>
      new Map(pairs(reply).map(([field, raw]) => [decoder.part("field", field), decoder.part("value", raw)])),
  },
  list: {
    write: "RPUSH",
    width: 1,
    read: (key) => ["LRANGE", key, "0", "-1"],
    encode: (ready, items: readonly unknown[]) => items.map((item) => codecOf(ready, "item").encode(item)),
    decode: (decoder, reply) => listOf(reply).map((raw) => decoder.part("item", raw)),
  },
  set: {
    write: "SADD",
    width: 1,
    read: (key) => ["SMEMBERS", key],
    encode: (ready, members: readonly unknown[]) => members.map((one) => codecOf(ready, "member").encode(one)),
    decode: (decoder, reply) => listOf(reply).map((raw) => decoder.part("member", raw)),
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
    decode: (decoder, reply) =>
      pairs(reply).map(([member, score]) => [decoder.part("member", member), decoder.part("score", score)]),
    answer: (words) =>
      pairs(words as Reply[])
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

/** What a read would return for words that were not stored. */
export function valueOfWords(ready: ReadyKey, key: string, words: readonly Wire[]): unknown {
  const { answer } = kinds[ready.declared.kind]!
  return decodeValue(ready, key, answer ? answer(words) : ([...words] as Reply))
}

export function decodeValue(ready: ReadyKey, key: string, reply: Reply): unknown {
  return kinds[ready.declared.kind]!.decode(new Decoder(ready, key), reply)
}

/** Some value of it is kept as bytes. */
export const holdsBytes = ({ declared, fields }: ReadyKey): boolean =>
  fields?.bytes === true || Object.values(declared.shape).some((codec) => (codec as AnyCodec).decodeBytes !== undefined)

/** Decodes the parts of one key; errors name the part. */
class Decoder {
  readonly #ready: ReadyKey
  readonly #key: string

  constructor(ready: ReadyKey, key: string) {
    this.#ready = ready
    this.#key = key
  }

  part(part: string, raw: Reply): unknown {
    return this.#decode(codecOf(this.#ready, part), raw, part)
  }

  record(fields: readonly Reply[]): unknown {
    const { declared, fields: format } = this.#ready
    return format!.decode(fields, {
      "~field": (codec, raw, name) => this.#decode(codec, raw, `field ${name}`),
      "~lacks": (field) => fieldMissing(declared.pattern, this.#shown(), field),
    })
  }

  #decode(codec: AnyCodec, raw: Reply, part: string): unknown {
    try {
      return codec.decodeBytes && raw instanceof Uint8Array ? codec.decodeBytes(raw) : codec.decode(textOf(raw))
    } catch (error) {
      if (!isKeywrightError(error)) throw error
      throw undecodable(this.#ready.declared.pattern, this.#shown(), part, codec.name, error)
    }
  }

  #shown(): string {
    return redactKey(this.#ready, this.#key)
  }
}

function pairs(reply: Reply): [Reply, Reply][] {
  const flat = listOf(reply)
  return Array.from({ length: flat.length >> 1 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!])
}
