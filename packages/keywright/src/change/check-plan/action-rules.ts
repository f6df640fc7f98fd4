/* What each kind of action may do, and to which keys: a file that says otherwise is not a
 * plan of ours. A finding has one fix, on its own key; a purge and an overdue end of a
 * record also remove what is derived from that record. */

import type { EntityRole, Key } from "../../schema/key.ts"
import { redisTypes } from "../../schema/define.ts"
import { longestLife } from "../../schema/ttl.ts"
import { isCountedId } from "../../inspect/audit/checks/counter.ts"
import { ttlFault } from "../../inspect/audit/checks/ttl.ts"
import type { ParamTexts } from "../../inspect/model/entity-model.ts"
import { idTextOf } from "../../inspect/model/id-text.ts"
import { hasUnreadableSegment } from "../../inspect/model/segments.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { OwnerOf } from "../copy/owners.ts"
import { says } from "../plan/expected.ts"
import { expectedAt, paramsOf, putsQuotes } from "./grounds.ts"
import type { Action } from "../plan/plan.ts"
import { isSameWord, wordText } from "../plan/plan-grammar.ts"
import { replacesWhole } from "../plan/undo.ts"
import { keyOf, nameOf, type Word } from "../plan/word.ts"

interface ActionRule {
  /** Commands that may fix it. */
  readonly by: readonly string[]
  /** What the key is to its entity; without it, anything that the schema owns. */
  readonly roles?: readonly EntityRole[]
  /** What else must be so. */
  readonly also?: Also
}

type Also = (words: readonly Word[], row: Key, action: Action, owner: OwnerOf) => boolean

const INDEXES: readonly EntityRole[] = ["index", "mirror", "unique"]
const removal = ["SREM", "ZREM", "HDEL", "LREM", "UNLINK"]

const isDeclaredTtl: Also = ([, , ms], { ttl }) => {
  if (ttl === undefined || ttl.on === "never") return false
  const longest = ttl.on === "choice" ? Math.max(0, ...ttl.choices.filter((one) => one !== "never")) : ttl.ms
  return Number(wordText(ms)) === longest
}
/** It has no TTL and must have one: a key with a TTL is not given another. */
const lacksTtl: Also = ([, key], { ttl }, action) =>
  ttl !== undefined && ttlFault(ttl, -1) !== undefined && expectedAt(action, "PTTL", key!).includes(-1)
/** Its TTL is longer than declared. */
const hasLongerTtl: Also = ([, key, ms], _, action) =>
  expectedAt(action, "PTTL", key!).some(
    (is) => typeof is === "object" && is !== null && "above" in is && is.above >= Number(wordText(ms)),
  )
/** Only the key of a unique index is set or removed as a whole. One that is set ends with its record, where records end. */
const isWholeIfUnique: Also = ([name, , , ...ending], { kind, ttl }) => {
  if (name !== "SET" && name !== "UNLINK") return true
  return kind === "string" && (ending.length === 0 || longestLife(ttl) !== undefined)
}
const isUnknownField: Also = ([, , field], { kind, shape }) =>
  kind === "hash" && !Object.hasOwn(shape["fields"] as CodecFields, nameOf(field))

/** As many elements as the schema keeps. */
const keeps: Also = ([name, , , last], { keep }) =>
  keep !== undefined &&
  wordText(last) === String({ LTRIM: keep - 1, ZREMRANGEBYRANK: -keep - 1 }[name as string] ?? keep)

/** A counter goes up to an id that it could have given, and that is in use in its own scope: the script checks that. */
const isIdInUse: Also = ([, counter, number], own, { expects }, owner) =>
  expects.some(({ db, read, is }) => {
    if (db !== undefined || read[0] !== "EXISTS" || is !== 1) return false
    const key = keyOf(read[1]!)
    const { row } = owner(key)
    if (row?.entity?.name !== own.entity?.name || row?.entity?.role !== "record") return false
    const params = paramsOf(key, row)
    const id = idIn(params)
    return (
      id !== undefined &&
      isCountedId(id) &&
      id === wordText(number) &&
      Object.entries(paramsOf(keyOf(counter!), own)).every(([name, text]) => params[name] === text)
    )
  })

/** The id is the last parameter of a record's key. */
const idIn = (params: ParamTexts): string | undefined => Object.values(params).at(-1)

/** A key is removed for its type only if that is not the declared one: the script compares it. */
const isOfOtherType: Also = ([, key], { kind }, action) =>
  expectedAt(action, "TYPE", key!).some((is) => !says(is, redisTypes[kind]))

