import { text } from "../../schema/codec/text.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { Bound, ReadyKey } from "../call/ready-key.ts"

export const SPLIT = "0kwsplit0"

/** The text before and after a parameter in a key; in a sharded group, in the shard that is bound. */
export function aroundParam(
  { declared: { pattern, params } }: ReadyKey,
  param: string,
  bound: Bound,
): [string, string] {
  const codecs = { ...params, ...(params["shard"]?.shard && { shard: text }), [param]: text }
  const [head = "", tail = ""] = keyFormat(pattern, codecs)
    .build({ ...bound, [param]: SPLIT })
    .split(SPLIT)
  return [head, tail]
}
