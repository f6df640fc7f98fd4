/* Where the result of an operation is remembered. An application may use one id, say
 * that of a request, for several calls: what is done, and to which keys, belongs to
 * the name, so that the second call is not taken for a repetition of the first. */

import { createHash, randomUUID } from "node:crypto"
import { operationIdRefused } from "../errors/client.ts"
import { slotTag } from "./slot-tag.ts"

/** `what` is the command or step; the key is in the slot of the first of `keys`. */
export function operationKey(
  operationId: string | undefined,
  what: string,
  keys: readonly string[],
  cluster: boolean,
): string {
  const head = `keywright:op:${slotTag(keys[0] ?? "", cluster)}`
  if (operationId === undefined) return head + randomUUID()
  if (!/^[^\s\p{Cc}{}]{1,200}$/u.test(operationId)) throw operationIdRefused()
  const digest = createHash("sha1").update([what, ...keys].join("\n"))
  return `${head}${operationId}:${digest.digest("hex").slice(0, 16)}`
}
