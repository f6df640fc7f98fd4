/* What is remembered of an operation that was carried out. apply.lua writes it: what
 * distinguishes it from others with the same id, how many replicas must have it, the ids
 * that were allocated, and the answer, a line each. */

import type { CallNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { planMemoryKey } from "./operation-key.ts"
import type { Replayed } from "./send-plan.ts"

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
