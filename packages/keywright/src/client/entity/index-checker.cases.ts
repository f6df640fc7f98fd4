/* Are the indexes right? Asked of the raw keys, and answered without any code of the
 * toolkit: documents are read, what every index ought to hold is worked out from them,
 * and compared with what it does hold, both ways. */

import type { Reply } from "../../driver/driver.ts"

export interface IndexRule {
  readonly kind: "unique" | "set" | "zset"
  /** `"dish:index:category:{categoryId}"`: one field each. */
  readonly patterns: readonly string[]
  readonly score?: string
  readonly where?: Readonly<Record<string, unknown>>
}

export interface EntityRule {
  /** `"dish:"`, before the id. */
  readonly head: string
  readonly list?: string
  readonly indexes: readonly IndexRule[]
}

type Raw = (...command: string[]) => Promise<Reply>
type Found = Readonly<Record<string, unknown>>

/** One sentence for each entry that is missing, and for each that is too much. */
export async function indexViolations(raw: Raw, rules: readonly EntityRule[]): Promise<string[]> {
  const keys = (await raw("KEYS", "*")) as string[]
  const expected = new Map<string, string[]>()
  const note = (key: string, entry: string) => expected.set(key, [...(expected.get(key) ?? []), entry])
  const isIndex: ((key: string) => boolean)[] = []
  for (const { head, list, indexes } of rules) {
    const ids = keys.filter((key) => key.startsWith(head) && /^[\w-]+$/.test(key.slice(head.length)))
    if (list !== undefined) isIndex.push((key) => key === list)
    for (const { patterns } of indexes) for (const pattern of patterns) isIndex.push(matcher(pattern))
    for (const key of ids.filter((one) => one !== list && !one.endsWith(":counter"))) {
      const document = JSON.parse((await raw("GET", key)) as string) as Found
      const id = key.slice(head.length)
      if (list !== undefined) note(list, id)
      for (const rule of indexes) for (const at of placesOf(rule, document)) note(at, entryOf(rule, id, document))
    }
  }
  const actual = new Map<string, string[]>()
  for (const key of keys.filter((one) => isIndex.some((matches) => matches(one))))
    actual.set(key, await entries(raw, key))
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((key) => {
    const [want, have] = [new Set(expected.get(key)), new Set(actual.get(key))]
    return [
      ...[...want].filter((entry) => !have.has(entry)).map((entry) => `${key} lacks ${entry}`),
      ...[...have].filter((entry) => !want.has(entry)).map((entry) => `${key} has ${entry} for nothing`),
    ]
  })
}

const fieldOf = (pattern: string): string => /\{(\w+)\}/.exec(pattern)![1]!

function placesOf({ patterns, score, where = {} }: IndexRule, document: Found): string[] {
  if (Object.entries(where).some(([field, value]) => document[field] !== value)) return []
  if (score !== undefined && (document[score] ?? undefined) === undefined) return []
  return patterns.flatMap((pattern) => {
    const value = document[fieldOf(pattern)]
    return value === undefined || value === null ? [] : [pattern.replace(/\{\w+\}/, String(value))]
  })
}

const entryOf = ({ score }: IndexRule, id: string, document: Found): string => {
  if (score === undefined) return id
  const value = document[score]
  return `${id}@${typeof value === "string" ? Date.parse(value) : Number(value)}`
}

function matcher(pattern: string): (key: string) => boolean {
  const [head, tail] = pattern.split(/\{\w+\}/) as [string, string]
  return (key) =>
    key.startsWith(head) &&
    key.endsWith(tail) &&
    key.length > head.length + tail.length &&
    !key.slice(head.length, key.length - tail.length).includes(":")
}

async function entries(raw: Raw, key: string): Promise<string[]> {
  const type = await raw("TYPE", key)
  if (type === "string") return [String(await raw("GET", key))]
  if (type === "set") return (await raw("SMEMBERS", key)) as string[]
  const pairs = (await raw("ZRANGE", key, "0", "-1", "WITHSCORES")) as string[]
  return Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]}@${Number(pairs[2 * i + 1])}`)
}
