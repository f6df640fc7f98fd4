import { notTogether } from "../../errors/client.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import type { Lane } from "../call/lane.ts"

/** Throws if these keys cannot be used by one command. */
export function sameServer(method: string, lane: Lane, ...others: readonly Lane[]): void {
  if (others.some((other) => other !== lane))
    throw notTogether(method, "they are in different databases, or of different clients")
}

/** Throws if the two keys cannot be changed by one command. */
export function movable(method: string, ...keys: readonly ReadyKey[]): void {
  if (keys.some((key) => key.family))
    throw notTogether(method, "one of them belongs to a family, which is filled as a whole")
  if (keys.some((key) => key.declared.ttl?.on === "choice"))
    throw notTogether(method, "the TTL of one of them is for the writer to choose")
}
