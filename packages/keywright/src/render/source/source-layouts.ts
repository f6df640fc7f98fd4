/* Entities whose keys are named after one convention: said once, as a layout. */

import type { EntityForm, IndexForm } from "../../schema/json/form.ts"

export interface Convention {
  readonly key: string
  readonly counter?: string
  readonly all?: string
  readonly index?: string
}

/** The convention that an entity follows, and its name in it; undefined for hashes, which layouts do not take. */
export interface FollowedLayout {
  readonly word: string
  readonly convention: Convention
}

export function following(entity: EntityForm): FollowedLayout | undefined {
  const [, word] = /([\p{L}\p{N}]+)[^\p{L}\p{N}{}]*\{\w+\}$/u.exec(entity.pattern) ?? []
  if (word === undefined || entity.store.as !== "json") return undefined
  const general = (pattern: string) => pattern.split(word).join("{entity}")
  const key = general(entity.pattern)
  if (key.split("{entity}").length !== 2) return undefined
  const indexes = new Set(
    Object.entries({ ...entity.unique, ...entity.index }).map(([name, index]) => indexPattern(name, index, word)),
  )
  if (indexes.size > 1 || indexes.has(undefined)) return undefined
  const [index] = indexes
  return {
    word,
    convention: {
      key,
      ...(entity.counter !== undefined && { counter: general(entity.counter) }),
      ...(entity.all !== undefined && { all: general(entity.all) }),
      ...(index !== undefined && { index }),
    },
  }
}

/** `"user:index:email:{email}"` → `"{entity}:index:{index}:{value}"` */
function indexPattern(name: string, { patterns: [first = ""] }: IndexForm, word: string): string | undefined {
  const fields = first.match(/\{\w+\}/g) ?? []
  const values = fields.join(":")
  if (fields.length === 0 || !first.endsWith(values) || !first.includes(name)) return undefined
  const head = first.slice(0, first.length - values.length)
  const general = head.replace(word, "{entity}")
  const at = general.lastIndexOf(name)
  return at < 0 ? undefined : `${general.slice(0, at)}{index}${general.slice(at + name.length)}{value}`
}

/** The convention that most entities follow, if two do: what some lack, all may have. */
export function commonConvention(all: readonly (FollowedLayout | undefined)[]): Convention | undefined {
  const found = all.filter((one) => one !== undefined).map(({ convention }) => convention)
  const keys = found.map(({ key }) => key)
  const key = keys.find((one) => keys.indexOf(one) < keys.lastIndexOf(one))
  if (key === undefined) return undefined
  const own = found.filter((one) => one.key === key)
  const parts = (["counter", "all", "index"] as const).flatMap((part) => {
    const most = mostOf(own.flatMap((one) => one[part] ?? []))
    return most === undefined ? [] : [[part, most] as const]
  })
  return { key, ...Object.fromEntries(parts) }
}

const mostOf = (texts: readonly string[]): string | undefined =>
  [...new Set(texts)].sort(
    (a, b) => texts.filter((one) => one === b).length - texts.filter((one) => one === a).length,
  )[0]

/** Whether an entity can be declared by it. */
export function isOf(one: FollowedLayout | undefined, { key, counter, all, index }: Convention): one is FollowedLayout {
  if (one === undefined || one.convention.key !== key || one.convention.all !== all) return false
  const isCounted = one.convention.counter === undefined || one.convention.counter === counter
  return isCounted && (one.convention.index === undefined || one.convention.index === index)
}
