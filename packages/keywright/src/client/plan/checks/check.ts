/* What must hold before anything of a plan is written: one file for each kind. */

import type { Reply } from "../../../driver/driver.ts"
import type { KeywrightError } from "../../../errors/error.ts"
import type { Absent } from "./absent.ts"
import type { Ahead } from "./ahead.ts"
import type { HasElement } from "./has-element.ts"
import type { HasType } from "./has-type.ts"
import type { HashIs } from "./hash-is.ts"
import type { IsNumber } from "./is-number.ts"
import type { ReplyIs } from "./reply-is.ts"
import type { SetIs } from "./set-is.ts"
import type { StringIs } from "./string-is.ts"
import type { UniqueFree, UniqueUnheld } from "./unique-free.ts"

/** The error for a check that failed: `found` is what the key held. */
export type OnFailure = (found: Reply) => KeywrightError

export type Check = ReadCheck | Demand

/** Something that was read has not changed. */
export type ReadCheck = StringIs | Absent | HashIs | SetIs | ReplyIs

/** Something that a write needs. If what was read has changed, the decision is void: so reads are compared first. */
export type Demand = UniqueFree | UniqueUnheld | HasType | Ahead | IsNumber | HasElement

const reads: ReadonlySet<Check["check"]> = new Set(["string", "absent", "hash", "set", "reply"])

export const isReadCheck = (check: Check): check is ReadCheck => reads.has(check.check)
