/* Records that have expired. Their index entries are removed by the sweeper, which
 * knows of them from a note in a sorted set: what is noted is about to go, and only
 * a note that nobody has seen to for a while is a finding. */

import type { Reply } from "../../driver/driver.ts"
import type { Read } from "../finding.ts"
import type { EntityModel, Texts } from "./entity-model.ts"
import { type Check, type Look } from "./subject.ts"

/** Notes that are due; more than these are overdue anyway. */
const MOST = 2000
/** Clocks of two machines may differ by so much. */
const SKEW_MS = 60_000

/** Where the deadlines of an entity's records are noted. */
const expiryKey = (entity: EntityModel, bound: Texts): string => `keywright:expiry:${entity.keyOf("*", bound)}`

/** Reads the notes that are due; for an entity that does not expire, nothing. */
export const expiredRead = (entity: EntityModel, bound: Texts): Read => ({
  db: entity.record.db,
  command: [
    "ZRANGE",
    expiryKey(entity, bound),
    "-inf",
    String(Date.now() + SKEW_MS),
    "BYSCORE",
    "LIMIT",
    "0",
    String(MOST),
  ],
})

/** Whether the sweeper will remove the record's entry from this key; left out: from the set of all ids. */
export const isNoted = (notes: Reply, id: string, key?: string): boolean =>
  Array.isArray(notes) &&
  notes.some((note) => {
    const [noted, ...keys] = noteOf(String(note)) ?? []
    return noted === id && (key === undefined || keys.includes(key))
  })

function noteOf(note: string): string[] | undefined {
  try {
    const words: unknown = JSON.parse(note)
    return Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === "string")
      ? (words as string[])
      : undefined
  } catch {
    return undefined // Not one of the sweeper's: a finding of its own.
  }
}

export const expiryCheck: Check = (row, model) => {
  if (!row.toolkit || row.row.name !== "keywright.expiry") return undefined
  const look: Look = (subject, desk) => {
    const { key, elements } = subject
    const { db } = row
    const now = Date.now()
    const record = subject.params["entity"]!
    const [head = "", tail = ""] = record.split("*")
    const entity = [...model.entities.values()].find((one) => one.record.declared.format.locate(`${head}x${tail}`))
    for (let i = 0; i + 1 < elements.length; i += 2) {
      const member = String(elements[i])
      const noted = noteOf(member)
      const overdue = Number(elements[i + 1]) + model.graceMs < now
      if (noted === undefined) {
        desk.suspect({
          code: "EXPIRY.UNREADABLE",
          model: row,
          key,
          place: { member: "…" },
          raw: member,
          expected: "the id of a record and the keys of its entries",
          found: "something else",
          reads: [{ db, command: ["ZSCORE", key, member] }],
          holds: ([score]) => score !== null,
          fix: { db, commands: [["ZREM", key, member]] },
        })
      } else if (overdue) {
        const [id = "", ...keys] = noted
        const recordKey = head + id + tail
        const secret = entity?.record.row.params[entity.idField]?.secret === true
        const entries = keys.map((indexKey) => {
          const index = entity?.indexes.find((one) => one.row.declared.format.locate(indexKey))
          return [index?.kind === "zset" ? "ZREM" : "SREM", indexKey, id]
        })
        const list = entity?.list && entity.bound.length === 0 ? [["SREM", entity.list.row.pattern, id]] : []
        desk.ask(db, ["EXISTS", recordKey], (exists) => {
          if (exists !== 0) return
          desk.suspect({
            code: "EXPIRY.OVERDUE",
            model: row,
            key,
            place: { member: secret ? "…" : id },
            raw: member,
            expected: "swept soon after the record has expired",
            found: "not swept",
            reads: [
              { db, command: ["ZSCORE", key, member] },
              { db, command: ["EXISTS", recordKey] },
            ],
            holds: ([score, there]) => score !== null && there === 0 && Number(score) + model.graceMs < Date.now(),
            fix: { db, commands: [...entries, ...list, ["ZREM", key, member]] },
          })
        })
      }
    }
  }
  return look
}
