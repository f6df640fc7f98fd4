/* Where an id leads: to the record of the entity whose id it is, or else to a plain
 * key with this id as its only parameter. */

import type { Wire } from "../../driver/driver.ts"
import { idTextOf } from "../../inspect/model/id-text.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { spellsOut } from "../../inspect/model/secret-fields.ts"
import { spellSafely } from "../../inspect/model/spell.ts"
import { isText } from "../../inspect/walk/wire.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { isPacking } from "../../schema/codec/document-spec.ts"
import type { KeyLink } from "../api.ts"
import type { CellView } from "./cell.ts"
import { onePer } from "../../client/call/one-per.ts"
import type { OpenSystem } from "./open-system.ts"

/** By the name of an id: the pattern that it leads to. */
const targetsOf = onePer((system: OpenSystem): ReadonlyMap<string, KeyModel> => {
  const best = new Map<string, KeyModel>()
  for (const row of system.model.keys.values()) {
    const last = row.params.at(-1)
    const id = last === undefined ? undefined : row.declared.params[last]?.id
    if (id === undefined || row.toolkit || rankOf(row) === 0) continue
    const before = best.get(id)
    if (before === undefined || rankOf(row) > rankOf(before)) best.set(id, row)
  }
  return best
})

function rankOf({ declared, params }: KeyModel): number {
  if (declared.entity !== undefined) return declared.entity.role === "record" ? 3 : 0
  if (params.length !== 1) return 0
  return declared.kind === "hash" ? 2 : 1
}

export function linkOf(look: CellView, codec: AnyCodec, raw: Wire, value: unknown): KeyLink | undefined {
  if (!isText(raw)) return undefined
  const { system, db } = look
  const spec = bare(codec.spec)
  if (spec.codec === "keyOf") {
    // In a sharded group it is a key of the same shard, written without the tag.
    const shard = look.owner?.params["shard"]
    return system.link(db, `${shard === undefined ? "" : `{${shard}}:`}${idTextOf(codec).of(raw)}`)
  }
  if (spec.codec === "tagged") {
    const { tag, id } = value as { tag?: string; id?: unknown }
    const of = tag === undefined ? undefined : spec.tags[tag]
    return of?.codec === "id" ? idLink(look, of.name, String(id)) : undefined
  }
  return codec.id === undefined ? undefined : idLink(look, codec.id, idTextOf(codec).of(raw))
}

/** The link of an id, unless it is the very key that is looked at. */
function idLink({ system, owner, reveal }: CellView, id: string, text: string): KeyLink | undefined {
  const row = targetsOf(system).get(id)
  if (row === undefined) return undefined
  const around = owner?.params ?? {}
  if (!reveal && owner !== undefined && spellsOut(owner.row, row, row.params.slice(0, -1))) return undefined
  const texts: Record<string, string> = {}
  for (const param of row.params.slice(0, -1)) {
    if (around[param] === undefined) return undefined
    texts[param] = around[param]
  }
  texts[row.params.at(-1)!] = text
  const isSelf = owner?.row === row && row.params.every((param) => owner.params[param] === texts[param])
  const key = isSelf ? undefined : spellSafely(row, texts)
  return key === undefined ? undefined : system.link(row.db, key, row)
}

const bare = (spec: CodecSpec): CodecSpec =>
  spec.codec === "optional" || spec.codec === "secret" || spec.codec === "quoted" || isPacking(spec)
    ? bare(spec.of)
    : spec
