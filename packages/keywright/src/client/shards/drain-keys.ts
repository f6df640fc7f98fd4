/* Where the keys of a drain are: three in each shard, two in the slot of the target. */

import { drainKeyNames, type Drain } from "../../schema/drain.ts"
import type { ReadyKey } from "../call/ready-key.ts"

export interface ShardKeys {
  /** The tag of the shard; of plain names, "-". */
  readonly shard: string
  /** What was added up, the batch that is out, and its note. */
  readonly keys: readonly [added: string, out: string, note: string]
}

export interface DrainKeys {
  readonly source: ReadyKey
  readonly target: ReadyKey
  readonly shards: readonly ShardKeys[]
  readonly into: string
  /** The last number of each shard that is in the target. */
  readonly drained: string
}

export function drainKeys(name: string, drain: Drain, ready: ReadonlyMap<string, ReadyKey>): DrainKeys {
  const names = drainKeyNames(name, drain)
  const find = (path: string): ReadyKey => ready.get(path)!
  const [source, target] = [find(drain.from), find(drain.into)]
  const tags = source.declared.params["shard"]?.shard?.tags
  const inShard = (params: object) =>
    [drain.from, names.out, names.note].map((path) => find(path).format.build({ ...params })) as never
  return {
    source,
    target,
    shards: tags?.map((shard) => ({ shard, keys: inShard({ shard }) })) ?? [{ shard: "-", keys: inShard({}) }],
    into: target.format.build({}),
    drained: find(names.drained).format.build({}),
  }
}
