/* The number of shards is fixed for the life of the data: with another one, what is there
 * would not be found, and would be found again, outdated, when the number is set back. So the
 * first start notes it, and a start with another one is refused. */

import { isUnavailable } from "keywright"
import type { Log } from "./log.ts"
import { UsageError } from "./usage-error.ts"

/** Of the key in which it is noted. */
export const shardCountNote = {
  ttl: "never",
  doc: "With shards: how many these data are spread over. With another number they would be looked for elsewhere.",
} as const

interface Noted {
  setIfAbsent(shards: number): Promise<boolean>
  get(): Promise<number | undefined>
}

export interface ShardedContext {
  readonly db: { shardCount(): Noted }
  readonly settings: { readonly shards: number }
  readonly log: Log
}

/** When the system starts. A Redis that is away is not asked: the next start compares. */
export async function checkShardCount(
  system: string,
  { db, settings: { shards }, log }: ShardedContext,
): Promise<void> {
  if (shards === 0) return
  try {
    const noted = db.shardCount()
    await noted.setIfAbsent(shards)
    const before = await noted.get()
    if (before !== shards)
      throw new UsageError(
        `${system}.shards is ${shards}, and these data were made with ${before}: it cannot be changed`,
      )
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn(`redis cannot be reached at the start: ${system}.shards is not compared with what it was before`)
  }
}
