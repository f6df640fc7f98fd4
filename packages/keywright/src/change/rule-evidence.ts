/* Whether an action that calls itself the fix of a broken rule (THROUGH, KEYOF, SAME …) is on a
 * key of such a rule of the schema, on the side that is changed, and has a condition on what
 * the rule compares it with. */

import type { Wire } from "../driver/driver.ts"
import { isGathered } from "../inspect/audit/gathered.ts"
import { keyOfSpec } from "../inspect/audit/key-of.ts"
import type { AnyCodec } from "../schema/codec/codec.ts"
import { idIn, quote } from "../schema/codec/quoted.ts"
import { relationRows } from "../schema/entity-relations.ts"
import { type Invariant, type InvariantRule, targetsOf, whereOf } from "../schema/invariant.ts"
import type { Key } from "../schema/key.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { placesOf } from "../schema/place.ts"
import { saysBroken } from "./compare-evidence.ts"
import type { CopiedAs } from "./copy/owners.ts"
import { says } from "./expected.ts"
import { expectedAt, paramsOf } from "./grounds.ts"
import type { Action, Expectation } from "./plan.ts"
import { secrecyOf } from "./show-words.ts"
import { keyOf, textOrEmpty } from "./word.ts"

type ReferenceRule = Extract<InvariantRule, { kind: "reference" }>
type CompareRule = Extract<InvariantRule, { kind: "compare" }>
type OwnerIn = (db: number) => ((key: Wire) => CopiedAs) | undefined

/** An action, and what is known of the key that it changes. */
interface Changed {
  readonly action: Action
  readonly row: Key
  /** Of the key: its parameters. */
  readonly own: Readonly<Record<string, string>>
  /** The member or field that is added or removed, as an id; "" of a whole key. */
  readonly member: string
  /** Its conditions on other keys that the schema owns. */
  readonly others: readonly Other[]
}

interface Other {
  readonly row: Key
  readonly params: Readonly<Record<string, string>>
  readonly element: string
  readonly read: Expectation["read"]
  readonly is: Expectation["is"]
}

const isAbsent = ({ is }: Other): boolean => is === 0 || is === null

/** Makes the function that says whether an action by a rule is justified by one that the schema has. */
export function ruleChecker(keyspace: Keyspace): (action: Action, ownerIn: OwnerIn) => boolean {
  const invariants = keyspace.invariants as readonly Invariant[]
  const relations = relationRows(keyspace)
  const isSecret = secrecyOf(keyspace)
  const some = (row: Key, kind: Invariant["kind"], fits: (rule: never) => boolean) =>
    invariants.some((rule) => rule.kind === kind && isOn(rule, row.name) && fits(rule as never))
  const kinds: Readonly<Record<string, (changed: Changed, code: string) => boolean>> = {
    THROUGH: (changed, code) =>
      relations.some(
        ({ via, entity, target, mayDangle }) =>
          "set" in via &&
          via.set === changed.row.name &&
          (code === "THROUGH.ORPHAN"
            ? isGone(changed, entity, "")
            : mayDangle !== true && isGone(changed, target, changed.member)),
      ),
    KEYOF: leadsNowhere,
    SAME: (changed, code) =>
      some(changed.row, "same", ({ keys, truth }: { keys: readonly string[]; truth: string }) =>
        truth === changed.row.name ? false : isSameId(changed, keys, code === "SAME.MISSING"),
      ),
    INVERSE: (changed, code) =>
      some(
        changed.row,
        "inverse",
        ({ keys, truth }: { keys: readonly string[]; truth: string }) =>
          truth !== changed.row.name && isOtherSide(changed, keys, code === "INVERSE.MISSING"),
      ),
    EXCLUDES: (changed) =>
      some(
        changed.row,
        "exclusive",
        ({ truth }: { truth: string }) =>
          truth !== changed.row.name &&
          changed.others.some((other) => other.row.name === truth && !isAbsent(other) && isOfMember(changed, other)),
      ),
    REFERS: (changed) =>
      some(changed.row, "reference", (rule: ReferenceRule) =>
        targetsOf(rule).every((where) => {
          const { key, place } = whereOf(where)
          const to = keyspace.keys.find(({ name }) => name === key)!
          const held = place ?? placesOf(to, rule.id)[0]!
          return isMissing(changed, key, isGathered(changed.row, to, held))
        }),
      ),
    COMPARE: (changed) =>
      some(changed.row, "compare", (rule: CompareRule) =>
        saysBroken(changed, rule, changed.others, ({ name }) => isSecret(name)),
      ),
  }
  return (action, ownerIn) => {
    const kind = action.code.slice(0, action.code.indexOf("."))
    if (!Object.hasOwn(kinds, kind)) return true
    const changed = changedBy(action, ownerIn)
    return changed !== undefined && kinds[kind]!(changed, action.code)
  }
}

/** Whether a rule has its fix on this key. */
const isOn = (rule: Invariant, name: string): boolean =>
  rule.kind === "compare"
    ? rule.left.key === name
    : rule.kind === "reference"
      ? whereOf(rule.from).key === name
      : (rule.keys as readonly string[]).includes(name)

