/* One check, one key, and what the server would answer: the suspicions that hold. What the
 * check asks and what its suspicions rest on is answered from a table, by command. */

import type { Reply } from "../../../driver/driver.ts"
import { keyspace, type Keyspace } from "../../../index.ts"
import { type Model, modelOf } from "../../model/model.ts"
import type { CheckKind } from "./check.ts"
import type { Subject } from "../../model/subject.ts"
import type { Inquiry, Suspicion } from "../inquiry.ts"

/** `{ "SISMEMBER user:all 7": 0 }` */
export type Replies = Readonly<Record<string, Reply>>

export const NOW = 1_800_000_000_000

/** As for a file, whose clock is stopped at `NOW`. */
export function modelFor(entries: object, options: object = {}): Model {
  const schema = keyspace(entries as Record<string, never>, options) as Keyspace
  return modelOf(schema, [{ db: 0, driver: undefined as never, keys: schema.keys }], false, 60_000, NOW)
}

/** `"LIST.MISSING user:all (member 7): user 7 / no such member; SADD user:all 7"` */
const textOf = ({ code, key, place, expected, found, fix }: Suspicion): string => {
  const where = place === undefined ? "" : ` (${Object.entries(place).flat().join(" ")})`
  const commands = fix?.commands.map((command) => command.join(" ")).join(", ")
  const remedy = commands === undefined ? "" : `; ${fix?.destroys ? "destroying " : ""}${commands}`
  return `${code} ${String(key)}${where}: ${expected} / ${found}${remedy}`
}

/** `given`: what was read of the key. An answer that the table lacks is an error. */
export function suspicionsOf(
  model: Model,
  check: CheckKind,
  key: string,
  given: Partial<Subject>,
  replies: Replies = {},
): string[] {
  const inquiry = new Collected(model, replies)
  const row = [...model.keys.values()].find((one) => one.format.locate(key) !== undefined)!
  const subject: Subject = {
    row,
    key,
    params: row.format.locate(key)!,
    ttl: -1,
    length: undefined,
    elements: [],
    offset: 0,
    first: true,
    last: true,
    bad: undefined,
    document: "unread",
    ...given,
  }
  for (const one of [check(row, model) ?? []].flat()) one(subject, inquiry as unknown as Inquiry)
  return inquiry.held()
}

/** What a check hands in. Questions are answered when it has returned, as a server would. */
export class Collected {
  readonly model: Model
  readonly #replies: Replies
  readonly #suspicions: Suspicion[] = []
  readonly #questions: (() => void)[] = []

  constructor(model: Model, replies: Replies) {
    this.model = model
    this.#replies = replies
  }

  #answer(command: readonly unknown[]): Reply {
    const asked = command.join(" ")
    if (!(asked in this.#replies)) throw new Error(`The table has no answer to: ${asked}`)
    return this.#replies[asked]!
  }

  ask(_: number, command: readonly unknown[], answer: (reply: Reply) => void): void {
    this.#questions.push(() => answer(this.#answer(command)))
  }
  askExists(db: number, key: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["EXISTS", key], answer)
  }
  askGet(db: number, key: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["GET", key], answer)
  }
  askMember(db: number, key: string, member: string, answer: (reply: Reply) => void): void {
    this.ask(db, ["SISMEMBER", key, member], answer)
  }
  suspect(suspicion: Suspicion): void {
    this.#suspicions.push(suspicion)
  }
  suspectLater(suspicion: Suspicion): void {
    this.suspect(suspicion)
  }

  /** Those that the second look confirms. */
  held(): string[] {
    for (let next = this.#questions.shift(); next !== undefined; next = this.#questions.shift()) next()
    return this.#suspicions
      .filter(({ reads, isStillWrong }) => isStillWrong(reads.map(({ command }) => this.#answer(command))))
      .map(textOf)
  }
}
