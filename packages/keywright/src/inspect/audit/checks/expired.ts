/* Records that have expired. Their index entries are removed by the sweeper, which knows
 * of them from a note in a sorted set: what is noted will be removed soon, and only a
 * note that has been overdue for a while is a finding. */

import { type EndingPatterns, endingPatterns, EXPIRY, expiryKey, readEnding } from "../../../client/entity/expiry.ts"
import type { Command, Reply } from "../../../driver/driver.ts"
import { type ReadCommand, readFrom } from "../finding.ts"
import { type EntityModel, type ParamTexts, showId } from "../../model/entity-model.ts"
import { type Model, nowOf } from "../../model/model.ts"
import { getOrMake } from "../../walk/get-or-make.ts"
import type { CheckKind, CheckKey } from "./check.ts"

/** Notes that are due, the oldest first. When there are more, an entry whose note is not among them is reported: the sweeper is late. */
const MOST = 2000
/** Clocks of two machines may differ by so much. */
const SKEW_MS = 60_000

/** Reads the notes that are due; for an entity that does not expire, nothing. */
export function expiredRead(model: Model, entity: EntityModel, bound: ParamTexts): ReadCommand {
  const key = expiryKey(entity.record.declared.pattern, entity.headOf(bound), model.cluster)
  const until = String(nowOf(model) + SKEW_MS)
  return readFrom(entity.record, ["ZRANGE", key, "-inf", until, "BYSCORE", "LIMIT", "0", String(MOST)])
}

/** Whether the sweeper will remove the record's entry from this key. */
export const isNoted = (model: Model, entity: EntityModel, notes: Reply, id: string, key: string): boolean =>
  Array.isArray(notes) &&
  notes.some((note) => {
    const ending = readEnding(String(note), patternsOf(model, entity))
    return ending?.id === id && (ending.entries.includes(key) || ending.owned.includes(key))
  })

const known = new WeakMap<EntityModel, EndingPatterns>()

const patternsOf = ({ keyspace }: Model, entity: EntityModel): EndingPatterns =>
  getOrMake(known, entity, () => endingPatterns(keyspace, entity.name))

/** The entity whose expiry is noted there: in a cluster, a hash tag precedes the pattern. */
function notedIn({ entities }: Model, db: number, key: string): EntityModel | undefined {
  const all = [...entities.values()].filter(({ record }) => record.db === db && key.endsWith(record.declared.pattern))
  const isWhole = (entity: EntityModel) => key === EXPIRY + entity.record.declared.pattern
  return all.find(isWhole) ?? all.sort((a, b) => b.record.declared.pattern.length - a.record.declared.pattern.length)[0]
}

export const expiryCheck: CheckKind = (row, model) => {
  if (!row.toolkit || row.declared.name !== "keywright.expiry") return undefined
  const { db } = row
  const look: CheckKey = ({ key, elements }, inquiry) => {
    const now = nowOf(model)
    const entity = notedIn(model, db, key)
    for (let i = 0; i + 1 < elements.length; i += 2) {
      const member = String(elements[i])
      const ending = entity && readEnding(member, patternsOf(model, entity))
      if (ending === undefined) {
        inquiry.suspect({
          code: "EXPIRY.UNREADABLE",
          row,
          key,
          place: { member: "…" },
          raw: member,
          expected: "what ends with a record",
          found: "something else",
          reads: [readFrom(row, ["ZSCORE", key, member])],
          isStillWrong: ([score]) => score !== null,
          fix: { db, commands: [["ZREM", key, member]] },
        })
      } else if (Number(elements[i + 1]) + model.graceMs < now) {
        const { id, record, entries, owned } = ending
        const isOrdered = (one: string) =>
          entity!.indexes.some((index) => index.kind === "zset" && index.row.format.locate(one))
        const clear: Command[] = [
          ...entries.map((one) => [isOrdered(one) ? "ZREM" : "SREM", one, entity!.idText.held(id)]),
          ...owned.map((one) => ["UNLINK", one]),
          ["ZREM", key, member],
        ]
        inquiry.askExists(db, record, (exists) => {
          if (exists !== 0) return
          inquiry.suspect({
            code: "EXPIRY.OVERDUE",
            row,
            key,
            place: { member: showId(entity!, id) },
            raw: member,
            expected: "swept soon after the record has expired",
            found: "not swept",
            reads: [readFrom(row, ["ZSCORE", key, member]), readFrom(row, ["EXISTS", record])],
            isStillWrong: ([score, there]) =>
              score !== null && there === 0 && Number(score) + model.graceMs < nowOf(model),
            fix: { db, commands: clear },
          })
        })
      }
    }
  }
  return look
}
