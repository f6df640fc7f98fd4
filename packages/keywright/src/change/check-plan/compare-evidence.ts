/* Whether the conditions of an action say that a comparison of the schema is broken, so that a plan
 * file cannot call a correct value wrong. */

import type { Reply } from "../../driver/driver.ts"
import { decodedAt, isBroken, readAgain } from "../../inspect/audit/checks/compare.ts"
import { isOfElement, knownFrom } from "../../schema/compare.ts"
import type { InvariantRule } from "../../schema/invariant.ts"
import type { Key } from "../../schema/key.ts"
import { type At, type Spot, spotOf } from "../../schema/place.ts"
import { expectedAt } from "./grounds.ts"
import type { Action, Expected } from "../plan/plan.ts"
import { keyOf, nameOf, type Word } from "../plan/word.ts"
import type { Stored } from "./stored-values.ts"

type CompareRule = Extract<InvariantRule, { kind: "compare" }>

export interface ChangedKey {
  readonly action: Action
  readonly row: Key
  readonly own: Readonly<Record<string, string>>
}

/** What a condition says that a read answers; undefined: that is not known. */
type Answer = { readonly reply: Reply } | undefined

/** A condition on the other key of a rule. */
export interface OtherSide {
  readonly row: Key
  readonly params: Readonly<Record<string, string>>
  readonly read: readonly Word[]
  readonly is: Expected
}

/** `replies`: what is stored where the conditions have only a digest. */
export function saysBroken(
  { action, row, own }: ChangedKey,
  { left, is, right }: CompareRule,
  others: readonly OtherSide[],
  replies: Stored["replies"],
): boolean {
  const [name, key, ...rest] = action.commands.at(-1)!
  const word = name === "LREM" ? rest[1] : rest[0]
  const one = spotOf(row, left.place)
  if (one === undefined || !isItsFix(String(name), row, one)) return false
  if (one.in === "field" && nameOf(word) !== one.name) return false
  const element = isOfElement(row, one) ? word : undefined
  const inOwn = (spot: Spot): Answer => {
    if (spot.in === "param") return { reply: own[spot.name]! }
    // Members are what they are as long as they are there, which the command finds out.
    const isItself = spot.in === "part" && element !== undefined && spot.name !== "value" && spot.name !== "score"
    if (isItself) return { reply: asReply(element) }
    return answerOf(expectedAt(action, ...readAgain(row, spot, key!, element))[0], replies)
  }
  const onOther = (at: At, spot: Spot): Answer => {
    const found = others.find(
      (other) =>
        other.row.name === at.key &&
        isSameRead(other.read, readAgain(other.row, spot, other.read[1]!, element)) &&
        Object.entries(other.params).every(([param, text]) => {
          const from = knownFrom(row, other.row, param)
          return from !== undefined && own[from]!.startsWith(text) && (from !== param || own[from] === text)
        }),
    )
    return found && answerOf(found.is, replies)
  }
  const mine = inOwn(one)
  if (typeof right === "number")
    return name !== "HSET" && isWrong(mine, (reply) => isBroken(decodedAt(one, reply), is, right))
  const other = right.key === left.key ? row : others.find((each) => each.row.name === right.key)?.row
  const spot = other && spotOf(other, right.place)
  const theirs = spot && (right.key === left.key ? inOwn(spot) : onOther(right, spot))
  if (name === "HSET" && !(is === "=" && spot?.in === "param" && nameOf(rest[1]) === own[spot.name])) return false
  return (
    theirs !== undefined &&
    isWrong(mine, (reply) =>
      isWrong(theirs, (bound) => isBroken(decodedAt(one, reply), is, decodedAt(spot!, bound, right))),
    )
  )
}

/** A field is set, an element removed, and a value removed with its key. */
function isItsFix(command: string, row: Key, one: Spot): boolean {
  if (one.in === "size") return false
  if (one.in === "field") return command === "HSET"
  return isOfElement(row, one) ? command !== "UNLINK" && command !== "HSET" : command === "UNLINK"
}

const isWrong = (answer: Answer, judge: (reply: Reply) => boolean): boolean =>
  answer !== undefined && judge(answer.reply)

const asReply = (word: Word): Reply => keyOf(word)

const isSameRead = (one: readonly Word[], other: readonly (Word | string)[]): boolean =>
  one.length === other.length && one.every((word, i) => nameOf(word) === nameOf(other[i]))

function answerOf(is: Expected | undefined, replies: Stored["replies"]): Answer {
  if (is === undefined) return undefined
  if (typeof is !== "object" || is === null) return { reply: is }
  if ("score" in is) return { reply: is.score }
  const reply = replies.get(is)
  return reply === undefined ? undefined : { reply }
}
