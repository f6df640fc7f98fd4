/* The counters that ids come from. The highest id is known when the walk is over:
 * then each counter is compared with it. */

import { HIGHEST_COUNTER } from "../../../client/plan/highest-counter.ts"
import { readFrom } from "../finding.ts"
import type { Inquiry } from "../inquiry.ts"
import type { EntityModel, ParamTexts } from "../../model/entity-model.ts"
import type { Model } from "../../model/model.ts"
import { spell } from "../../model/spell.ts"
import type { CheckKind } from "./check.ts"
import { boundOf } from "../../model/subject.ts"
import { getOrMake } from "../../walk/get-or-make.ts"
import { isSecretField } from "../../model/secret-fields.ts"

interface Highest {
  readonly entity: EntityModel
  readonly bound: ParamTexts
  id: number
}

const highest = new WeakMap<Model, Map<string, Highest>>()

const highestOf = (model: Model): Map<string, Highest> => getOrMake(highest, model, () => new Map())

const NUMERIC = /^(?:0|[1-9]\d{0,14})$/

/** Whether a counter could give this id: then it must not be behind it. Others, as 0005, were made in another way. */
export const isCountedId = (text: string): boolean => NUMERIC.test(text)

export const hasCountedIds = ({ counter, entity }: EntityModel): boolean =>
  counter !== undefined && entity.ids === "counter"

/** Takes note of every numeric id, and of every counter. */
export const counterCheck: CheckKind = (row, model) => {
  const role = row.declared.entity?.role
  if (role !== "record" && role !== "counter") return undefined
  const entity = model.entities.get(row.declared.entity!.name)!
  if (!hasCountedIds(entity)) return undefined
  const counter = entity.counter!
  const all = highestOf(model)
  return ({ params, first }) => {
    if (!first) return
    const text = role === "record" ? params[entity.idField]! : "0"
    if (!isCountedId(text)) return
    const id = Number(text)
    const key = spell(counter, params)
    const known = all.get(key)
    if (known === undefined) all.set(key, { entity, bound: boundOf(entity, params), id })
    else if (id > known.id) known.id = id
  }
}

/** When all keys have been seen: compares every counter with the highest id. */
export function compareCounters(inquiry: Inquiry): void {
  for (const [key, { entity, bound, id }] of highestOf(inquiry.model)) {
    const counter = entity.counter!
    const { db } = counter
    const record = entity.keyOf(String(id), bound)
    const reads = [readFrom(counter, ["GET", key]), readFrom(entity.record, ["EXISTS", record])]
    inquiry.ask(db, ["GET", key], (found) => {
      const isNumber = typeof found === "string" && /^-?\d{1,19}$/.test(found)
      if (typeof found === "string" && !isNumber) {
        inquiry.suspect({
          code: "COUNTER.NOT_A_NUMBER",
          row: counter,
          key,
          expected: "a whole number",
          found: "something else",
          reads,
          isStillWrong: ([now]) => now === found,
          fix: { db, commands: [["SET", key, String(id)]] },
        })
      } else if (isNumber && Number(found) > HIGHEST_COUNTER) {
        inquiry.suspect({
          code: "COUNTER.TOO_HIGH",
          row: counter,
          key,
          expected: `at most ${HIGHEST_COUNTER}`,
          found,
          reads,
          isStillWrong: ([now]) => now === found,
        })
      } else if ((found === null || isNumber) && Number(found ?? 0) < id) {
        inquiry.suspect({
          code: "COUNTER.BEHIND",
          row: counter,
          key,
          expected: isSecretField(entity.record, entity.idField) ? "at least the highest id" : `at least ${id}`,
          found: found === null ? "no counter" : String(found),
          reads,
          isStillWrong: ([now, exists]) => Number(now ?? 0) < id && exists === 1,
          fix: { db, commands: [["SET", key, String(id)]] },
        })
      }
    })
  }
}
