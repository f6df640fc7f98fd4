/* What may be given to RESTORE: a value of a module, and nothing else. A server trusts what it
 * restores, and a payload that contradicts itself can crash it, whether a file or another server
 * made it up. Redis' own types are written by their elements, by their own commands. */

import type { Wire } from "../../driver/driver.ts"
import { malformed, unrestorable } from "../../errors/change.ts"
import { showUnknown } from "../../inspect/model/unknown-patterns.ts"
import { readDump } from "../plan/dump-type.ts"
import type { ValuePart } from "./key-value.ts"
import { StreamOrder } from "./stream-order.ts"
import { isWellFormed } from "./value-forms.ts"

/** Whether a part of a key can be written: by its elements, or as a whole value of a module. */
export const isRestorable = async ({ type, elements }: ValuePart): Promise<boolean> =>
  type !== "other" || (elements[0] instanceof Uint8Array && (await readDump(elements[0]))?.type === "module")

/** Throws when a part would be written by RESTORE and is not a value of a module, or has words that its commands could take for others. */
export async function requireRestorable(key: Wire, part: ValuePart): Promise<void> {
  if (!isWellFormed(part) || new StreamOrder().fault(part) !== undefined) throw malformed(showUnknown(key), part.type)
  if (!(await isRestorable(part))) throw unrestorable(showUnknown(key))
}
