/* What `with` takes: relations by name, each with true or with further relations. It may come from outside, as JSON. */

import { argumentRefused, withTooLarge } from "../../errors/client.ts"

export type WithTree = Readonly<Record<string, true | object>>

/** Each level is a round trip or two. An object that leads back to itself has no end. */
const DEEPEST = 16
const MOST_RELATIONS = 500

export function requireTree(tree: unknown): asserts tree is WithTree {
  let relations = 0
  const look = (level: unknown, depth: number): void => {
    if (typeof level !== "object" || level === null || Array.isArray(level))
      throw argumentRefused("with", "relations by name, each true or with relations of its own", level)
    if (depth > DEEPEST) throw withTooLarge(DEEPEST, MOST_RELATIONS)
    for (const deeper of Object.values(level)) {
      if (++relations > MOST_RELATIONS) throw withTooLarge(DEEPEST, MOST_RELATIONS)
      if (deeper !== true) look(deeper, depth + 1)
    }
  }
  look(tree, 1)
}
