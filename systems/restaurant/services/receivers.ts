import { badRequest } from "../../platform/http/problem.ts"
import type { User } from "../context.ts"

/** Who an order is for, as it is asked. */
export interface Receiver {
  readonly receiverName?: string | null | undefined
  readonly receiverPhone?: string | null | undefined
  readonly receiverAddress?: string | null | undefined
  readonly receiverEmail?: string | null | undefined
}

/** What is blank is taken from the profile; a name, a phone and an address are needed (RST-21). */
export function receiverOf(given: Receiver, user: User | undefined) {
  const pick = (text: string | null | undefined, otherwise: string | null | undefined) =>
    text?.trim() || otherwise?.trim() || ""
  const receiver = {
    receiverName: pick(given.receiverName, user?.username),
    receiverPhone: pick(given.receiverPhone, user?.phone),
    receiverAddress: pick(given.receiverAddress, user?.address),
    receiverEmail: pick(given.receiverEmail, user?.email) || null,
  }
  for (const field of ["receiverName", "receiverPhone", "receiverAddress"] as const)
    if (receiver[field] === "") throw badRequest("receiver_incomplete", `body.${field}: is needed`)
  return receiver
}
