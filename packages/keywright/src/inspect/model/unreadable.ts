/* Keys that could not be read, by pattern, with the server's reason: so that nobody takes what was not read for what is
 * not there. Apart from a few bytes for each of them, its size does not depend on how many there are. */

import type { Command, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { type OwningPatterns, patternsOfKeys } from "./owning-patterns.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { declaredKeys } from "../walk/databases.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { reasonOfRefusal } from "../walk/refusal.ts"
import { TextSet } from "../walk/text-set.ts"
import { isText, wireName } from "../walk/wire.ts"
import { keyShower } from "./show-key.ts"
import { likelyPattern, showUnknown } from "./unknown-patterns.ts"

/**
 * Keys of one pattern that could not be read, or not all of them.
 * @example
 * const line = ({ keys, pattern, reason }: UnreadableKeys) => `${keys} of ${pattern}: ${reason}`
 */
export interface UnreadableKeys {
  readonly db: number
  /** The name in the schema; absent for keys that no pattern owns. */
  readonly name?: string
  readonly pattern: string
  readonly keys: number
  /** One of them, secrets redacted. */
  readonly example: string
  /** What the server said about it. */
  readonly reason: string
}

interface PatternToShow extends Pick<UnreadableKeys, "name" | "pattern"> {
  readonly show: (key: Wire) => string
}

interface UnreadableGroup extends Omit<UnreadableKeys, "keys"> {
  readonly seen: TextSet
}

export class Unreadable {
  readonly #keyspace: Keyspace | undefined
  /** The database of a schema that names none. */
  readonly #own: number
  readonly #owners = new Map<number, readonly OwningPatterns<Key>[]>()
  readonly #groups = new Map<string, UnreadableGroup>()

  constructor(keyspace: Keyspace | undefined, own: number) {
    this.#keyspace = keyspace
    this.#own = own
  }

  note(db: number, command: Command, refusal: KeywrightError): void {
    const key = keyOf(command)
    if (key === undefined) return
    const { name, pattern, show } = this.#ownerOf(db, key)
    // More kinds of unknown keys than anybody reads are counted together.
    const isMany = name === undefined && this.#groups.size >= MOST_GROUPS && !this.#groups.has(`${db} ${pattern}`)
    const shown = isMany ? "…" : pattern
    const group = getOrMake(this.#groups, `${db} ${shown}`, () => ({
      db,
      ...(name !== undefined && { name }),
      pattern: shown,
      example: show(key),
      reason: reasonOfRefusal(refusal, key),
      seen: new TextSet(),
    }))
    group.seen.add(wireName(key))
  }

  /** Most keys first. */
  result(): UnreadableKeys[] {
    return [...this.#groups.values()]
      .map(({ seen, ...group }) => ({ ...group, keys: seen.size }))
      .sort((a, b) => b.keys - a.keys)
  }

  /** How a key is shown: without its secrets. */
  shown(db: number, key: Wire): string {
    return this.#ownerOf(db, key).show(key)
  }

  #ownerOf(db: number, key: Wire): PatternToShow {
    const owners = getOrMake(this.#owners, db, () => patternsOfKeys(declaredKeys(this.#keyspace, db, this.#own)))
    for (const { rows, classifier } of owners) {
      const row = isText(key) ? rows[classifier.classify(key)] : undefined
      if (row !== undefined) return { name: row.name, pattern: row.pattern, show: keyShower(row, rows) }
    }
    return { pattern: likelyPattern(key), show: showUnknown }
  }
}

const MOST_GROUPS = 1000

const CONTAINERS = new Set<unknown>(["MEMORY", "OBJECT", "XINFO"])
const SEVERAL = new Set<unknown>(["MGET", "EXISTS"])

/** The key that a command reads. One for several keys is followed by one for each of them, which are noted then. */
export function keyOf(command: Command): Wire | undefined {
  if (SEVERAL.has(command[0]) && command.length > 2) return undefined
  return command[CONTAINERS.has(command[0]) ? 2 : 1]
}

export const countOf = (unreadable: readonly UnreadableKeys[]): number =>
  unreadable.reduce((sum, { keys }) => sum + keys, 0)
