/* What a write inside a transaction returns. It is carried out at the commit, and yet its
 * caller needs the answer now: so what the answer depends on is read, and is compared at
 * the commit like everything else that was read. Each rule reads as little as determines
 * the answer.
 *
 * A write without a rule here has no answer before the commit, and is refused; where
 * nobody needs the answer, `t.$blind` takes it. */

import type { CallOptions, Command, Reply, Wire } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { readAfterWrite, transactionAnswer, transactionNumber } from "../../errors/transaction.ts"
import type { KeyView } from "./key-view.ts"

export interface PredictedReply {
  readonly reply: Reply
  /** What is written instead of the command: nothing, where it would change nothing. */
  readonly writes?: readonly Command[]
}

/** A write that needs an answer. */
export interface AwaitedWrite {
  readonly key: string
  /** A key as errors may show it. */
  readonly show: (key: string) => string
  /** The words after the key. */
  readonly words: readonly Wire[]
  readonly view: KeyView
  /** Reads, and takes note that the reply must be the same at the commit. */
  read(command: Command, options?: CallOptions): Promise<Reply>
  /** SRANDMEMBER: what is drawn must still be there at the commit. */
  draw(command: Command): Promise<Reply>
}

type PredictReply = (asking: AwaitedWrite) => Promise<PredictedReply>

export function answer(name: string, asking: AwaitedWrite): Promise<PredictedReply> {
  const rule = rules[name]
  if (rule === undefined) throw transactionAnswer(name)
  return rule(asking)
}

/** The key as it was before the transaction: for answers that depend on all of it. */
function whole(asking: AwaitedWrite, command: Command): Promise<Reply> {
  if (asking.view.isWritten) throw readAfterWrite(asking.show(asking.key))
  return asking.read(command)
}

/** Single elements, with the transaction's own changes in them. */
async function elements(asking: AwaitedWrite, names: readonly Wire[], reading: string): Promise<(string | null)[]> {
  const { key, view } = asking
  if (view.isUnknown) throw readAfterWrite(asking.show(key))
  const missing = [...new Set(names.filter((name) => view.get(name) === undefined))]
  const parts: Wire[][] = []
  for (let at = 0; at < missing.length; at += MOST_NAMES) parts.push(missing.slice(at, at + MOST_NAMES))
  await Promise.all(
    parts.map(async (part) => {
      const reply = (await asking.read([reading, key, ...part], SAFE_BYTES)) as readonly Reply[]
      part.forEach((name, i) => view.learn(name, textOrNull(reply[i]!)))
    }),
  )
  return names.map((name) => view.get(name)!)
}
/** How many elements one command asks for: the commit asks again in a script, which cannot take more words. */
const MOST_NAMES = 1000
/** SMISMEMBER says 1 or 0, the others a text or nothing. */
function textOrNull(reply: Reply): string | null {
  if (reply === null || reply === 0) return null
  return reply instanceof Uint8Array ? Buffer.from(reply).toString() : String(reply as string | number)
}

const fieldsOf = (asking: AwaitedWrite, names: readonly Wire[]) => elements(asking, names, "HMGET")
const scoresOf = (asking: AwaitedWrite, names: readonly Wire[]) => elements(asking, names, "ZMSCORE")

async function valueOf(asking: AwaitedWrite): Promise<string | null> {
  const { key, view } = asking
  if (view.isUnknown || (view.isWritten && view.value === undefined)) throw readAfterWrite(asking.show(key))
  return (view.value ??= view.isNew ? null : textOrNull(await asking.read(["GET", key])))
}

async function existsNow(asking: AwaitedWrite): Promise<boolean> {
  const { key, view } = asking
  if (view.isUnknown || (view.isWritten && view.exists === undefined)) throw readAfterWrite(asking.show(key))
  return (view.exists ??= (await asking.read(["EXISTS", key])) === 1)
}

const put = (view: KeyView, value: string): void => {
  view.value = value
  view.exists = true
}

