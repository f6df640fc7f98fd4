/* Two schemas that differ in one row of the table, and what their programs do with it. */

import * as z from "zod"
import { entity, json, keyspace, string, type Keyspace } from "../../../index.ts"
import type { ChangeCode } from "../change-codes.ts"
import type { SceneContext } from "../experiment/scene-context.cases.ts"
import type { Verdicts } from "../verdict.ts"

export interface Scene {
  readonly title: string
  readonly codes: readonly ChangeCode[]
  readonly before: Keyspace
  readonly after: Keyspace
  /** Records that programs of both schemas may write, where the entry is an entity; each is changed to the next. */
  readonly records?: { readonly before: readonly object[]; readonly after: readonly object[] }
  /** Names of entries in the old and in the new schema, where they are not one `x` in both. */
  readonly names?: readonly [before: string, after: string]
  /** Fields that both mean by other names: the old one's, with the new one's. */
  readonly renamed?: Readonly<Record<string, string>>
  /** A schema from before the old one, whose programs may still run: in it, a name had its other meaning. */
  readonly earlier?: Keyspace
  /** It is not other programs that break somebody, so no order helps. */
  readonly noOrderHelps?: true
  /** What its programs do, where it is more than to write, read and write over one entry. */
  readonly meets?: (context: SceneContext) => Promise<Verdicts>
}

type Entry = Parameters<typeof keyspace>[0][string]

export const forever = { ttl: "never" } as const

/** Two keyspaces with one entry each, `x`. */
export const scene = (
  codes: ChangeCode | readonly ChangeCode[],
  before: Entry,
  after: Entry,
  more: Partial<Scene> = {},
): Scene => {
  const list = typeof codes === "string" ? [codes] : codes
  return {
    title: list.join(", ") || "no change",
    codes: list,
    before: keyspace({ x: before }, forever) as Keyspace,
    after: keyspace({ x: after }, forever) as Keyspace,
    ...more,
  }
}

export const value = (
  codes: ChangeCode | readonly ChangeCode[],
  before: Parameters<typeof string>[1],
  after: Parameters<typeof string>[1],
) => scene(codes, string("x:{id}", before), string("x:{id}", after))

export const status = (...values: [string, ...string[]]) => z.object({ id: z.string(), status: z.enum(values) })
export const person = z.object({ id: z.string(), name: z.string(), email: z.string(), age: z.int() })
export const people = [
  { id: "1", name: "Ada", email: "ada@example.com", age: 36 },
  { id: "2", name: "Bob", email: "bob@example.com", age: 7 },
  { id: "3", name: "Ada", email: "ada@example.com", age: 36 },
]
export const both = (records: readonly object[]) => ({ records: { before: records, after: records } })
export const plainPerson = entity("x:{id}", json(person))

export const document = (codes: ChangeCode | readonly ChangeCode[], before: z.ZodType, after: z.ZodType) =>
  scene(codes, string("x:{id}", json(before)), string("x:{id}", json(after)))