const isMisspelt: Also = ([, key], row) => hasUnreadableSegment(nameOf(key), row)

const indexMissing: ActionRule = { by: ["SADD", "ZADD", "SET"], roles: INDEXES, also: isWholeIfUnique }
const indexWrong: ActionRule = { by: ["SREM", "ZREM", "UNLINK", "SET"], roles: INDEXES, also: isWholeIfUnique }
const indexScore: ActionRule = {
  by: ["ZADD"],
  roles: INDEXES,
  also: (words) => words[2] === "XX" || words.length === 5,
}
const wholeKey: ActionRule = { by: ["UNLINK"] }
const wholeRecord: ActionRule = { by: ["UNLINK"], roles: ["record"] }

const rules: Readonly<Record<string, ActionRule>> = {
  "KEY.TYPE": { ...wholeKey, also: isOfOtherType },
  "KEY.SEGMENT": { ...wholeKey, also: isMisspelt },
  "TTL.UNEXPECTED": { by: ["PERSIST"], also: (_, { ttl }) => ttl?.on === "never" },
  "TTL.MISSING": {
    by: ["PEXPIRE", "PEXPIREAT"],
    also: (...given) => lacksTtl(...given) && (given[0][0] === "PEXPIREAT" || isDeclaredTtl(...given)),
  },
  "TTL.TOO_LONG": { by: ["PEXPIRE"], also: (...given) => isDeclaredTtl(...given) && hasLongerTtl(...given) },
  "TTL.FAMILY": { by: ["PEXPIREAT"] },
  "VALUE.UNDECODABLE": { by: ["UNLINK", "SREM", "ZREM", "HDEL", "LREM", "XDEL"] },
  "VALUE.FIELD_MISSING": wholeKey,
  "VALUE.FIELD_UNKNOWN": { by: ["HDEL"], also: isUnknownField },
  "VALUE.TOO_MANY": { by: ["LTRIM", "ZREMRANGEBYRANK", "XTRIM"], also: keeps },
  "ENTITY.ID": wholeRecord,
  "ENTITY.NOT_INDEXABLE": wholeRecord,
  "UNIQUE.TAKEN": wholeRecord,
  "REFERENCE.MISSING": wholeRecord,
  "INDEX.MISSING": indexMissing,
  "INDEX.DANGLING": indexWrong,
  "INDEX.STALE": indexWrong,
  "INDEX.EXPIRED": indexWrong,
  "INDEX.SCORE": indexScore,
  "MIRROR.MISSING": indexMissing,
  "MIRROR.DANGLING": indexWrong,
  "MIRROR.STALE": indexWrong,
  "MIRROR.EXPIRED": indexWrong,
  "MIRROR.SCORE": indexScore,
  "UNIQUE.MISSING": indexMissing,
  "UNIQUE.DANGLING": indexWrong,
  "UNIQUE.STALE": indexWrong,
  "LIST.MISSING": { by: ["SADD"], roles: ["all"] },
  "LIST.DANGLING": { by: ["SREM"], roles: ["all"] },
  "LIST.EXPIRED": { by: ["SREM"], roles: ["all"] },
  "COUNTER.BEHIND": { by: ["RAISE"], roles: ["counter"], also: isIdInUse },
  // What is not a number is replaced by raising it, too, so that no number is ever lowered.
  "COUNTER.NOT_A_NUMBER": {
    by: ["RAISE"],
    roles: ["counter"],
    also: (...given) => wordText(given[0][2]) === "0" || isIdInUse(...given),
  },
  "THROUGH.DANGLING": { by: ["SREM", "ZREM"] },
  "THROUGH.ORPHAN": wholeKey,
  "SAME.MISSING": { by: ["SADD"] },
  "SAME.EXTRA": { by: removal },
  "REFERS.DANGLING": { by: removal },
  "REFERS.ORPHAN": { by: removal },
  "EXCLUDES.BOTH": { by: ["SREM", "ZREM"] },
  "COMPARE.BROKEN": { by: [...removal, "HSET"] },
  "INVERSE.MISSING": { by: ["SADD"] },
  "INVERSE.EXTRA": { by: ["SREM", "ZREM"] },
  "KEYOF.DANGLING": { by: ["UNLINK", "SREM", "HDEL"] },
}

/**
 * Codes that plans may have, besides those of whole keys that no pattern owns, of purges and of the sweeper's notes.
 */
export const plannedCodes: readonly string[] = [...Object.keys(rules), "VALUE.BARE"]