function changedBy(action: Action, ownerIn: OwnerIn): Changed | undefined {
  const [name, word, ...rest] = action.commands.at(-1)!
  const { row } = ownerIn(action.db)!(keyOf(word!))
  if (row === undefined) return undefined
  const others = action.expects.flatMap(({ db = action.db, read, is }): Other[] => {
    const found = ownerIn(db)?.(keyOf(read[1]!)).row
    if (found === undefined || (db === action.db && textOrEmpty(read[1]) === textOrEmpty(word))) return []
    return [{ row: found, params: paramsOf(keyOf(read[1]!), found), element: idIn(textOrEmpty(read[2])), read, is }]
  })
  const member = idIn(textOrEmpty(name === "LREM" ? rest[1] : rest[0]))
  return { action, row, own: paramsOf(keyOf(word!), row), member, others }
}

/** A record of this entity does not exist: the one that the member names, or whose set this is. */
const isGone = ({ own, others }: Changed, entity: string, member: string): boolean =>
  others.some(
    ({ row, params, read, is }) =>
      read[0] === "EXISTS" &&
      is === 0 &&
      row.entity?.name === entity &&
      row.entity.role === "record" &&
      Object.values(params).some((id) => (member === "" ? Object.values(own).includes(id) : id === member)),
  )

/** The id that is added or removed is one that another key of the rule has, or lacks. */
const isSameId = (changed: Changed, keys: readonly string[], isThere: boolean): boolean =>
  changed.others.some((other) => {
    if (!keys.includes(other.row.name)) return false
    // A value that is another id is as good as none.
    const isOtherValue = other.read[0] === "GET" || other.read[0] === "HGET"
    return isThere
      ? !isAbsent(other) && isOfMember(changed, other)
      : isOtherValue || (isAbsent(other) && isOfMember(changed, other))
  })

const isOtherSide = ({ own, member, others }: Changed, keys: readonly string[], isThere: boolean): boolean =>
  others.some(
    (other) =>
      keys.includes(other.row.name) &&
      isAbsent(other) !== isThere &&
      Object.values(own).includes(other.element) &&
      Object.values(other.params).includes(member),
  )

/** The condition is about the id that is changed. */
function isOfMember({ own, member, action }: Changed, { params, element, is, read }: Other): boolean {
  const theirs = [...Object.values(params), element]
  const { commands } = action
  if (member === "")
    return (
      Object.values(own).some((one) => theirs.includes(one)) ||
      theirs.some((one) =>
        [one, quote(one)].some((held) =>
          expectedAt(action, "GET", commands[0]![1]!).some((value) => says(value, ["GET"], held)),
        ),
      )
    )
  return theirs.includes(member) || says(is, [String(read[0])], member) || isCrossed(own, member, params, element)
}

const isCrossed = (
  own: Readonly<Record<string, string>>,
  member: string,
  params: Readonly<Record<string, string>>,
  element: string,
): boolean => Object.values(own).includes(element) && Object.values(params).includes(member)

/** A condition says that what is referred to is not there, unless it cannot be asked for: then none says that it is. */
function isMissing(changed: Changed, target: string, cannotBeAsked: boolean): boolean {
  const asked = changed.others.filter(({ row }) => row.name === target)
  if (asked.some(({ is }) => is === 1)) return false
  return (
    cannotBeAsked ||
    asked.some((other) => {
      // A value that is another id is as good as none.
      const isValue = (other.read[0] === "GET" || other.read[0] === "HGET") && !isAbsent(other)
      return isValue ? !says(other.is, ["GET"], changed.member) : isAbsent(other) && isOfMember(changed, other)
    })
  )
}

/** The key that is held there does not exist. */
function leadsNowhere({ action, row }: Changed): boolean {
  const [name, key, element] = action.commands.at(-1)!
  const { kind, shape } = row
  const part = kind === "set" ? "member" : "value"
  if (kind !== "string" && kind !== "set" && kind !== "map") return false
  if (name !== { string: "UNLINK", set: "SREM", map: "HDEL" }[kind]) return false
  if (keyOfSpec((shape[part] as AnyCodec | undefined)?.spec) === undefined) return false
  const tag = /^\{[^}]*\}:/.exec(row.pattern.startsWith("{{shard}}:") ? textOrEmpty(key) : "")?.[0] ?? ""
  return action.expects.some(({ db, read, is }) => {
    if (db !== undefined || read[0] !== "EXISTS" || is !== 0 || !textOrEmpty(read[1]).startsWith(tag)) return false
    const bare = textOrEmpty(read[1]).slice(tag.length)
    return [bare, quote(bare)].some((held) =>
      kind === "set"
        ? textOrEmpty(element) === held
        : kind === "map"
          ? expectedAt(action, "HGET", key!, element!).some((one) => says(one, ["HGET"], held))
          : expectedAt(action, "GET", key!).some((one) => says(one, ["GET"], held)),
    )
  })
}
