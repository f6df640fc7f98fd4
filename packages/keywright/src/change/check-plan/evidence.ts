/* Whether the conditions of an action justify what it does. They are compared when it is
 * carried out; this file makes sure that they are about the record, or the other key, that the
 * change is made for, so that no plan file leads an index to somebody else's record. */

import type { Command, Reply } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import {
  type EntityModel,
  type IndexModel,
  leadsTo,
  scoreOf,
  type ParamTexts,
} from "../../inspect/model/entity-model.ts"
import type { Model } from "../../inspect/model/model.ts"
import { unmangled } from "../../inspect/model/reading.ts"
import { boundOf } from "../../inspect/model/subject.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { askEach } from "../ask-each.ts"
import type { OwnerOf } from "../copy/owners.ts"
import { says } from "../plan/expected.ts"
import { expectedAt, paramsOf } from "./grounds.ts"
import type { Action, Expectation } from "../plan/plan.ts"
import { wordText } from "../plan/plan-grammar.ts"
import { keyOf, nameOf } from "../plan/word.ts"

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
  /** The key belongs to another pattern: there is no such record, whatever is there. */
  readonly isForeign: boolean
}

/** What the records say about the actions of a plan. */
export interface Verdict {
  /** The first action that no record justifies. */
  readonly unfounded?: number
  /** Actions whose records differ from what they say: whether they would be justified otherwise is not known. */
  readonly outdated: readonly number[]
}

type OwnerIn = (db: number) => OwnerOf

const PAGE = 500

/** Compares actions with the records that they are made for, which are read. */
export async function judged(actions: readonly Action[], model: Model, ownerIn: OwnerIn): Promise<Verdict> {
  const about = actions.flatMap((action, at) => (OF_RECORDS.test(action.code) ? [{ action, at }] : []))
  const { databases } = model
  const outdated: number[] = []
  for (let from = 0; from < about.length; from += PAGE) {
    const asked = new Map(databases.map(({ db }) => [db, [] as { at: number; command: Command; claim: Claim }[]]))
    for (const { action, at } of about.slice(from, from + PAGE)) {
      for (const claim of claimsOf(action, model, ownerIn)) {
        if (claim === undefined) return { unfounded: at, outdated }
        if (isConclusive(claim)) continue
        // The list of all ids keeps the id of every record that exists.
        if (claim.index === undefined && !claim.adds) return { unfounded: at, outdated }
        asked.get(claim.entity.record.db)!.push({ at, command: claim.entity.read(claim.key), claim })
      }
    }
    for (const { db, driver: there } of databases) {
      const reads = asked.get(db)!
      const replies = await askEach(there, reads, ({ command }) => command, SAFE_BYTES)
      for (const [i, { at, claim }] of reads.entries()) {
        if (!holds(claim, replies[i]!)) outdated.push(at)
        else if (contradicts(claim, replies[i]!)) return { unfounded: at, outdated }
      }
    }
  }
  return { outdated }
}

/** Setting an entry replaces the one that is there, if any: that one must be wrong, as if it were removed. */
function claimsOf(action: Action, model: Model, ownerIn: OwnerIn): (Claim | undefined)[] {
  const [name, key] = action.commands.at(-1)!
  const claim = claimOf(action, model, ownerIn)
  if (name !== "SET" || expectedAt(action, "GET", key!).includes(null)) return [claim]
  return [claim, claimOf({ ...action, commands: [["UNLINK", key!]] }, model, ownerIn)]
}

function claimOf({ db, commands, expects }: Action, model: Model, ownerIn: OwnerIn): Claim | undefined {
  const [name, word, ...rest] = commands.at(-1)!
  const key = keyOf(word!)
  const found = model.keys.get(ownerIn(db)(key).row?.name ?? "")
  const entity = model.entities.get(found?.declared.entity?.name ?? "")
  if (found === undefined || entity === undefined) return undefined
  const params = paramsOf(key, found.declared)
  const bound = boundOf(entity, params)
  const adds = name === "SADD" || name === "ZADD" || name === "SET"
  // An entry that is given an end has that of its record, which is compared.
  const isEndOf = (record: string, deadline: string | undefined, of: number) =>
    expects.some(
      ({ db: there = db, read, is }) =>
        there === of && read[0] === "PEXPIRETIME" && nameOf(read[1]) === record && is === Number(deadline),
    )
  for (const evidence of expects) {
    const [read, recordWord] = evidence.read
    if (read !== "EXISTS" && read !== "GET" && read !== "HGETALL") continue
    const recordKey = keyOf(recordWord!)
    const id = paramsOf(recordKey, entity.record.declared)[entity.idField]
    if (id === undefined || !isText(recordKey) || recordKey !== entity.keyOf(id, bound)) continue
    if ((evidence.db ?? db) !== entity.record.db) continue
    // What is removed may lack the declared quotes, unless it is an id with quotes, which would be how another is held.
    const isBare = !adds && entity.idText.of(id) === id
    const forms = [entity.idText.held(id), ...(isBare ? [id] : [])]
    const isMeant =
      name === "UNLINK"
        ? expects.some(
            ({ db: there = db, read: [get, of], is }) =>
              there === db && get === "GET" && nameOf(of) === nameOf(word) && forms.some((form) => says(is, form)),
          )
        : forms.includes(nameOf(name === "ZADD" ? rest.at(-1) : rest[0]))
    if (!isMeant || (adds && (evidence.is === null || evidence.is === 0))) continue
    const recordOwner = ownerIn(entity.record.db)(recordKey).row?.name
    const isRecord = recordOwner === entity.record.declared.name
    if (adds && !isRecord) continue
    const isForeign = recordOwner !== undefined && !isRecord
    const index = entity.indexes.find(({ row }) => row === found)
    // A record that exists may have any content by the time the action is carried out.
    if (index !== undefined && read === "EXISTS" && evidence.is === 1 && !isForeign) continue
    if (name === "SET" && rest.length > 1 && !isEndOf(recordKey, wordText(rest[2]), entity.record.db)) continue
    const score = name === "ZADD" ? wordText(rest.at(-2)) : undefined
    return { adds, entity, index, bound, params, score, evidence, key: recordKey, isForeign }
  }
  return undefined
}

/** Whether the evidence alone decides: the record is gone, or its key belongs to another pattern. */
const isConclusive = ({ adds, evidence, isForeign }: Claim): boolean =>
  !adds && (evidence.is === 0 || evidence.is === null || isForeign)

/** The record is as the action says. */
const holds = ({ entity, index, evidence }: Claim, reply: Reply): boolean =>
  reply instanceof KeywrightError
    ? false
    : index === undefined
      ? entity.document(unmangled(reply)) !== undefined
      : // As bytes, since the server compares bytes: what is not text would be another value here.
        says(evidence.is, reply)

/** The record is as the action says, and does not justify the change. */
function contradicts({ adds, entity, index, bound, params, score }: Claim, reply: Reply): boolean {
  if (index === undefined) return false
  const document = entity.document(unmangled(reply))
  const leads = document !== undefined && leadsTo(index, document, bound, params)
  // One that cannot be read may be right.
  if (!adds) return leads || (document === undefined && !isGone(reply))
  return !leads || (score !== undefined && Number(score) !== scoreOf(document![index.index.score!]))
}

const isGone = (reply: Reply): boolean => reply === null || (Array.isArray(reply) && reply.length === 0)
