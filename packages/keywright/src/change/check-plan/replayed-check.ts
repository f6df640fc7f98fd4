/* A check of the audit, run again on what an action says: its subjects are the keys that the action names, its questions are
 * answered by the action's conditions. What it then proposes is what a plan may do; anything else was made up. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { Inquiry, type Suspicion } from "../../inspect/audit/inquiry.ts"
import type { KeyModel, Model } from "../../inspect/model/model.ts"
import type { CheckKey } from "../../inspect/audit/checks/check.ts"
import type { Subject } from "../../inspect/model/subject.ts"
import type { CopiedAs, OwnerOf } from "../copy/owners.ts"
import { allDeletions, fixOf } from "../make-plan/deletions.ts"
import { plainScore, scoreOf } from "../plan/expected.ts"
import type { Action, Expected } from "../plan/plan.ts"
import { isSameWord, MOST_CONDITIONS } from "../plan/plan-grammar.ts"
import { keyOf, type Word } from "../plan/word.ts"
import type { Stored } from "./stored-values.ts"

export type OwnerIn = (db: number) => OwnerOf | undefined

/** Whether one of the checks of some key that the action names proposes exactly this action. */
export function isProposed(
  action: Action,
  model: Model,
  ownerIn: OwnerIn,
  checksOf: (row: KeyModel) => readonly CheckKey[],
  /** Its conditions may have only the digests of these. */
  replies: Stored["replies"],
): boolean {
  if (action.expects.length > MOST_CONDITIONS) return false
  const replay = new Replay(action, model, replies)
  for (const subject of subjectsOf(action, model, ownerIn, replay))
    for (const check of checksOf(subject.row)) check(subject, replay)
  return replay.isProposed()
}

/** An inquiry whose only server is the conditions of an action: they answer at once, or not at all. */
class Replay extends Inquiry {
  readonly #action: Action
  /** Its conditions and commands, as the checks spell them. */
  readonly #conditions: readonly {
    readonly db: number
    readonly read: Command
    readonly is: Expected
  }[]
  readonly #commands: readonly Command[]
  readonly #suspicions: Suspicion[] = []
  readonly #stored: Stored["replies"]

  constructor(action: Action, model: Model, stored: Stored["replies"]) {
    super(model, () => {})
    this.#action = action
    this.#conditions = action.expects.map(({ db = action.db, read, is }) => ({ db, read: read.map(keyOf), is }))
    this.#commands = action.commands.map((words) => words.map(keyOf))
    this.#stored = stored
  }

  override ask(db: number, command: Command, answer: (reply: Reply) => void): void {
    const reply = this.replyTo(db, command)
    if (reply !== undefined) answer(reply)
  }
  override askExists(db: number, key: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["EXISTS", key], answer)
  }
  override askGet(db: number, key: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["GET", key], answer)
  }
  override askMember(db: number, key: string, member: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["SISMEMBER", key, member], answer)
  }
  override suspect(suspicion: Suspicion): void {
    this.#suspicions.push(suspicion)
  }
  override suspectLater(suspicion: Suspicion): void {
    this.suspect(suspicion)
  }

  /** Undefined when no condition says what the reply is. */
  replyTo(db: number, command: Command): Reply | undefined {
    const found = this.#conditions.find((one) => one.db === db && isSame(one.read, command))
    if (found !== undefined) return this.#replyOf(found.is)
    if (command[0] === "EXISTS") return this.#existsBy(db, command[1]!)
    // The one command that adds a member or removes it finds out itself whether it is in the set.
    const [change, ...more] = this.#commands
    if (more.length > 0 || db !== this.#action.db || command[0] !== "SISMEMBER") return undefined
    if (!isSame(change!.slice(1), command.slice(1))) return undefined
    return { SREM: 1, SADD: 0 }[change![0] as string]
  }

  #replyOf(is: Expected): Reply | undefined {
    if (is === null || typeof is !== "object") return is
    return "score" in is ? plainScore(is.score) : this.#stored.get(is)
  }

  /** What a key holds says whether it exists. */
  #existsBy(db: number, key: Wire): 0 | 1 | undefined {
    const value = this.replyTo(db, ["GET", key]) ?? this.replyTo(db, ["HGETALL", key])
    return value === undefined ? undefined : value === null || (Array.isArray(value) && value.length === 0) ? 0 : 1
  }

  isProposed(): boolean {
    const { code, db } = this.#action
    const commands = this.#commands
    return this.#suspicions.some((one) => {
      const { code: ofCheck, row, fix, reads, isStillWrong } = one
      if (ofCheck !== code || (fix ?? row).db !== db) return false
      const proposed = fixOf({ code, target: one }, allDeletions)
      if (proposed?.length !== commands.length) return false
      if (!proposed.every((command, i) => isSame(commands[i]!, command))) return false
      const replies = reads.map((read) => this.replyTo(read.db, read.command))
      return replies.every((reply) => reply !== undefined) && isStillWrong(replies)
    })
  }
}

