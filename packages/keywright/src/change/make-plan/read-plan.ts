/* A plan from the text of a file: of exactly the form that plans are saved in. What
 * another reader of the file could take for something else is refused: fields that are
 * unknown or repeated, numbers that are texts, base64 that is spelled oddly. */

import { planRefused } from "../../errors/change.ts"
import { nameTwice } from "../../files/name-twice.ts"
import { isCount, isObject, parsedJson } from "../../schema/codec/json-checks.ts"
import { isExactly } from "../plan/exact-fields.ts"
import { isAnswerOf, isChange, isRead, isUndo, MOST_CONDITIONS } from "../plan/plan-grammar.ts"
import type { ChangePlan, Expectation } from "../plan/plan.ts"
import type { Word } from "../plan/word.ts"

const MOST_COMMANDS = 10_000
const MOST_DATABASES = 1_000_000

export function readPlan(text: string, path: string): ChangePlan {
  const value = parsedJson(text)
  if (value === undefined) throw planRefused(`${path} is not JSON`)
  const { format, version } = (value ?? {}) as Record<string, unknown>
  if (format !== "keywright-plan" || version !== 1) throw planRefused(`${path} is another file`)
  const fault = faultOf(value)
  if (fault !== undefined) throw planRefused(`${path}: ${fault}`)
  if (nameTwice(text) !== undefined) throw planRefused(`${path} has a field twice`)
  return value as ChangePlan
}

/** What is wrong with it; undefined when it is a plan. */
function faultOf(value: unknown): string | undefined {
  const { actions, ...head } = value as Record<string, unknown>
  const areCounts = (one: unknown) => isObject(one) && Object.values(one).every(isCount)
  const isHead = isExactly(
    head,
    {
      format: isText,
      version: isCount,
      made: isText,
      server: isText,
      schema: (one) => isExactly(one, { fingerprint: isText }, { name: isText }),
      left: areCounts,
    },
    { unconfirmed: areCounts, nodes: (one) => isText(one) && /^cluster:(?:[0-9a-f]{40}(?:,|$))*$/.test(one) },
  )
  if (!isHead || !Array.isArray(actions)) return "its head is not that of a plan"
  const at = actions.findIndex((action) => !isAction(action))
  return at < 0 ? undefined : `action ${at + 1} is not of a form that plans have`
}

/** It is printed as it is. */
const LONGEST_WHY = 100_000

const isAction = (action: unknown): boolean =>
  isExactly(
    action,
    {
      code: (code) => isText(code) && code.length <= 100,
      db: isDatabase,
      pattern: isText,
      key: isText,
      why: (why) => isText(why) && why.length <= LONGEST_WHY,
      expects: (all) => isList(all) && all.length <= MOST_CONDITIONS && all.every(isExpectation),
      commands: (all) => isSome(all) && all.every((words) => isWords(words) && isChange(words)),
      undo: (all) => isList(all) && all.every((words) => isWords(words) && isUndo(words)),
    },
    { secret: (one) => one === true, place: isPlace },
  )

const isExpectation = (one: unknown): boolean =>
  isExactly(one, { read: (words) => isWords(words) && isRead(words), is: () => true }, { db: isDatabase }) &&
  isAnswerOf((one as Expectation).read, (one as Expectation).is)

const isPlace = (place: unknown): boolean =>
  ["field", "member", "index", "entry"].some((name) => isExactly(place, { [name]: isText }))

const isText = (value: unknown): value is string => typeof value === "string"
const isDatabase = (value: unknown): boolean => isCount(value) && (value as number) < MOST_DATABASES
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= MOST_COMMANDS
const isSome = (value: unknown): value is unknown[] => isList(value) && value.length > 0
const isWords = (value: unknown): value is Word[] => isSome(value) && value.every(isWord)
/** Half of a surrogate pair would be sent as another character than it was checked as. */
const isWord = (word: unknown): boolean =>
  (isText(word) && word.isWellFormed()) || isExactly(word, { base64: (text) => isText(text) && isBase64(text) })

const isBase64 = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text
