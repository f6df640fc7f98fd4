/* Keywright's own keys, which every keyspace has in addition to what it declares: counted
 * by purpose, and not part of the proposal. A key that is not as Keywright writes it
 * belongs to somebody else, and is learned from like any other. */

import { type Classifier, classifier } from "../../../schema/classify/classify.ts"
import { redisTypes } from "../../../schema/define.ts"
import type { Key } from "../../../schema/key.ts"
import { toolkitKeys } from "../../../schema/toolkit-keys.ts"
import type { Observed } from "./database-miner.ts"

/**
 * Keys of Keywright's own on a server, which need no declaration.
 * @example
 * const count = (toolkit: readonly OwnKeys[]) => toolkit.reduce((sum, { keys }) => sum + keys, 0)
 */
export interface OwnKeys {
  readonly db: number
  readonly pattern: string
  readonly keys: number
  /** What they are for. */
  readonly doc: string
}

const PREFIX = "keywright:"
const MOST_EXAMPLES = 16

export class OwnKeyCounter {
  readonly #counts = new Map<Key, number>()
  #classifier: Classifier | undefined
  /** No pattern of the proposal may own these. */
  readonly examples: string[] = []

  /** Whether it is one. */
  note({ key, type, ttlMs }: Observed): boolean {
    if (!key.startsWith(PREFIX)) return false
    const owner = (this.#classifier ??= classifier(toolkitKeys())).owner(key)?.key
    if (owner === undefined || redisTypes[owner.kind] !== type || !fits(owner, ttlMs)) return false
    this.#counts.set(owner, (this.#counts.get(owner) ?? 0) + 1)
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(key)
    return true
  }

  found(db: number): OwnKeys[] {
    return [...this.#counts].map(([{ pattern, doc = "" }, keys]) => ({ db, pattern, keys, doc }))
  }
}

const fits = ({ ttl }: Key, ttlMs: number): boolean =>
  ttl?.on === "never" ? ttlMs < 0 : ttl !== undefined && "ms" in ttl && ttlMs >= 0 && ttlMs <= ttl.ms
