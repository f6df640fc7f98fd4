import { groupUnbound } from "../../errors/record.ts"
import type { ShardRule } from "../../schema/codec/codec.ts"
import type { Bound } from "../call/ready-key.ts"
import type { Context } from "../make-client.ts"

/** What is bound for an entity that `from` leads to, or is. Throws when parameters of its scope are not bound. */
export function boundFor({ ready }: Context, from: string, path: string, bound: Bound): Bound {
  const paramsOf = (name: string) => ready.get(name)!.declared.params
  const params = paramsOf(path)
  const rule = params["shard"]?.shard
  const own = rule === undefined || rule === paramsOf(from)["shard"]?.shard ? bound : inGroupOf(rule, bound)
  const open = Object.keys(params)
    .slice(0, -1)
    .filter((name) => !(name in own))
  if (open.length > 0) throw groupUnbound(path, open)
  return own
}

/** The shard of one group is not that of another: there it follows from what decides on it. */
function inGroupOf({ by, tagOf }: ShardRule, { shard: _other, ...rest }: Bound): Bound {
  return rest[by] === undefined ? rest : { ...rest, shard: tagOf(rest[by]) }
}