/** Whether two commands are the same, word by word; a score may be spelled in several ways. */
export const isSame = (one: Command, other: Command): boolean =>
  one.length === other.length &&
  one.every((word, i) => {
    const isScore = one[0] === "ZADD" && i === one.length - 2
    return word === other[i] || isSameBytes(word, other[i]!) || (isScore && isSameScore(word, other[i]!))
  })

const isSameScore = (one: Wire, other: Wire): boolean => scoreOf(String(one)) === scoreOf(String(other))

const isSameBytes = (one: Wire, other: Wire): boolean =>
  typeof one !== "string" && typeof other !== "string" && Buffer.compare(one, other) === 0

/** The keys that an action names, each with the elements that it names there. */
export const subjectsNamedBy = (
  action: Action,
  model: Model,
  ownerIn: OwnerIn,
  replies: Stored["replies"],
): readonly Subject[] => subjectsOf(action, model, ownerIn, new Replay(action, model, replies))

/** The pattern of a key in the model; undefined when no pattern owns it. */
export const modelOfOwner = ({ keys }: Model, db: number, { row, toolkit }: CopiedAs): KeyModel | undefined =>
  row && keys.get(toolkit ? `${db}/${row.name}` : row.name)

function subjectsOf(action: Action, model: Model, ownerIn: OwnerIn, replay: Replay): Subject[] {
  const named = new Map<string, { row: KeyModel; key: string; elements: Reply[]; offset: number }>()
  const keyAt = (db: number, word: Word) => {
    const key = keyOf(word)
    const owner = ownerIn(db)?.(key)
    const found = owner && modelOfOwner(model, db, owner)
    if (found === undefined || typeof key !== "string") return undefined
    const known = named.get(`${db} ${key}`) ?? { row: found, key, elements: [], offset: 0 }
    named.set(`${db} ${key}`, known)
    return known
  }
  const [name, own, member, item] = action.commands.at(-1)!
  const changed = keyAt(action.db, own!)
  if (name === "SREM") changed?.elements.push(keyOf(member!))
  for (const { db = action.db, read } of action.expects) {
    const at = keyAt(db, read[1]!)
    const reply = replay.replyTo(db, read.map(keyOf))
    // In a list, the item is removed at its position: other items would shift it.
    if (name === "LREM" && at === changed && at !== undefined && read[0] === "LPOS") {
      if (!isSameWord(read[2]!, item!)) continue
      at.offset = Number(reply)
    }
    if (reply !== undefined && reply !== null) at?.elements.push(...elementsIn(read, reply))
  }
  return [...named.values()].flatMap((one) => {
    const params = one.row.format.locate(one.key)
    if (params === undefined) return []
    const read = { ttl: -1, length: undefined, first: true, last: true } as const
    return [{ ...one, ...read, params, bad: undefined, document: "unread" }]
  })
}

/** What a read shows of its key: pairs of types that are made of pairs. */
function elementsIn([name, , element]: readonly Word[], reply: Reply): readonly Reply[] {
  switch (name) {
    case "GET":
    case "GETRANGE":
      return [reply]
    case "HGETALL":
    case "XRANGE":
      return reply as readonly Reply[]
    case "ZSCORE":
    case "HGET":
      return [keyOf(element!), reply]
    case "HEXISTS":
      return reply === 0 ? [] : [keyOf(element!), reply]
    case "SISMEMBER":
      return reply === 0 ? [] : [keyOf(element!)]
    case "LPOS":
      return [keyOf(element!)]
    default:
      return []
  }
}
