/* The keys of a step that belong to one sharded group are in one shard: that which the call
 * names, or that of the first of them. So items of a list never lead a step to the keys of
 * another shard; on a cluster the server would refuse it, and one server behaves the same. */

import { keyOtherShard } from "../../errors/key.ts"
import type { ShardRule } from "../../schema/codec/codec.ts"
import type { ReadyKey } from "../call/ready-key.ts"

interface ShardedKey {
  readonly ready: ReadyKey
  readonly many: string | undefined
}

const ruleOf = ({ ready }: ShardedKey): ShardRule | undefined => ready.declared.params["shard"]?.shard

/** Checks keys at the place that they were built for, call by call. */
export class OneShard {
  readonly #tags = new Map<ShardRule, string>()

  /** Whether keys of a step may be in several shards of a group: for most steps the parameters exclude that. */
  static isNeededFor(places: readonly ShardedKey[]): boolean {
    return places.some((place) => {
      const rule = ruleOf(place)
      return rule !== undefined && (place.many !== undefined || rule.sources[0]![0] !== rule.by)
    })
  }

  check(place: ShardedKey, input: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
    const rule = ruleOf(place)
    if (rule === undefined) return
    const named = input[rule.by]
    // A single key was built with what is named, and refused if that is another shard.
    if (place.many === undefined && named !== undefined) return
    const { declared, format } = place.ready
    let tag = this.#tags.get(rule) ?? (named === undefined ? undefined : rule.tagOf(named))
    for (const key of keys) {
      const own = format.locate(key)!["shard"]!
      tag ??= own
      if (own !== tag) throw keyOtherShard(declared.pattern, "those of the step's other keys")
    }
    if (tag !== undefined) this.#tags.set(rule, tag)
  }
}
