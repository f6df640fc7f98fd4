/* Where plain keys hold ids, for the invariants between them: as members, fields, a
 * value, in a field of a hash, or as a segment of the key itself. */

import type { Command, Reply } from "../../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { placesOf } from "../../../schema/place.ts"
import { type KeyPart, type ReadCommand, readFrom } from "../finding.ts"
import type { Inquiry } from "../inquiry.ts"
import type { ParamTexts } from "../../model/entity-model.ts"
import { idTextOf } from "../../model/id-text.ts"
import type { OnReply } from "../grouped.ts"
import type { KeyModel } from "../../model/model.ts"
import { spellDecided } from "../../model/spell.ts"
import type { Subject } from "../../model/subject.ts"
import { isSecretField } from "../../model/secret-fields.ts"

interface AskedKey {
  readonly key: string
  readonly command: Command
}

export interface IdHolder {
  readonly row: KeyModel
  /** The ids that a key holds, in the form in which they appear in keys. */
  ids(subject: Subject): readonly string[]
  /** Asks whether it holds an id; undefined when that cannot be known from these parameters. */
  asks(id: string, params: ParamTexts): AskedKey | undefined
  /** What the answer says. */
  has(reply: Reply, id: string): boolean
  add(id: string, key: string): Command | undefined
  remove(id: string, key: string): Command
  /** Removing an id means deleting a key that says more than that. */
  readonly removesKey: boolean
  place(id: string): KeyPart | undefined
  /** Its ids may not be printed. */
  readonly isSecret: boolean
}

/** Whether a set or a sorted set has a member. */
export const readMember = (row: KeyModel, key: string, member: string): ReadCommand =>
  readFrom(row, [row.type === "zset" ? "ZSCORE" : "SISMEMBER", key, member])

/** Asks, together with others where one command can. */
export function askGrouped(inquiry: Inquiry, db: number, command: Command, answer: OnReply): void {
  const [name, key, member] = command as readonly string[]
  if (name === "EXISTS") inquiry.askExists(db, key!, answer)
  else if (name === "SISMEMBER") inquiry.askMember(db, key!, member!, answer)
  else inquiry.ask(db, command, answer)
}

/** How a key holds ids of this name: at the first such place, unless one is named. */
export function holderOf(
  row: KeyModel,
  id: string,
  place: string | undefined = placesOf(row.declared, id)[0],
): IdHolder | undefined {
  if (place === undefined) return undefined
  const param = place.startsWith("{") ? place.slice(1, -1) : undefined
  if (param !== undefined) return inKey(row, param)
  return row.declared.kind === "hash" ? inField(row, place) : inside(row, place)
}

function asking(row: KeyModel, texts: ParamTexts, command: (key: string) => Command): AskedKey | undefined {
  const key = spellDecided(row, texts)
  return key === undefined ? undefined : { key, command: command(key) }
}

function inKey(row: KeyModel, param: string): IdHolder {
  return {
    row,
    ids: ({ first, params }) => (first ? [params[param]!] : []),
    asks: (id, params) => asking(row, { ...params, [param]: id }, (key) => ["EXISTS", key]),
    has: (reply) => reply === 1,
    add: () => undefined,
    remove: (_, key) => ["UNLINK", key],
    removesKey: true,
    place: () => undefined,
    isSecret: row.secrets.has(param),
  }
}

/** A field of a hash: when what it refers to is gone, so is the reason of the whole hash. */
function inField(row: KeyModel, field: string): IdHolder {
  const { of } = idTextOf((row.declared.shape["fields"] as CodecFields)[field])
  return {
    row,
    ids({ elements, bad }) {
      const at = elements.findIndex((name, i) => i % 2 === 0 && name === field)
      return at < 0 || bad?.has(at) ? [] : [of(String(elements[at + 1]))]
    },
    asks: (_, params) => asking(row, params, (key) => ["HGET", key, field]),
    has: (reply, id) => typeof reply === "string" && of(reply) === id,
    add: () => undefined,
    remove: (_, key) => ["UNLINK", key],
    removesKey: true,
    place: () => ({ field }),
    isSecret: isSecretField(row, field),
  }
}

/** The commands of each place that can be asked for one id. */
const COMMANDS: Readonly<Record<string, readonly [has: string, remove: string, add?: string]>> = {
  "set member": ["SISMEMBER", "SREM", "SADD"],
  "zset member": ["ZSCORE", "ZREM"],
  "geo member": ["ZSCORE", "ZREM"],
  "map field": ["HEXISTS", "HDEL"],
  "list item": ["LPOS", "LREM"],
  "string value": ["GET", "UNLINK"],
}

function inside(row: KeyModel, place: string): IdHolder | undefined {
  const commands = COMMANDS[`${row.declared.kind} ${place}`]
  if (commands === undefined) return undefined
  const [has, remove, add] = commands
  const width = row.type === "zset" || row.type === "hash" ? 2 : 1
  const codec = row.declared.shape[place] as AnyCodec
  const isSecret = codec.secret === true || row.secret === true
  const { of, held } = idTextOf(codec)
  const isValue = place === "value"
  return {
    row,
    ids: ({ elements, bad }) =>
      elements.filter((_, i) => i % width === 0 && !bad?.has(i)).map((one) => of(String(one))),
    asks: (id, params) => asking(row, params, (key) => (isValue ? [has, key] : [has, key, held(id)])),
    // For a list, 0 is the position of its first item.
    has: (reply, id) =>
      isValue ? typeof reply === "string" && of(reply) === id : reply !== null && (reply !== 0 || has === "LPOS"),
    add: (id, key) => (add === undefined ? undefined : [add, key, held(id)]),
    remove: (id, key) =>
      isValue ? [remove, key] : remove === "LREM" ? [remove, key, "0", held(id)] : [remove, key, held(id)],
    removesKey: false,
    place: (id) => {
      const shown = isSecret ? "…" : id.slice(0, 80)
      return isValue ? undefined : place === "field" ? { field: shown } : { member: shown }
    },
    isSecret,
  }
}
