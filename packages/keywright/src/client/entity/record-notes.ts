import type { CallNotes, OperationNotes } from "../call/notes.ts"

/**
 * What calls that write a record take besides a deadline: who makes the change, and which version it is meant for.
 * @example
 * await db.user.update("1", { name: "Ada" }, { by: "admin", operationId: "rename-17" })
 */
export interface RecordNotes extends CallNotes, OperationNotes {
  /** Who makes the change: for createdBy and updatedBy. */
  readonly by?: string
  /** Only if the record is still of this version (versionOf). */
  readonly version?: string
}
