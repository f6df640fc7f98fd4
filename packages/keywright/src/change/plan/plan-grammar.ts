/* The words that a plan may be written in. A plan is a file that anybody may have
 * written: only these commands, with exactly these words after the key, are carried out,
 * and nothing in a file can name another one. */

import { isCount } from "../../schema/codec/json-checks.ts"
import { isExactly } from "./exact-fields.ts"
import { type Word, wireOf } from "./word.ts"

/** Conditions of one action: more than any check of the audit asks for. They are looked up among each other. */
export const MOST_CONDITIONS = 64

/** What one word may be: this text, anything, or a word of which this is true. */
type Allowed = string | "any" | ((word: Word) => boolean)

const isNumber =
  (form: RegExp): Allowed =>
  (word) =>
    typeof wordText(word) === "string" && form.test(wordText(word)!)

/** Words of secret actions are base64, numbers too. */
export function wordText(word: Word | undefined): string | undefined {
  if (word === undefined || typeof word === "string") return word
  const bytes = wireOf(word) as Buffer
  return bytes.length <= 64 ? bytes.toString("latin1") : undefined
}

const whole = isNumber(/^\d{1,16}$/)
const negative = isNumber(/^-\d{1,10}$/)
const score = isNumber(/^(?:[+-]?inf(?:inity)?|[+-]?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?)$/i)
const streamId = isNumber(/^\d{1,20}-\d{1,20}$/)
type Forms = Readonly<Record<string, readonly (readonly Allowed[])[]>>

/** What an action does: the words after the key. */
const changes: Forms = {
  SREM: [["any"]],
  SADD: [["any"]],
  ZREM: [["any"]],
  ZADD: [
    [score, "any"],
    ["XX", score, "any"],
  ],
  HDEL: [["any"]],
  HSET: [["any", "any"]],
  SET: [["any"], ["any", "PXAT", whole]],
  UNLINK: [[]],
  DELIF: [["any"]],
  PERSIST: [[]],
  PEXPIRE: [[whole]],
  PEXPIREAT: [[whole]],
  LTRIM: [["0", whole]],
  ZREMRANGEBYRANK: [["0", negative]],
  XTRIM: [["MAXLEN", whole]],
  LREM: [["0", "any"]],
  XDEL: [[streamId]],
  RAISE: [[whole]],
}

/** What takes an action back; what RESTORE restores is looked at by `dump-type.ts`. */
const undoes: Forms = {
  SADD: [["any"]],
  SREM: [["any"]],
  ZADD: [[score, "any"]],
  ZREM: [["any"]],
  HSET: [["any", "any"]],
  HDEL: [["any"]],
  UNLINK: [[]],
  PERSIST: [[]],
  PEXPIREAT: [[whole]],
  RESTORE: [[whole, "any", "REPLACE", "ABSTTL"]],
}

type AllowedReply = (is: unknown) => boolean

const isDigest = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{40}$/.test(value)
const digest: AllowedReply = (is) => isExactly(is, { sha1: isDigest, length: isCount })
const pairs: AllowedReply = (is) => isExactly(is, { pairs: isDigest })
const text: AllowedReply = (is) => (typeof is === "string" && is.isWellFormed()) || digest(is)
const nothing: AllowedReply = (is) => is === null
const flag: AllowedReply = (is) => is === 0 || is === 1
const above: AllowedReply = (is) => isExactly(is, { above: Number.isSafeInteger })
const scored: AllowedReply = (is) => isExactly(is, { score: (one) => typeof one === "string" && isAllowed(score, one) })

/**
 * What an action rests on: the words after the key, and what the read can answer. A condition in another form would hold
 * for something other than it seems to say.
 */
