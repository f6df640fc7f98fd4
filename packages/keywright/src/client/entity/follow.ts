/* Reading ahead: a record and what its relations lead to, in one round trip, by a script
 * that only reads. It returns plain replies, by key. The relations are then loaded in the
 * usual way, which finds these replies already known and reads whatever the script left
 * out. So this can be incomplete, and never wrong. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import type { RelationRow } from "../../schema/relation.ts"
import type { Lane } from "../call/lane.ts"
import { listOf } from "../call/reply.ts"
import { followScript } from "../lua/index.ts"
import { aroundParam } from "./around-param.ts"
import { type IdForm, idFormOf } from "./id-form.ts"
import type { Repository } from "./repository.ts"
import { relationsIn } from "./through-sets.ts"
import { requireTree, type WithTree } from "./with-tree.ts"

/** A key and what it holds, one after another. */
export async function follow(
  lane: Lane,
  repositoryOf: (name: string) => Repository,
  entity: string,
  start: { readonly key: string; readonly isIndex: boolean },
  tree: WithTree,
): Promise<readonly Reply[]> {
  const repository = repositoryOf(entity)
  if (lane.driver.cluster || repository.store.type !== "string") return []
  const way = wayAlong(repository, repositoryOf, tree)
  const args = start.isIndex ? way.fromIndex : way.fromRecord
  return listOf(await lane.script(followScript, [start.key], args, SAFE))
}

/** The arguments of the script, from a record or from a unique index. */
interface Way {
  readonly indexes: Repository["indexes"]
  readonly fromIndex: readonly Wire[]
  readonly fromRecord: readonly Wire[]
}

/** By tree: a caller that reuses its tree of relations saves translating it again. */
const ways = new WeakMap<WithTree, Way>()

function wayAlong(repository: Repository, repositoryOf: (name: string) => Repository, tree: WithTree): Way {
  const known = ways.get(tree)
  if (known?.indexes === repository.indexes) return known
  requireTree(tree)
  const words: Wire[] = [repository.head, repository.tail]
  addRelations(words, repositoryOf, repository.name, tree, { place: 0, places: 0 })
  const way = {
    indexes: repository.indexes,
    fromIndex: [repository.form.isQuoted ? "quoted-index" : "index", ...words],
    fromRecord: ["record", ...words],
  }
  ways.set(tree, way)
  return way
}

interface AtPlace {
  readonly place: number
  places: number
}

function addRelations(
  args: Wire[],
  repositoryOf: (name: string) => Repository,
  entity: string,
  tree: WithTree,
  at: AtPlace,
): void {
  const source = repositoryOf(entity)
  const rows = relationsIn(source.context.keyspace).filter((row) => row.entity === entity)
  for (const [name, deeper] of Object.entries(tree)) {
    const row = rows.find((relation) => relation.name === name)
    const target = row && repositoryOf(row.target)
    const way = row && target && wayOf(row, source, target)
    if (way === undefined || target!.store.type !== "string") continue
    args.push(String(at.place), ...way, target!.head, target!.tail)
    at.places += 1
    if (deeper === true) continue
    const inside: AtPlace = { place: at.places, places: at.places }
    addRelations(args, repositoryOf, row!.target, deeper as WithTree, inside)
    at.places = inside.places
  }
}

/** The kind of a relation and its two arguments; undefined when the script cannot follow it. */
function wayOf({ via }: RelationRow, source: Repository, target: Repository): [string, string, string] | undefined {
  if ("field" in via) return ["field", via.field, ""]
  if ("index" in via) {
    const index = target.indexes.find(({ name, kind }) => name === via.index && (kind === "unique") === via.unique)!
    if (index.kind === "zset") return undefined
    const around = aroundParam(index.ready[0]!, index.index.fields[0]!, target.bound)
    return [kindOf(index.kind === "unique" ? "unique" : "set", target.form), ...around]
  }
  const { set, param } = source.through.owned.find(({ set }) => set.declared.name === via.set)!
  return set.declared.kind === "zset"
    ? undefined
    : [kindOf("set", idFormOf(set.declared)), ...aroundParam(set, param, source.bound)]
}

const kindOf = (kind: "unique" | "set", { isQuoted }: IdForm): string => (isQuoted ? `quoted-${kind}` : kind)
