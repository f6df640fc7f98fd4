/* A program that works with the records of an entity. */

import type { Scene } from "../scenes/scene.cases.ts"
import type { Any, Item, Program } from "./program.cases.ts"

/** Reads by every way that the schema knows: by id, by each index and mirror, from the set of all. */
export function recordProgram({ records, before, after }: Scene, db: Any, name: string, side: 0 | 1): Program {
  const keyspace = side === 0 ? before : after
  const all = (side === 0 ? records!.before : records!.after) as Record<string, unknown>[]
  const entity = (keyspace.entries as Any)[name]
  const client = db[name]
  const key = keyspace.keys.find((one) => one.name === name)!
  const peek = async ({ params, content }: Item) => {
    const got = await client.get(params["id"])
    if (got === undefined) return undefined
    const { createdAt: _, updatedAt: __, ...rest } = got
    return { ...rest, id: (content as Any).id }
  }
  const isFound = async (id: string, got: Any): Promise<boolean> => {
    for (const [index, { fields, where, patterns }] of Object.entries(entity.index as Record<string, Any>)) {
      const isIn = Object.entries((where ?? {}) as object).every(([field, one]) => got[field] === one)
      if ((await client.listIds(index, pick(got, fields))).includes(id) !== isIn) return false
      for (const mirror of patterns.slice(1))
        if ((await db.$driver().send(["SISMEMBER", spelled(mirror, got), id])) !== 1) return false
    }
    for (const [index, { fields }] of Object.entries(entity.unique as Record<string, Any>))
      if ((await client.find(index, pick(got, fields)))?.id !== id) return false
    if (entity.all !== undefined && !(await client.ids()).includes(id)) return false
    return entity.stamps.every((stamp: string) => stamp in got)
  }
  return {
    keyspace,
    key,
    items: all.map((record) => ({ params: { id: record["id"] }, content: record })),
    write: async ({ params, content }) => {
      const id = params["id"]
      if (id !== undefined && (await client.exists(id))) {
        await client.replace(id, { ...(content as object), id })
        return { params, content }
      }
      const { id: _, ...rest } = content as Record<string, unknown>
      const made = await client.create(entity.ids === "counter" ? rest : { ...rest, id: id ?? "2" })
      return { params: { id: made.id }, content }
    },
    peek,
    read: async (item) => {
      const got = await client.get(item.params["id"])
      return got !== undefined && (await isFound(item.params["id"] as string, got)) ? peek(item) : undefined
    },
    left: async () => Infinity,
    age: async () => undefined,
  }
}

const spelled = (pattern: string, record: Any): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(record[name]))

const pick = (record: Any, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]))
