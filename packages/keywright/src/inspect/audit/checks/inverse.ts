/* Two keys that say the same from both sides: c has s exactly when s has c. A side
 * that may be absent because it is only cached is compared while it is loaded. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { ReadCommand } from "../finding.ts"
import type { ParamTexts } from "../../model/entity-model.ts"
import { graceOf } from "../grace.ts"
import { askGrouped, readMember } from "./holder.ts"
import { idTextOf } from "../../model/id-text.ts"
import type { Model, KeyModel } from "../../model/model.ts"
import { spell, spellDecided } from "../../model/spell.ts"
import type { CheckKind, CheckKey } from "./check.ts"

export const inverseCheck: CheckKind = (row, model) =>
  model.keyspace.invariants.flatMap((rule): CheckKey[] => {
    if (rule.kind !== "inverse" || !rule.keys.includes(row.declared.name)) return []
    const other = model.keys.get(rule.keys[0] === row.declared.name ? rule.keys[1] : rule.keys[0])
    if (other === undefined) return []
    return [checkFrom(row, other, rule.truth === row.declared.name, model, graceOf(rule))]
  })

function checkFrom(
  own: KeyModel,
  other: KeyModel,
  isTruth: boolean,
  model: Model,
  grace: ReturnType<typeof graceOf>,
): CheckKey {
  const ownMember = own.declared.shape["member"] as AnyCodec
  const otherMember = other.declared.shape["member"] as AnyCodec
  const ownParam = paramOf(own, otherMember)
  const otherParam = paramOf(other, ownMember)
  const width = own.type === "zset" ? 2 : 1
  const [ownText, otherText] = [idTextOf(ownMember), idTextOf(otherMember)]
  return (subject, inquiry) => {
    const mine = otherText.held(subject.params[ownParam]!)
    for (let i = 0; i < subject.elements.length; i += width) {
      if (subject.bad?.has(i)) continue
      const theirs = String(subject.elements[i])
      const texts: ParamTexts = { ...subject.params, [otherParam]: ownText.of(theirs) }
      const otherKey = spellDecided(other, texts)
      if (otherKey === undefined) continue
      const there = readMember(other, otherKey, mine)
      const loaded = loadedRead(other, texts, model)
      askGrouped(inquiry, there.db, there.command, (reply) => {
        if (reply !== 0 && reply !== null) return
        // Both sides are secret, or none is shown that is.
        const [wrong, wrongKey, member, codec] = isTruth
          ? ([other, otherKey, mine, otherMember] as const)
          : ([own, subject.key, theirs, ownMember] as const)
        const isZset = wrong.type === "zset"
        // What score a missing member should have is not known.
        const [add, remove] = isZset ? [undefined, "ZREM"] : ["SADD", "SREM"]
        const name = isTruth ? add : remove
        inquiry.suspect({
          code: isTruth ? "INVERSE.MISSING" : "INVERSE.EXTRA",
          row: wrong,
          key: wrongKey,
          place: { member: codec.secret ? "…" : member },
          raw: member,
          expected: isTruth ? `what ${own.declared.pattern} says` : `only what ${other.declared.pattern} says`,
          found: isTruth ? "it is missing" : "one more",
          reads: [readMember(own, subject.key, theirs), there, ...(loaded === undefined ? [] : [loaded])],
          isStillWrong: ([has, hasBack, isLoaded]) =>
            has !== null &&
            has !== 0 &&
            (hasBack === null || hasBack === 0) &&
            (loaded === undefined || isLoaded === 1),
          ...(name !== undefined && { fix: { db: wrong.db, commands: [[name, wrongKey, member]] } }),
          ...grace,
        })
      })
    }
  }
}

export const paramOf = (row: KeyModel, member: AnyCodec): string =>
  Object.entries(row.declared.params).find(([, codec]) => codec.id === member.id)![0]

/** For a side that may be absent: what shows that it is loaded. */
function loadedRead(other: KeyModel, texts: ParamTexts, model: Model): ReadCommand | undefined {
  const { ttl, family } = other.declared
  if (ttl === undefined || ttl.on === "never") return undefined
  const marker =
    family && [...model.keys.values()].find(({ declared }) => declared.family === family && declared.marker === true)
  return { db: other.db, command: ["EXISTS", spell(marker || other, texts)] }
}
