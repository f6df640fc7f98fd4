/* Whether the conditions of an action justify what it does. They are compared when it is
 * carried out; this file makes sure that they are about the record, or the other key, that the
 * change is made for, so that no plan file leads an index to somebody else's record. */

import type { Command, Reply, Wire } from "../driver/driver.ts"
import { SAFE_BYTES } from "../driver/safe.ts"
import { type EntityModel, type IndexModel, leadsTo, scoreOf, type ParamTexts } from "../inspect/model/entity-model.ts"
import type { Model } from "../inspect/model/model.ts"
import { boundOf } from "../inspect/model/subject.ts"
import type { CopiedAs } from "./copy/owners.ts"
import { says } from "./expected.ts"
import { paramsOf } from "./grounds.ts"
import type { Action, Expectation } from "./plan.ts"
import { wordText } from "./plan-grammar.ts"
import { textOrEmpty } from "./word.ts"

const OF_RECORDS = /^(?:INDEX|MIRROR|UNIQUE|LIST)\.(?:MISSING|DANGLING|STALE|EXPIRED|SCORE)$/

/** What an action says about the entry of one record. */
interface Claim {
  readonly adds: boolean
  readonly entity: EntityModel
  readonly index: IndexModel | undefined
  readonly bound: ParamTexts
  readonly params: ParamTexts
  readonly score: string | undefined
  /** What of its conditions is about the record. */
  readonly evidence: Expectation
  readonly key: string
}

const PAGE = 500

/** The first action that no record justifies; the records are read. */
export async function unfounded(
  actions: readonly Action[],
  model: Model,
  ownerIn: (db: number) => (key: Wire) => CopiedAs,
): Promise<number | undefined> {
  const about = actions.flatMap((action, at) => (OF_RECORDS.test(action.code) ? [{ action, at }] : []))
  if (about.length === 0) return undefined
  const { databases } = model
  for (let from = 0; from < about.length; from += PAGE) {
    const asked = new Map(databases.map(({ db }) => [db, [] as { at: number; command: Command; claim: Claim }[]]))
    for (const { action, at } of about.slice(from, from + PAGE)) {
      const claim = claimOf(action, model, ownerIn(action.db))
      if (claim === undefined) return at
      if (isConclusive(claim)) continue
      if (claim.index === undefined) {
        // The list of all ids keeps the id of every record that exists.
        if (!claim.adds) return at
        continue
      }
      asked.get(claim.entity.record.db)!.push({ at, command: claim.entity.read(claim.key), claim })
    }
    for (const { db, driver: there } of databases) {
      const reads = asked.get(db)!
      const replies = await there.batch(
        reads.map(({ command }) => command),
        SAFE_BYTES,
      )
      const wrong = reads.find(({ claim }, i) => contradicts(claim, replies[i]!))
      if (wrong !== undefined) return wrong.at
    }
  }
  return undefined
}

function claimOf({ db, commands, expects }: Action, model: Model, owner: (key: Wire) => CopiedAs): Claim | undefined {
  const [name, word, ...rest] = commands.at(-1)!
  const key = textOrEmpty(word)
  const found = model.keys.get(owner(key).row?.name ?? "")
  const entity = model.entities.get(found?.declared.entity?.name ?? "")
  if (found === undefined || entity === undefined) return undefined
  const params = paramsOf(key, found.declared)
  const bound = boundOf(entity, params)
  const adds = name === "SADD" || name === "ZADD" || name === "SET"
  // An entry that is given an end has that of its record, which is compared.
  const isEndOf = (record: string, deadline: string | undefined, of: number) =>
    expects.some(
      ({ db: there = db, read, is }) =>
        there === of && read[0] === "PEXPIRETIME" && textOrEmpty(read[1]) === record && is === Number(deadline),
    )
  for (const evidence of expects) {
    const [read, recordWord] = evidence.read
    if (read !== "EXISTS" && read !== "GET" && read !== "HGETALL") continue
    const recordKey = textOrEmpty(recordWord)
    const id = paramsOf(recordKey, entity.record.declared)[entity.idField]
    if (id === undefined || recordKey !== entity.keyOf(id, bound)) continue
    if ((evidence.db ?? db) !== entity.record.db) continue
    const held = entity.idText.held(id)
    const isMeant =
      name === "UNLINK"
        ? expects.some(({ read: [get, of], is }) => get === "GET" && textOrEmpty(of) === key && says(is, held))
        : textOrEmpty(name === "ZADD" ? rest.at(-1) : rest[0]) === held
    if (!isMeant || (adds && (evidence.is === null || evidence.is === 0))) continue
    if (name === "SET" && rest.length > 1 && !isEndOf(recordKey, wordText(rest[2]), entity.record.db)) continue
    const index = entity.indexes.find(({ row }) => row === found)
    const score = name === "ZADD" ? wordText(rest.at(-2)) : undefined
    return { adds, entity, index, bound, params, score, evidence, key: recordKey }
  }
  return undefined
}

/** That a record is gone needs no look at it. */
const isConclusive = ({ adds, evidence }: Claim): boolean => !adds && (evidence.is === 0 || evidence.is === null)

/**
 * The record is as the plan says, and does not justify the change. An action whose record has changed is skipped
 * anyway.
 */
function contradicts(claim: Claim, reply: Reply): boolean {
  const { adds, entity, index, bound, params, score, evidence } = claim
  // As bytes, since the server compares bytes: what is not text would be another value here.
  if (evidence.read[0] !== "EXISTS" && !says(evidence.is, reply)) return false
  const document = entity.document(asText(reply))
  const leads = document !== undefined && leadsTo(index!, document, bound, params)
  if (!adds) return leads
  return !leads || (score !== undefined && Number(score) !== scoreOf(document![index!.index.score!]))
}

const asText = (reply: Reply): Reply =>
  reply instanceof Uint8Array
    ? Buffer.from(reply).toString()
    : Array.isArray(reply)
      ? (reply as readonly Reply[]).map(asText)
      : reply
