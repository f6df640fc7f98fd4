/* The fields of the map of tokens whose tokens have expired are removed (MSG-6). */

import { inBatches } from "../../platform/in-batches.ts"
import type { MessagingContext } from "../context.ts"
import type { tokenKey } from "../ids.ts"
import { homeOfToken } from "./homes.ts"

export type TokenKey = ReturnType<ReturnType<typeof tokenKey>["decode"]>

/** Fields of the map that are looked at together. */
export const PAGE = 200
/**
 * The most pages of a map with this many fields: those of the fields twenty times, since they come and go meanwhile, and
 * those of a table that had millions. A server whose cursor never returns to 0 would keep the sweep busy forever.
 */
const pagesFor = (size: number): number => Math.min(1_000_000, 1000 + (20 * size) / PAGE)

/** Those of one kind. */
export const paramsOf = (keys: readonly TokenKey[], kind: TokenKey["to"]) =>
  keys.flatMap(({ to, params: { project, service, token } }) => (to === kind ? [{ project, service, token }] : []))

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

export function tokenSweeps({ db, homes, log, lenient }: Pick<MessagingContext, "db" | "homes" | "log" | "lenient">) {
  const sweepAll = async (home: string, signal: AbortSignal): Promise<number> => {
    let [cursor, removed] = ["0", 0]
    let left = pagesFor(await homes.people(home).tokenKeys().size())
    do {
      if (left-- <= 0) {
        log.error("endless scan", { pattern: db.people.tokenKeys.pattern })
        return removed
      }
      const [next, count] = await db.$steps.sweepTokens({ home, cursor, count: PAGE })
      cursor = next
      removed += count
    } while (cursor !== "0" && !signal.aborted)
    return removed
  }

  /** The keys in the map of a shard. What another program put into the map of the wrong shard is left to audit. */
  async function* keysIn(home: string): AsyncGenerator<TokenKey> {
    for await (const [, key] of db.people({ home }).tokenKeys().entries(lenient))
      if (homes.shardOf(homeOfToken(key.params.token)) === homes.shardOf(home)) yield key
  }

  /** The same where a step is given all keys. */
  const sweepShard = async (home: string, signal: AbortSignal): Promise<number> => {
    let removed = 0
    for await (const keys of inBatches(keysIn(home), PAGE)) {
      if (signal.aborted) return removed
      const [refreshToken, accessToken] = [paramsOf(keys, "refresh"), paramsOf(keys, "access")]
      const texts = (of: readonly { readonly token: string }[]) => of.map(({ token }) => token)
      const given = { home, refreshToken, accessToken, refresh: texts(refreshToken), access: texts(accessToken) }
      removed += await db.$steps.dropTokens(given)
    }
    return removed
  }

  return {
    keysIn,

    /** How many were removed. */
    sweep: async (signal: AbortSignal): Promise<number> =>
      sumOf(
        await homes.inEach(async (home) => {
          if (signal.aborted) return 0
          return homes.isSharded ? sweepShard(home, signal) : sweepAll(home, signal)
        }),
      ),
  }
}
