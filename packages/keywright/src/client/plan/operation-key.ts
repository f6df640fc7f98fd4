/* Operation ids: a call that is sent again with the same id is carried out once, and is
 * answered as the first one was. What it answered is remembered for a while under
 * keywright:op:.
 *
 * An application may use one id, say that of a request, for several calls: what is done,
 * and to which keys, belongs to the name, so that the second call is not mistaken for a
 * repetition of the first. */

import { randomUUID } from "node:crypto"
import { sha1 } from "../../driver/reply-digest.ts"
import { operationIdRefused } from "../../errors/client.ts"
import { type Duration, LONGEST_NOTED, toMs, toMsUpTo } from "../../schema/duration.ts"
import type { Lane } from "../call/lane.ts"
import { slotTag } from "../call/slot-tag.ts"

export const REMEMBERED_MS = 60_000

/** `rememberFor`, in milliseconds. */
export const rememberMsOf = (chosen: Duration): number => toMsUpTo(chosen, LONGEST_NOTED)

/**
 * How long the answer to an operation is remembered, in milliseconds: not less than its call may take, because the
 * driver sends it again until then.
 */
export function rememberedMs(lane: Lane, { rememberFor, timeoutMs = lane.driver.timeoutMs }: NotesOfCall): number {
  const chosen = rememberFor === undefined ? (lane.rememberMs ?? REMEMBERED_MS) : rememberMsOf(rememberFor)
  const longest = toMs(LONGEST_NOTED)
  // From outside it may be anything, and is refused where it is used.
  if (!(timeoutMs > chosen)) return chosen
  return timeoutMs < longest ? Math.ceil(Number(timeoutMs)) : longest
}

type NotesOfCall = { readonly rememberFor?: Duration | undefined; readonly timeoutMs?: number | undefined }

/**
 * `what` is the command or step; the key is in the slot of the first of `keys`. Without an id, a key that no other call
 * uses.
 */
export function operationKey(
  operationId: string | undefined,
  what: string,
  keys: readonly string[],
  cluster: boolean,
): string {
  const head = `keywright:op:${slotTag(keys[0] ?? "", cluster)}`
  if (operationId === undefined) return head + randomUUID()
  // JSON from outside may have null here, which all calls would share.
  const isText = typeof operationId === "string" && operationId.isWellFormed()
  if (!isText || !/^[^\s\p{Cc}{}]{1,200}$/u.test(operationId)) throw operationIdRefused()
  return `${head}${operationId}:${sha1([what, ...keys].join("\n")).slice(0, 16)}`
}

/** Where the result of a plan is remembered: `purpose` distinguishes calls with the same operation id. */
export const planMemoryKey = (
  operationId: string | undefined,
  purpose: string,
  first: string,
  cluster: boolean,
): string => operationKey(operationId, purpose, cluster ? [slotTag(first, true)] : [], cluster)
