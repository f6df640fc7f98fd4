/* What can be wrong between a cluster and its caller. */

import { defined } from "./defined.ts"
import { KeywrightError } from "./error.ts"
import { failedWith } from "./failed-at.ts"
import { NotApplied, Refused } from "./outcome.ts"

export const slotsUnreadable = (where: string, why: string): KeywrightError =>
  new KeywrightError("CLUSTER.SLOTS", `${where} does not say which node owns which slots`, {
    why,
    fix: "Check what listens at this address: a proxy, another program, or a broken server.",
  })

/** More than a cluster can have: each of them would be dialled. */
export const tooManyNodes = (where: string, primaries: number, most: number): KeywrightError =>
  new KeywrightError("CLUSTER.TOO_MANY_NODES", `${where} names ${primaries} primaries; none of them is dialled`, {
    why: `Clusters have up to about 1,000 nodes, and more than ${most} primaries are not believed.`,
    fix: "Check what listens at this address: a proxy, another program, or a broken server.",
    details: { primaries },
  })

export const knowsNoSlots = (where: string): KeywrightError =>
  new KeywrightError("CLUSTER.NO_SLOTS", `${where} knows of no slots`, {
    why: "It is in cluster mode, but not part of a cluster that serves keys.",
    fix: "Join it to a cluster (redis-cli --cluster create or add-node), or give the address of another node.",
  })

export const notAMember = (where: string): KeywrightError =>
  new KeywrightError("CLUSTER.NOT_A_MEMBER", `${where} is not part of a cluster`, {
    why: "Several addresses have to be nodes of one cluster, and this server has cluster mode off.",
    fix: "Give the addresses of nodes of one cluster, or a single address.",
  })

const isLie = (cause: unknown): cause is KeywrightError =>
  cause instanceof KeywrightError && cause.code === "CLUSTER.TOO_MANY_NODES"

/** No node said, within the call's deadline, who owns its slot. */
export function noOwner(command: string, slot: number, where: string, ms: number, cause: unknown): NotApplied {
  const what = slot < 0 ? "any node" : `the owner of slot ${slot}`
  return new NotApplied(
    "CLUSTER.NO_OWNER",
    `${command} was not sent: ${what} of ${where} was not found within ${Math.round(ms)} ms`,
    {
      why:
        cause instanceof Error
          ? failedWith(cause)
          : slot < 0
            ? "No node answered."
            : "The nodes that answered name no owner for this slot.",
      fix:
        (isLie(cause) ? cause.fix : undefined) ??
        "See CLUSTER NODES: a primary without a replica is down, or slots were never assigned to a node (redis-cli --cluster fix).",
      details: { slot },
      cause,
    },
  )
}

/** A call that was sent from node to node until its deadline. */
export const redirectedTooOften = (command: string, where: string, refusal: KeywrightError): NotApplied =>
  new NotApplied(
    "CLUSTER.REDIRECTS",
    `${command} found no node that accepts it; the last one, ${where}, said: ${refusal.message}`,
    {
      why: "Nodes name each other as the owner of the slot: they have not agreed yet, or one of them is wrong.",
      fix: "Compare CLUSTER SLOTS of the nodes; redis-cli --cluster check finds slots that they disagree on.",
      cause: refusal,
    },
  )

/** A call that was redirected to an address that no node names as a member of the cluster, after many others like it. */
export const strangers = (
  command: string,
  where: string,
  to: string,
  most: number,
  refusal: KeywrightError,
): NotApplied =>
  new NotApplied(
    "CLUSTER.STRANGERS",
    `${command} was not sent on to ${to}, as ${where} said: it is not known to be a node of this cluster, and neither are ${most} others`,
    {
      why: "A cluster gets a few new nodes at a time. A node that redirects to very many unknown addresses is broken or hostile.",
      fix: `Compare CLUSTER NODES of ${where} with that of the other nodes; nothing was carried out, so the call may be repeated.`,
      cause: refusal,
    },
  )

/** The node's refusal, and which node it was. */
export function refusedAt(where: string, refusal: KeywrightError): KeywrightError {
  const Type = refusal.constructor as new (...args: ConstructorParameters<typeof KeywrightError>) => KeywrightError
  return new Type(refusal.code, `${where}: ${refusal.message}`, {
    ...defined({ why: refusal.why, fix: refusal.fix, details: refusal.details }),
    cause: refusal,
  })
}

/** Notes on a node's CLUSTERDOWN which nodes are the reason, as far as is known: those that cannot be reached. */
export function downBecauseOf(refusal: KeywrightError, unreached: readonly string[]): void {
  if (unreached.length === 0) return
  const why = `Not reached: ${unreached.join(", ")}. The node that answers refuses because of slots without an owner.`
  Object.assign(refusal, { why, details: { ...refusal.details, unreached } })
}

/** A call that was meant for one primary, which has left the cluster or follows another one. */
export const nodeLeft = (command: string, where: string): NotApplied =>
  new NotApplied("CLUSTER.NODE_LEFT", `${command} was not sent: ${where} is no longer a primary`, {
    why: "Another node has taken over its slots.",
    fix: "Ask for the primaries again.",
  })

/** A command that a cluster carries out in one slot has keys of several. */
export const severalSlots = (command: string): Refused =>
  new Refused("SERVER.CROSSSLOT", `${command} has keys of several slots, and a cluster carries it out in one`, {
    fix: "Give the keys one hash tag, so that they share a slot.",
  })
