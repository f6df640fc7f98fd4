/* Which node of a cluster a call failed at: noted on the error itself, so that whatever
 * reports it can say so. */

import { isKeywrightError } from "./error.ts"

/** A node that a call failed at. */
export interface FailedAt {
  /** `"127.0.0.1:7001"` */
  readonly address: string
  readonly role: "primary" | "replica"
  /** The slot of the call's keys, if all of them were in one. */
  readonly slot?: number
}

/** How many causes are looked at: errors of others may be their own cause. */
const MOST_CAUSES = 8

/** Notes the node in `details.node`. An error that several calls share keeps the first. */
export function failedAt(error: unknown, node: FailedAt): void {
  if (!isKeywrightError(error) || error.details?.["node"] !== undefined) return
  Object.assign(error, { details: { ...error.details, node } })
}

/** The node that was noted on an error, or on what caused it. */
export function nodeOfError(error: unknown): FailedAt | undefined {
  let at = error
  for (let i = 0; i < MOST_CAUSES && at instanceof Error; i++) {
    const node = isKeywrightError(at) ? at.details?.["node"] : undefined
    if (node !== undefined) return node as FailedAt
    at = at.cause
  }
  return undefined
}

/** `"127.0.0.1:7001, a primary, slot 4711"` */
export const showFailedAt = ({ address, role, slot }: FailedAt): string =>
  `${address}, a ${role}${slot === undefined ? "" : `, slot ${slot}`}`

/** What an error says, and the node that it came from unless it says that itself. */
export function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const node = nodeOfError(cause)
  return node === undefined || reason.includes(node.address) ? reason : `${showFailedAt(node)}: ${reason}`
}

/** `why` of an error that another one caused: a sentence like every other. */
export const failedWith = (cause: unknown): string => `It failed with: ${reasonOf(cause).replace(/\.$/, "")}.`

/** The node of what caused an error, for its own `details`. */
export function nodeDetails(cause: unknown): { readonly node?: FailedAt } {
  const node = nodeOfError(cause)
  return node === undefined ? {} : { node }
}
