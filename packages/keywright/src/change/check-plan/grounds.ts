/* What the conditions of an action must say about its own key: what it writes follows from what
 * is stored there, so that a plan file cannot name a value, a deadline or a number of its own. */

import type { Wire } from "../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { isQuoted, quote, unquote } from "../../schema/codec/quoted.ts"
import type { ParamTexts } from "../../inspect/model/entity-model.ts"
import type { Key } from "../../schema/key.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { says, scoreOf } from "../plan/expected.ts"
import type { Action, Expected } from "../plan/plan.ts"
import { isSameWord, wordText } from "../plan/plan-grammar.ts"
import { nameOf, type Word, wireOf } from "../plan/word.ts"

/** What an action expects a read of its own database to answer. */
export const expectedAt = ({ expects }: Action, ...read: readonly Word[]): Expected[] =>
  expects
    .filter(
      (one) =>
        one.db === undefined &&
        one.read.length === read.length &&
        one.read.every((word, i) => isSameWord(word, read[i]!)),
    )
    .map(({ is }) => is)

/** A bare text makes way for the same text in quotes, where its codec writes them: the text that is there. */
export function putsQuotes(action: Action, { shape, kind, ttl }: Key): boolean {
  const { commands } = action
  const [name, key, ...words] = commands.at(-1)!
  if (!commands.every((command) => isSameWord(command[1]!, key!))) return false
  const codecOf = (part: string) => (shape as Record<string, AnyCodec>)[part]
  if (commands.length === 2) return isQuoted(codecOf("member")) && exchangesMember(action, kind)
  if (name === "SET") {
    const [value, , ending] = words
    const deadlines = expectedAt(action, "PEXPIRETIME", key!)
    const keepsDeadline =
      ending === undefined
        ? ttl?.on === "never" || deadlines.includes(-1)
        : deadlines.includes(Number(wordText(ending)))
    return kind === "string" && isQuoted(codecOf("value")) && keepsDeadline && isStoredBare(action, value!, "GET", key!)
  }
  if (name !== "HSET") return false
  const [field, value] = words
  const codec =
    kind === "map" ? codecOf("value") : kind === "hash" ? fieldOf(shape["fields"] as CodecFields, field!) : undefined
  return isQuoted(codec) && isStoredBare(action, value!, "HGET", key!, field!)
}

const fieldOf = (fields: CodecFields, field: Word): AnyCodec | undefined => {
  const name = nameOf(field)
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** The member in quotes is added, and the same one without, which is there, removed; its score stays. */
function exchangesMember(action: Action, kind: Key["kind"]): boolean {
  const [[add, key, ...added], [remove, , bare]] = action.commands as [readonly Word[], readonly Word[]]
  if (added.length > 2 || bareOf(added.at(-1)!) === undefined || !isSameWord(bare!, bareOf(added.at(-1)!)!))
    return false
  if (kind === "set")
    return add === "SADD" && remove === "SREM" && expectedAt(action, "SISMEMBER", key!, bare!).includes(1)
  if (kind !== "zset" || add !== "ZADD" || remove !== "ZREM") return false
  // If both are there, nobody knows which score is right.
  if (!expectedAt(action, "ZSCORE", key!, added.at(-1)!).includes(null)) return false
  return expectedAt(action, "ZSCORE", key!, bare!).some(
    (is) =>
      typeof is === "object" &&
      is !== null &&
      "score" in is &&
      scoreOf(is.score) === scoreOf(wordText(added[0]) ?? "none"),
  )
}

/** The text that a word is the quoted form of; undefined when it is not, or when that has quotes already. */
function bareOf(word: Word): string | undefined {
  const spelled = String(wireOf(word))
  if (!spelled.startsWith('"')) return undefined
  try {
    const bare = unquote(spelled)
    return !bare.startsWith('"') && isSameWord(word, quote(bare)) ? bare : undefined
  } catch {
    return undefined
  }
}

function isStoredBare(action: Action, value: Word, ...read: readonly [string, ...Word[]]): boolean {
  const bare = bareOf(value)
  return bare !== undefined && expectedAt(action, ...read).some((is) => says(is, bare))
}

/** The texts of the parameters in a key of this pattern; empty for a key that is not text. */
export const paramsOf = (key: Wire, row: Key): ParamTexts =>
  (isText(key) ? locate(key, ...slotsOf(row.pattern, row.params)) : undefined) ?? {}