const reads: Readonly<Record<string, { readonly words: readonly Allowed[]; readonly is: readonly AllowedReply[] }>> = {
  EXISTS: { words: [], is: [flag] },
  TYPE: { words: [], is: [text] },
  GET: { words: [], is: [text, nothing] },
  GETRANGE: { words: ["0", "3"], is: [text] },
  STRLEN: { words: [], is: [isCount, above] },
  HGETALL: { words: [], is: [pairs] },
  HGET: { words: ["any"], is: [text, nothing] },
  HEXISTS: { words: ["any"], is: [flag] },
  SISMEMBER: { words: ["any"], is: [flag] },
  ZSCORE: { words: ["any"], is: [scored, nothing] },
  LPOS: { words: ["any"], is: [isCount, nothing] },
  LLEN: { words: [], is: [isCount, above] },
  ZCARD: { words: [], is: [isCount, above] },
  XLEN: { words: [], is: [isCount, above] },
  SCARD: { words: [], is: [isCount, above] },
  HLEN: { words: [], is: [isCount, above] },
  XRANGE: { words: [streamId, streamId], is: [digest] },
  PTTL: { words: [], is: [Number.isSafeInteger, above] },
  PEXPIRETIME: { words: [], is: [Number.isSafeInteger, above] },
  DUMP: { words: [], is: [text, nothing] },
  "OBJECT IDLETIME": { words: [], is: [above] },
}

const readForms: Forms = Object.fromEntries(Object.entries(reads).map(([name, { words }]) => [name, [words]]))

/** Whether this is what such a read can answer. */
export const isAnswerOf = ([name]: readonly Word[], is: unknown): boolean =>
  reads[name as string]!.is.some((answer) => answer(is))

/** Asked of every command of a plan before the first is sent, so without a function for each word. */
function fits(forms: Forms, words: readonly Word[]): boolean {
  const name = words[0]
  if (typeof name !== "string" || words[1] === undefined || !Object.hasOwn(forms, name)) return false
  for (const form of forms[name]!) if (hasForm(words, form)) return true
  return false
}

function hasForm(words: readonly Word[], form: readonly Allowed[]): boolean {
  if (form.length !== words.length - 2) return false
  for (let i = 0; i < form.length; i++) if (!isAllowed(form[i]!, words[i + 2]!)) return false
  return true
}

const isAllowed = (allowed: Allowed, word: Word): boolean =>
  typeof allowed === "function" ? allowed(word) : allowed === "any" || wordText(word) === allowed

export const isChange = (words: readonly Word[]): boolean => fits(changes, words)
export const isUndo = (words: readonly Word[]): boolean => fits(undoes, words)
export const isRead = (words: readonly Word[]): boolean => fits(readForms, words)

/** What may undo each change. */
const inverses: Readonly<Record<string, readonly string[]>> = {
  SREM: ["SADD"],
  SADD: ["SREM"],
  ZREM: ["ZADD"],
  ZADD: ["ZADD", "ZREM"],
  HDEL: ["HSET"],
  HSET: ["HSET", "HDEL"],
  SET: ["RESTORE", "UNLINK"],
  PERSIST: ["PEXPIREAT", "PERSIST"],
  PEXPIRE: ["PEXPIREAT", "PERSIST"],
  PEXPIREAT: ["PEXPIREAT", "PERSIST"],
  RAISE: [],
}

/** Whether an undo takes back a change: of the same key, and of the same element. */
export function takesBack(undo: readonly Word[], change: readonly Word[]): boolean {
  const [name, key] = change as readonly [string, Word]
  const [back, backKey] = undo as readonly [string, Word]
  if (!(inverses[name] ?? ["RESTORE"]).includes(back) || !isSameWord(key, backKey)) return false
  const element = elementOf(change)
  return element === undefined || isSameWord(element, elementOf(undo)!)
}

/** The member or field that a command changes; undefined if it changes the whole key. */
const elementOf = (words: readonly Word[]): Word | undefined =>
  words[0] === "ZADD" ? words.at(-1) : /^(?:SADD|SREM|ZREM|HDEL|HSET)$/.test(String(words[0])) ? words[2] : undefined

export const isSameWord = (one: Word, other: Word): boolean =>
  Buffer.compare(Buffer.from(wireOf(one)), Buffer.from(wireOf(other))) === 0