/** A whole number, as Redis takes it for INCRBY. */
function wholeSum({ key, show }: AwaitedWrite, text: string | null, by: Wire): bigint {
  if (text !== null && !/^(0|-?[1-9]\d*)$/.test(text)) throw transactionNumber(show(key))
  const sum = BigInt(text ?? 0) + BigInt(String(by))
  if (BigInt.asIntN(64, sum) !== sum) throw transactionNumber(show(key))
  return sum
}

function floatSum({ key, show }: AwaitedWrite, text: string | null, by: Wire): string {
  const sum = number(text ?? "0") + number(by)
  if (!Number.isFinite(sum)) throw transactionNumber(show(key))
  return String(sum)
}

/** A number as Redis writes it, including infinity. */
function number(word: Wire): number {
  const text = String(word).trim()
  if (/^[+-]?inf/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity
  return text === "" ? Number.NaN : Number(text)
}

const integer = (value: bigint): number | bigint =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value

/** How many of them are not there yet, each counted once; from now on they are there. */
async function adding(
  asking: AwaitedWrite,
  reading: string,
  names: readonly Wire[],
  valueAt: (place: number) => Wire,
): Promise<PredictedReply> {
  const { view } = asking
  await elements(asking, names, reading)
  let added = 0
  names.forEach((name, i) => {
    if (view.get(name) === null) added++
    view.put(name, String(valueAt(i)))
  })
  return { reply: added }
}

/** How many of the words are there, each counted once; from now on they are gone. */
async function removing(asking: AwaitedWrite, reading: string): Promise<PredictedReply> {
  const { words, view } = asking
  await elements(asking, words, reading)
  let removed = 0
  for (const name of words) {
    if (view.get(name) !== null) removed++
    view.put(name, null)
  }
  return counted(removed)
}

/** Where nothing would change, nothing is written. */
const counted = (reply: number): PredictedReply => (reply === 0 ? { reply, writes: [] } : { reply })

/** What is removed without being named: from now on the content is unknown. */
function removingUnnamed({ view }: AwaitedWrite, reply: number): PredictedReply {
  view.isUnknown ||= reply > 0
  return counted(reply)
}

/** Every second or third word, from this one on. */
const every = <T>(words: readonly T[], step: number, from: number): T[] => words.filter((_, i) => i % step === from)

async function popList(asking: AwaitedWrite, isLeft: boolean): Promise<PredictedReply> {
  const { key, words, view } = asking
  const count = words[0] === undefined ? 1 : Number(words[0])
  if (count === 0) return { reply: [], writes: [] }
  const range = isLeft ? ["0", String(count - 1)] : [String(-count), "-1"]
  const items = [...((await whole(asking, ["LRANGE", key, ...range])) as readonly Reply[])]
  if (items.length === 0) return { reply: null, writes: [] }
  view.isUnknown = true
  if (!isLeft) items.reverse()
  return { reply: words[0] === undefined ? items[0]! : items }
}

async function popSorted(asking: AwaitedWrite, isLowest: boolean): Promise<PredictedReply> {
  const { key, words, view } = asking
  const count = words[0] === undefined ? 1 : Number(words[0])
  if (count === 0) return { reply: [], writes: [] }
  const command = ["ZRANGE", key, "0", String(count - 1), ...(isLowest ? [] : ["REV"]), "WITHSCORES"]
  const reply = (await whole(asking, command)) as readonly Reply[]
  if (reply.length === 0) return { reply, writes: [] }
  view.isUnknown = true
  return { reply }
}

async function push(asking: AwaitedWrite): Promise<PredictedReply> {
  const { key, words, view } = asking
  if (view.isUnknown || (view.isWritten && view.length === undefined)) throw readAfterWrite(asking.show(key))
  view.length = (view.length ?? Number(await asking.read(["LLEN", key]))) + words.length
  view.exists = true
  return { reply: view.length }
}

/** ZADD's flags decide for each member, in order. */
async function addSorted(asking: AwaitedWrite): Promise<PredictedReply> {
  const { words, view } = asking
  const flags = new Set<string>()
  let at = 0
  while (/^(NX|XX|GT|LT|CH)$/.test(String(words[at]))) flags.add(String(words[at++]))
  const entries = words.slice(at)
  const members = every(entries, 2, 1)
  await scoresOf(asking, members)
  let [added, changed] = [0, 0]
  members.forEach((member, i) => {
    const [before, score] = [view.get(member)!, String(entries[2 * i])]
    if (before === null) {
      if (flags.has("XX")) return
      added++
    } else {
      const [old, now] = [number(before), number(score)]
      if (flags.has("NX") || (flags.has("GT") && now <= old) || (flags.has("LT") && now >= old)) return
      if (now !== old) changed++
    }
    view.put(member, score)
  })
  return { reply: flags.has("CH") ? added + changed : added }
}

async function setString(asking: AwaitedWrite): Promise<PredictedReply> {
  const { key, words, view } = asking
  const flags = words.slice(1).map(String)
  const value = words[0]!
  const isPut = typeof value === "string"
  const done = (reply: Reply): PredictedReply => {
    if (isPut) put(view, value)
    else Object.assign(view, { value: undefined, exists: true })
    return { reply, writes: [["SET", key, ...words.filter((word, i) => i === 0 || word !== "GET")]] }
  }
  if (flags.includes("NX")) return (await existsNow(asking)) ? { reply: null, writes: [] } : done("OK")
  if (flags.includes("XX")) return (await existsNow(asking)) ? done("OK") : { reply: null, writes: [] }
  return done(flags.includes("GET") ? await stringAsItIs(asking) : "OK")
}

/** The string, as text or as bytes: whichever the caller wants. */
async function stringAsItIs(asking: AwaitedWrite): Promise<Reply> {
  const { key, view } = asking
  if (view.isWritten || view.value !== undefined) return valueOf(asking)
  const reply = await asking.read(["GET", key])
  if (!(reply instanceof Uint8Array)) view.value = reply as string | null
  return reply
}

const rules: Readonly<Record<string, PredictReply>> = {
  SET: setString,
  GETDEL: async (asking) => {
    const reply = await stringAsItIs(asking)
    asking.view.clear()
    return reply === null ? { reply, writes: [] } : { reply, writes: [["DEL", asking.key]] }
  },
  INCRBY: async (asking) => {
    const sum = wholeSum(asking, await valueOf(asking), asking.words[0]!)
    put(asking.view, String(sum))
    return { reply: integer(sum) }
  },
  // Redis adds with more digits than a JavaScript number has: what was answered is what is stored.
  INCRBYFLOAT: async (asking) => {
    const { key, view, words } = asking
    const reply = floatSum(asking, await valueOf(asking), words[0]!)
    put(view, reply)
    return { reply, writes: [["SET", key, reply, "KEEPTTL"]] }
  },
  UNLINK: async (asking) => {
    const reply = (await existsNow(asking)) ? 1 : 0
    asking.view.clear()
    return counted(reply)
  },
  PEXPIRE: async (asking) => {
    if (asking.words.length > 1) throw transactionAnswer("PEXPIRE")
    return counted((await existsNow(asking)) ? 1 : 0)
  },
  HSET: (asking) => adding(asking, "HMGET", every(asking.words, 2, 0), (i) => asking.words[2 * i + 1]!),
  HSETNX: async (asking) => {
    const [field, value] = asking.words
    const [before] = await fieldsOf(asking, [field!])
    if (before !== null) return { reply: 0, writes: [] }
    asking.view.put(field!, String(value))
    return { reply: 1 }
  },
  HDEL: (asking) => removing(asking, "HMGET"),
  HINCRBY: async (asking) => {
    const [field, by] = asking.words
    const [before] = await fieldsOf(asking, [field!])
    const sum = wholeSum(asking, before!, by!)
    asking.view.put(field!, String(sum))
    return { reply: integer(sum) }
  },
  HINCRBYFLOAT: async (asking) => {
    const [field, by] = asking.words
    const [before] = await fieldsOf(asking, [field!])
    const reply = floatSum(asking, before!, by!)
    asking.view.put(field!, reply)
    return { reply, writes: [["HSET", asking.key, field!, reply]] }
  },
  LPUSH: push,
  RPUSH: push,
  LPOP: (asking) => popList(asking, true),
  RPOP: (asking) => popList(asking, false),
  LREM: async (asking) => {
    const { key, words } = asking
    const count = Number(words[0])
    const rank = ["RANK", count < 0 ? "-1" : "1", "COUNT", String(Math.abs(count))]
    const places = (await whole(asking, ["LPOS", key, words[1]!, ...rank])) as readonly Reply[]
    return removingUnnamed(asking, places.length)
  },
  SADD: (asking) => adding(asking, "SMISMEMBER", asking.words, () => "1"),
  SREM: (asking) => removing(asking, "SMISMEMBER"),
  // The members are drawn now; the commit removes exactly these.
  SPOP: async (asking) => {
    const { key, view, words } = asking
    if (view.isWritten) throw readAfterWrite(asking.show(key))
    const drawn = await asking.draw(["SRANDMEMBER", key, ...words])
    const members = (Array.isArray(drawn) ? drawn : drawn === null ? [] : [drawn]) as Wire[]
    for (const member of members) view.put(member, null)
    return { reply: drawn, writes: members.length === 0 ? [] : [["SREM", key, ...members]] }
  },
  ZADD: addSorted,
  ZINCRBY: async (asking) => {
    const [by, member] = asking.words
    const [before] = await scoresOf(asking, [member!])
    const sum = number(before ?? "0") + number(by!)
    if (Number.isNaN(sum)) throw transactionNumber(asking.show(asking.key))
    asking.view.put(member!, String(sum))
    return { reply: String(sum) }
  },
  ZREM: (asking) => removing(asking, "ZMSCORE"),
  ZREMRANGEBYSCORE: async (asking) => {
    return removingUnnamed(asking, Number(await whole(asking, ["ZCOUNT", asking.key, ...asking.words])))
  },
  ZREMRANGEBYRANK: async (asking) => {
    const size = Number(await whole(asking, ["ZCARD", asking.key]))
    const [from, to] = asking.words.map((word) => (Number(word) < 0 ? size + Number(word) : Number(word)))
    return removingUnnamed(asking, Math.max(0, Math.min(to!, size - 1) - Math.max(from!, 0) + 1))
  },
  ZPOPMIN: (asking) => popSorted(asking, true),
  ZPOPMAX: (asking) => popSorted(asking, false),
  GEOADD: (asking) => adding(asking, "ZMSCORE", every(asking.words, 3, 2), (i) => asking.words[3 * i]!),
  XTRIM: async (asking) => {
    const keep = Number(asking.words.at(-1))
    const length = Number(await whole(asking, ["XLEN", asking.key]))
    return removingUnnamed(asking, Math.max(0, length - keep))
  },
  XDEL: async (asking) => {
    const ids = [...new Set(asking.words)]
    const found = await Promise.all(ids.map((id) => whole(asking, ["XRANGE", asking.key, id, id])))
    return removingUnnamed(asking, found.filter((entries) => (entries as readonly Reply[]).length > 0).length)
  },
  SETBIT: async (asking) => {
    const { key, view, words } = asking
    if (view.isUnknown) throw readAfterWrite(asking.show(key))
    const before = view.get(words[0]!) ?? (view.isNew ? "0" : String(await asking.read(["GETBIT", key, words[0]!])))
    view.put(words[0]!, String(words[1]))
    return { reply: Number(before) }
  },
}
