/* The number of shards is fixed for the life of the data: with another one, what is there
 * would not be found, and would be found again, outdated, when the number is set back. So the
 * first start notes it, and a start with another one is refused. */

import { isUnavailable } from "keywright"
import type { Log } from "./log.ts"
import { UsageError } from "./usage-error.ts"

/** How the key in which it is noted is declared. */
export const shardCountNote = {
  ttl: "never",
  doc: "With shards: the number of shards. With another number, keys would be looked for in the wrong places.",
} as const

interface Noted {
  setIfAbsent(shards: number): Promise<boolean>
  get(): Promise<number | undefined>
}

export interface ShardedContext {
  readonly settings: { readonly shards: number }
  readonly log: Log
}

interface ShardCounts {
  /** Where the number is noted, whatever this start was given. */
  readonly noted: () => Noted | Promise<Noted>
  /** Whether there are data under the plain names, where a server can have them. */
  readonly isMadeWithout?: () => Promise<boolean>
}

/** When the system starts. A Redis that is away is not asked: the next start compares. */
export async function checkShardCount(
  system: string,
  { settings: { shards }, log }: ShardedContext,
  { noted: find, isMadeWithout = async () => false }: ShardCounts,
): Promise<void> {
  try {
    const noted = await find()
    const before = (await noted.get()) ?? (shards > 0 && !(await isMadeWithout()) ? await note(noted, shards) : 0)
    if (before !== shards) throw otherNumber(system, shards, before)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn(`Redis cannot be reached at start-up: ${system}.shards is not compared with its earlier value`)
  }
}

/** What is noted then: another process may have been first. */
async function note(noted: Noted, shards: number): Promise<number> {
  await noted.setIfAbsent(shards)
  return (await noted.get()) ?? 0
}

const otherNumber = (system: string, shards: number, before: number) =>
  new UsageError(
    `${system}.shards is ${shards}, but this data was written with ${before}: the number cannot be changed. keywright copy can copy the data from 0 shards to another server with shards.`,
  )
