import type { Counted, TtlHealth } from "../../api.ts"

export const noHealth: TtlHealth = { right: 0, missing: 0, unexpected: 0, tooLong: 0, undecided: 0 }

export interface Sum {
  readonly keys: number
  readonly bytes: number
  readonly ttlHealth: TtlHealth
}

export function sumCounted(parts: readonly Pick<Counted, "keys" | "bytes" | "ttlHealth">[]): Sum {
  const sum = { keys: 0, bytes: 0, ttlHealth: { ...noHealth } as Record<keyof TtlHealth, number> }
  for (const { keys, bytes, ttlHealth } of parts) {
    sum.keys += keys
    sum.bytes += bytes
    for (const name of Object.keys(noHealth) as (keyof TtlHealth)[]) sum.ttlHealth[name] += ttlHealth[name]
  }
  return sum
}

/** The part of the keys whose TTL is as declared: 0 to 1; undefined when there are none. */
export function rightPart({ right, missing, unexpected, tooLong, undecided }: TtlHealth): number | undefined {
  const all = right + missing + unexpected + tooLong + undecided
  return all === 0 ? undefined : right / all
}
