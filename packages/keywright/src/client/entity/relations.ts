/* Loading relations: one or two round trips per relation and level, however many
 * records there are. */

import type { Command, Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { relationUnknown } from "../../errors/record.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import type { RelationRow } from "../../schema/relation.ts"
import type { Context } from "../make-client.ts"
import { remember } from "./known.ts"
import { loadMany } from "./reads.ts"
import type { Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"

export type WithTree = Readonly<Record<string, true | object>>

export interface Related {
  readonly context: Context
  readonly repositoryOf: (name: string) => Repository
}

/** The records, each with the relations that `tree` names. */
export async function withRelations(
  related: Related,
  entity: string,
  loaded: readonly Loaded[],
  tree: WithTree,
): Promise<object[]> {
  const rows = relationRows(related.context.keyspace).filter((row) => row.entity === entity)
  const results = loaded.map((one) => ({ ...remember(one) }) as Record<string, unknown>)
  await Promise.all(
    Object.entries(tree).map(async ([name, deeper]) => {
      const row = rows.find((relation) => relation.name === name)
      if (!row)
        throw relationUnknown(
          entity,
          name,
          rows.map((relation) => relation.name),
        )
      const targets = await follow(related, row, loaded)
      const unique = [...new Map(targets.flat().map((one) => [one, one])).keys()]
      const records: object[] =
        deeper === true ? unique.map(remember) : await withRelations(related, row.target, unique, deeper as WithTree)
      const recordOf = new Map(unique.map((one, i) => [one, records[i]!]))
      targets.forEach((found, i) => {
        const values = found.map((one) => recordOf.get(one))
        results[i]![name] = row.many ? values : values[0]
      })
    }),
  )
  return results
}

/** For each record, what its relation leads to. */
async function follow(related: Related, row: RelationRow, loaded: readonly Loaded[]): Promise<Loaded[][]> {
  const target = related.repositoryOf(row.target)
  const ids = await idsOf(related, row, target, loaded)
  const distinct = [...new Set(ids.flat())]
  const found = new Map<string, Loaded>()
  ;(await loadMany(target, distinct)).forEach((one, i) => one && found.set(distinct[i]!, one))
  return ids.map((list) => list.flatMap((id) => found.get(id) ?? []))
}

async function idsOf(
  { context, repositoryOf }: Related,
  row: RelationRow,
  target: Repository,
  loaded: readonly Loaded[],
): Promise<string[][]> {
  const { via } = row
  if ("field" in via) {
    return loaded.map(({ document }) =>
      document[via.field] === undefined || document[via.field] === null ? [] : [String(document[via.field])],
    )
  }
  const source = repositoryOf(row.entity)
  const own = loaded.map(({ document }) => String(document[source.entity.idField]))
  if ("index" in via) {
    const index = target.indexes.find(({ name, unique }) => name === via.index && unique === via.unique)!
    const keys = own.map((id) => index.declared[0]!.build({ ...target.bound, [index.index.fields[0]!]: id }))
    const command = (key: string): Command =>
      via.unique ? ["GET", key] : index.index.score === undefined ? ["SMEMBERS", key] : ["ZRANGE", key, "0", "-1"]
    return inOrder(await target.lane.driver.batch(keys.map(command), { safe: true }), index.index.score === undefined)
  }
  const set = context.declared.get(via.set)!
  const param = Object.keys(set.row.params).find((name) => !(name in source.bound))!
  const keys = own.map((id) => set.build({ ...source.bound, [param]: id }))
  const zset = set.row.kind === "zset"
  return inOrder(
    await target.lane.driver.batch(
      keys.map((key) => (zset ? ["ZRANGE", key, "0", "-1"] : ["SMEMBERS", key])),
      { safe: true },
    ),
    !zset,
  )
}

const inOrder = (replies: readonly Reply[], sort: boolean): string[][] =>
  replies.map((reply) => {
    if (reply instanceof KeywrightError) throw reply
    const ids = reply === null ? [] : Array.isArray(reply) ? [...(reply as string[])] : [String(reply)]
    return sort ? ids.sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1)) : ids
  })
