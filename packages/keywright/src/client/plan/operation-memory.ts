/* What is remembered of an operation that was carried out: lua/include/apply/remember.lua
 * writes it, and says what its lines are. */

import type { CallNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { planMemoryKey } from "./operation-key.ts"

/** What is known of an operation that was carried out earlier. */
export interface Replayed {
  /** See operation-answer.ts. */
  readonly answer: string
  /** How many replicas must have it. */
  readonly replicas: number
}

export interface Remembered extends Replayed {
  readonly identity: string
}

export function rememberedIn(found: string | null): Remembered | undefined {
  if (found === null) return undefined
  const [identity = "", replicas, , ...answer] = found.split("\n")
  return { identity, replicas: Number(replicas), answer: answer.join("\n") }
}

/** What is remembered; undefined: it was not carried out, or that is too long ago. */
export async function operationOf(
  lane: Lane,
  operationId: string,
  purpose: string,
  key: string,
  notes: CallNotes | undefined,
): Promise<Remembered | undefined> {
  const at = planMemoryKey(operationId, purpose, key, lane.driver.cluster)
  return rememberedIn((await lane.send(["GET", at], { ...notes, safe: true })) as string | null)
}
