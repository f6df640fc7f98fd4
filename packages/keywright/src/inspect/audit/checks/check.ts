/* What a check is: a function of a pattern, and then of each of its keys. */

import type { Model, KeyModel } from "../../model/model.ts"
import type { Subject } from "../../model/subject.ts"
import type { Inquiry } from "../inquiry.ts"

/** Asks and suspects about one key, or a part of it. */
export type CheckKey = (subject: Subject, inquiry: Inquiry) => void

/**
 * A kind of check: for a pattern, what to do with each of its keys, once or for each rule; nothing when the check does
 * not apply to the pattern.
 */
export type CheckKind = (row: KeyModel, model: Model) => CheckKey | readonly CheckKey[] | undefined
