/* What a plan does when all its checks hold: one file for each kind. After
 * the checks they should not fail. A key that should be a set may be of another type: that is found out by
 * trying, before anything else is written, and undone. What an ACL refuses after other
 * writes is reported as PLAN.HALF_WRITTEN. */

import type { CommandWrite } from "./command-write.ts"
import type { DeleteIf } from "./delete-if.ts"
import type { LiveAs } from "./live-as.ts"
import type { MoveMember } from "./move-member.ts"
import type { NoteEnd } from "./note-end.ts"
import type { RemoveByType } from "./remove-by-type.ts"

export type Write = MoveMember | KeyWrite

/** What is done to one key. */
export type KeyWrite = CommandWrite | DeleteIf | LiveAs | NoteEnd | RemoveByType
