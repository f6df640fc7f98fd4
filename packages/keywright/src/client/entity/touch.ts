/* Sliding deadlines: reading a record extends its life, and that of its unique values and
 * the note of its end. */

import { RecordChanged } from "../../errors/record.ts"
import { carryOut } from "../plan/carry-out.ts"
import { Plan } from "../plan/plan.ts"
import { asking, type CallNotes } from "../call/notes.ts"
import type { Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"

export const slides = (repository: Repository): boolean => repository.record.declared.ttl?.on === "access"

/** Moves the deadlines of records that were read. */
export async function touch(
  repository: Repository,
  read: readonly (Loaded | undefined)[],
  notes: CallNotes | undefined,
): Promise<void> {
  const moves = read.flatMap((loaded) => (loaded ? [moved(repository, loaded, notes)] : []))
  await Promise.all(moves)
}

async function moved(repository: Repository, loaded: Loaded, notes: CallNotes | undefined): Promise<void> {
  const plan = new Plan()
  repository.planUpdate(plan, loaded.id, loaded, loaded)
  try {
    await carryOut(plan, repository.lane, asking(notes))
  } catch (error) {
    // A change has moved the deadline too, and a record that is gone stays gone.
    if (!(error instanceof RecordChanged)) throw error
  }
}
