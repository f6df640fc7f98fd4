/* Ids on a page: a record's id that differs from its key, and ids of one name that
 * are spelled two ways. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Slip } from "./check-page.ts"
import type { PageKey } from "./page-keys.ts"
import type { OwnedSpelling } from "./page-spelling.ts"
import { anything, type MaskedLine } from "./page-text.ts"

export interface SeenKey extends PageKey {
  readonly owner: OwnedSpelling
}

/** The one key that is spoken of; undefined where there are several, or none. */
export const onlyKey = (seen: readonly SeenKey[]): SeenKey | undefined =>
  new Set(seen.map(({ owner }) => owner.key)).size === 1 ? seen[0] : undefined

interface SeenId {
  readonly id: string
  readonly value: string
  readonly line: number
}

export function checkPageIds(seen: readonly SeenKey[], lines: readonly MaskedLine[]): Slip[] {
  const inKeys = seen.flatMap(idsInKey)
  const all = [...inKeys, ...seen.flatMap(idsInReply), ...seen.flatMap((key) => idsBelow(key, lines))]
  const names = [...new Set(all.map(({ id }) => id))]
  return [
    ...seen.flatMap(idDiffers),
    ...names.flatMap((id) =>
      twoSpellings(
        id,
        all.filter((one) => one.id === id),
      ),
    ),
  ]
}

/** `SET dish:789 '{"id":"dish_789"}'` */
function idDiffers({ owner, command, line, word }: SeenKey): Slip[] {
  const { key, params } = owner
  if (key.entity?.role !== "record" || command?.type !== "string") return []
  const [idParam] = Object.keys(params).slice(-1)
  const own = idParam === undefined ? undefined : params[idParam]
  const written = /"(?:id|_id)"\s*:\s*"?([^",}\s]+)/.exec(command.rest)?.[1]
  if (own === undefined || written === undefined || written === own || own.search(anything) >= 0) return []
  return [
    {
      code: "PAGE.ID_DIFFERS",
      severity: "error",
      line: line.number,
      message: `${line.restore(word)} is given a record whose id is "${written}"`,
      why: "A record is found by its key; an id that differs leads to another one.",
      name: key.name,
      pattern: key.pattern,
      fix: `Write "id":"${own}", or the key with ${written}.`,
    },
  ]
}

function idsInKey({ owner: { key, params }, line }: SeenKey): SeenId[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const id = key.params[name]?.id
    return id === undefined || value.search(anything) >= 0 ? [] : [{ id, value, line: line.number }]
  })
}

/** `GET cart:index:user:7  # → "123"` */
function idsInReply({ owner: { key }, command, line }: SeenKey): SeenId[] {
  const id = (key.shape["value"] as AnyCodec | undefined)?.id
  const value = id === undefined || command?.name !== "GET" ? undefined : /→\s*"([\w-]+)"/.exec(line.raw)?.[1]
  return id === undefined || value === undefined ? [] : [{ id, value, line: line.number }]
}

/** Members and fields in the block that follows a declared key. */
function idsBelow({ owner: { key }, how, line }: SeenKey, lines: readonly MaskedLine[]): SeenId[] {
  if (how !== "declared") return []
  const ids = Object.values(key.shape as Record<string, Partial<AnyCodec>>).flatMap(({ id }) => id ?? [])
  const block = lines.slice(line.number, line.number + 8)
  const start = block.findIndex(({ raw }) => /^\s*```/.test(raw))
  if (start < 0 || start > 1) return []
  const length = block.slice(start + 1).findIndex(({ raw }) => /^\s*```/.test(raw))
  return block
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .flatMap(({ raw, number }) =>
      ids.flatMap((id) =>
        (raw.match(/(?<![\w.])\d{3,9}(?![\d.])/g) ?? []).map((value) => ({ id, value, line: number })),
      ),
    )
}

/** `789` and `dish_789`, or two digits that changed places. */
function twoSpellings(id: string, seen: readonly SeenId[]): Slip[] {
  const values = new Set(seen.map(({ value }) => value))
  for (const { value, line } of seen) {
    const tail = value.startsWith(`${id}_`) ? value.slice(id.length + 1) : undefined
    const other = tail !== undefined && values.has(tail) ? tail : [...values].find((one) => swapped(one, value))
    if (other === undefined) continue
    return [
      {
        code: "PAGE.ID_TWO_WAYS",
        severity: "error",
        line,
        message: `the ${id} id is spelled two ways: ${[other, value].sort((a, b) => a.length - b.length).join(" and ")}`,
        why: "They are two different records.",
        fix: "Use one spelling throughout.",
      },
    ]
  }
  return []
}

function swapped(one: string, other: string): boolean {
  if (one === other || one.length !== other.length || !/^\d{3,}$/.test(one) || !/^\d+$/.test(other)) return false
  const apart = [...one].flatMap((char, i) => (char === other[i] ? [] : [i]))
  const [i, j] = apart
  return apart.length === 2 && j === (i as number) + 1 && one[i as number] === other[j] && one[j] === other[i as number]
}
