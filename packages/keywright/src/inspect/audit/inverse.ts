/* Two keys that say the same from both sides: c has s exactly when s has c. A side
 * that may be absent because it is only cached is compared while it is loaded. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Read } from "./finding.ts"
import type { Texts } from "../model/entity-model.ts"
import { graceOf } from "./grace.ts"
import { askGrouped } from "./holder.ts"
import { idTextOf } from "../model/id-text.ts"
import type { Model, RowModel } from "../model/model.ts"
import { spell } from "../model/spell.ts"
import type { Check, Look } from "../model/subject.ts"

export const inverseCheck: Check = (row, model) => {
  const looks = model.keyspace.invariants.flatMap((rule): Look[] => {
    if (rule.kind !== "inverse" || !rule.keys.includes(row.row.name)) return []
    const other = model.rows.get(rule.keys[0] === row.row.name ? rule.keys[1] : rule.keys[0])
    if (other === undefined) return []
    return [lookFrom(row, other, rule.truth === row.row.name, model, graceOf(rule))]
  })
  return looks.length === 0 ? undefined : (subject, desk) => looks.forEach((look) => look(subject, desk))
}

function lookFrom(
  own: RowModel,
  other: RowModel,
  isTruth: boolean,
  model: Model,
  grace: ReturnType<typeof graceOf>,
): Look {
  const ownMember = own.row.shape["member"] as AnyCodec
  const otherMember = other.row.shape["member"] as AnyCodec
  const ownParam = paramOf(own, otherMember)
  const otherParam = paramOf(other, ownMember)
  const width = own.type === "zset" ? 2 : 1
  const [ownText, otherText] = [idTextOf(ownMember), idTextOf(otherMember)]
  const asks = ({ type, db }: RowModel, key: string, member: string): Read => ({
    db,
    command: [type === "zset" ? "ZSCORE" : "SISMEMBER", key, member],
  })
  return (subject, desk) => {
    const mine = otherText.held(subject.params[ownParam]!)
    for (let i = 0; i < subject.elements.length; i += width) {
      if (subject.bad?.has(i)) continue
      const theirs = String(subject.elements[i])
      const texts: Texts = { ...subject.params, [otherParam]: ownText.of(theirs) }
      if (!other.params.every((name) => name in texts)) continue
      const otherKey = spell(other, texts)
      const there = asks(other, otherKey, mine)
      const loaded = loadedRead(other, texts, model)
      askGrouped(desk, there.db, there.command, (reply) => {
        if (reply !== 0 && reply !== null) return
        // Both sides are secret, or none is shown that is.
        const [wrong, wrongKey, member, codec] = isTruth
          ? ([other, otherKey, mine, otherMember] as const)
          : ([own, subject.key, theirs, ownMember] as const)
        const isZset = wrong.type === "zset"
        const command = isTruth
          ? isZset
            ? undefined
            : ["SADD", wrongKey, member]
          : [isZset ? "ZREM" : "SREM", wrongKey, member]
        desk.suspect({
          code: isTruth ? "INVERSE.MISSING" : "INVERSE.EXTRA",
          model: wrong,
          key: wrongKey,
          place: { member: codec.secret ? "…" : member },
          raw: member,
          expected: isTruth ? `what ${own.row.pattern} says` : `only what ${other.row.pattern} says`,
          found: isTruth ? "it is missing" : "one more",
          reads: [asks(own, subject.key, theirs), there, ...(loaded === undefined ? [] : [loaded])],
          holds: ([has, hasBack, isLoaded]) =>
            has !== null &&
            has !== 0 &&
            (hasBack === null || hasBack === 0) &&
            (loaded === undefined || isLoaded === 1),
          ...(command !== undefined && { fix: { db: wrong.db, commands: [command] } }),
          ...grace,
        })
      })
    }
  }
}

export const paramOf = (model: RowModel, member: AnyCodec): string =>
  Object.entries(model.row.params).find(([, codec]) => codec.id === member.id)![0]

/** For a side that may be absent: what tells that it is loaded. */
function loadedRead(other: RowModel, texts: Texts, model: Model): Read | undefined {
  const { ttl, family } = other.row
  if (ttl === undefined || ttl.on === "never") return undefined
  const marker = family && [...model.rows.values()].find(({ row }) => row.family === family && row.marker === true)
  return { db: other.db, command: ["EXISTS", spell(marker || other, texts)] }
}