/** Whether an action does what its code says, to keys that the schema owns. */
export function followsRule(action: Action, owner: OwnerOf): boolean {
  const { code, commands } = action
  const own = commands.at(-1)!
  // SADD and SREM find out themselves whether the member is there; any other command needs a condition.
  if (action.expects.length === 0 && own[0] !== "SREM" && own[0] !== "SADD") return false
  if (code === "PURGE") return isPurge(action, owner)
  const { row, toolkit } = owner(keyOf(own[1]!))
  if (code === "KEY.UNKNOWN") return commands.length === 1 && own[0] === "UNLINK" && row === undefined
  if (!commands.every((words) => !replacesWhole(words) || comparesWhole(action, words))) return false
  if (code === "EXPIRY.UNREADABLE" || code === "EXPIRY.OVERDUE") return isExpiry(action, owner)
  if (code === "VALUE.BARE") return commands.length <= 2 && row !== undefined && !toolkit && putsQuotes(action, row)
  if (commands.length !== 1) return false
  if (row === undefined || (toolkit && !TOOLKIT_TOO.test(code)) || !Object.hasOwn(rules, code)) return false
  const { by, roles, also } = rules[code]!
  // What is there is compared, except by commands that find it out themselves.
  if (
    !FINDS_OUT.has(own[0] as string) &&
    !action.expects.some(({ db, read }) => db === undefined && isSameWord(read[1]!, own[1]!))
  )
    return false
  return (
    by.includes(own[0] as string) &&
    (roles === undefined || (row.entity !== undefined && roles.includes(row.entity.role))) &&
    (also === undefined || also(own, row, action, owner))
  )
}

/** A whole value that is replaced or deleted is compared itself: by then it may be another one. */
const comparesWhole = (action: Action, [, key]: readonly Word[]): boolean =>
  ["GET", "DUMP"].some((read) => expectedAt(action, read, key!).length > 0)

const FINDS_OUT: ReadonlySet<string> = new Set(["SREM", "SADD", "RAISE"])

/** What the audit says about the toolkit's own keys, too. */
const TOOLKIT_TOO = /^(?:KEY\.TYPE|KEY\.SEGMENT|TTL\.\w+|VALUE\.UNDECODABLE)$/

/** Entries of a record, each removed as its index demands; `name` is the entity's. */
function removesEntries(commands: Action["commands"], owner: OwnerOf, single: string, name?: string): boolean {
  return commands.every(([command, key]) => {
    const { row } = owner(keyOf(key!))
    // Sets that are a record's own end with it; they are not of an entity.
    if (single === "UNLINK" && row !== undefined && row.entity === undefined) return command === "UNLINK"
    const entity = row?.entity
    if (entity === undefined || (name !== undefined && entity.name !== name)) return false
    if (entity.role === "record" || entity.role === "counter") return false
    return command === "SREM" || command === "ZREM" || (command === single && entity.role !== "all")
  })
}

/** The key goes, and if it is a record, its entries go before it. */
function isPurge({ commands }: Action, owner: OwnerOf): boolean {
  const [name, key] = commands.at(-1)!
  const { row, toolkit } = owner(keyOf(key!))
  if (name !== "UNLINK" || toolkit || (row?.entity !== undefined && row.entity.role !== "record")) return false
  if (commands.length === 1) return true
  const entries = commands.slice(0, -1)
  return (
    row !== undefined &&
    removesEntries(entries, owner, "DELIF", row.entity?.name ?? "") &&
    entries.every((entry) => isEntryOf(entry, owner, paramsOf(keyOf(key!), row)))
  )
}

/** An entry of this record and of no other: it holds its id, and is in the same scope. */
function isEntryOf([, key, held]: readonly Word[], owner: OwnerOf, record: ParamTexts): boolean {
  const row = owner(keyOf(key!)).row!
  const idText = idTextOf((row.shape["member"] ?? row.shape["value"]) as AnyCodec | undefined)
  const params = paramsOf(keyOf(key!), row)
  const scope = Object.entries(record).slice(0, -1)
  return (
    nameOf(held) === idText.held(idIn(record)!) &&
    scope.every(([name, text]) => params[name] === undefined || params[name] === text)
  )
}

/** A note of the sweeper goes, and before it what it says that ends with the record. */
function isExpiry({ code, commands }: Action, owner: OwnerOf): boolean {
  const [name, key] = commands.at(-1)!
  const { row, toolkit } = owner(keyOf(key!))
  if (name !== "ZREM" || !toolkit || row?.name !== "keywright.expiry") return false
  if (code === "EXPIRY.UNREADABLE") return commands.length === 1
  return removesEntries(commands.slice(0, -1), owner, "UNLINK")
}
