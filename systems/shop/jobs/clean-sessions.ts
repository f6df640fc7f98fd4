import { job } from "keywright"
import type { ShopContext } from "../context.ts"

/**
 * How many sessions beyond a batch a pass offers for removal, attempt by attempt. Those chosen first may all be touched
 * before they are removed, and are fresh then; the next ones go in their place. Nobody touches four thousand sessions
 * between two commands, so the attempts are bounded and a pass above the limit still removes one.
 */
const SPARE = [0, 16, 256, 4096]

type Seen = [token: string, seen: number]

/**
 * Removes the oldest sessions above the limit, a batch at a time (SHOP-19). Invalid tokens are skipped, and so are those
 * that another program left in the shard of others (ALL-11).
 */
export const cleanSessions = ({ db, settings, log, lenient }: ShopContext) => {
  const { sessionLimit: limit, cleanBatch } = settings

  const recent = () => db.session.merged.recent()

  /**
   * A batch of the oldest sessions and some to spare, and when each was seen. Those that are skipped fill no batch,
   * however many there are: each time twice as many are passed over.
   */
  const oldest = async (excess: number, spare: number): Promise<Seen[]> => {
    for (let [offset, count] = [0, cleanBatch]; offset < excess; [offset, count] = [offset + count, 2 * count]) {
      const found = await recent().top(Math.min(excess - offset, count) + spare, { offset, ...lenient })
      const sessions = settings.shards === 0 ? found : await atHome(found)
      if (sessions.length > 0) return sessions.slice(0, cleanBatch + spare)
    }
    return []
  }

  /** Those that are in their own shard, and were not touched since. */
  const atHome = async (found: readonly Seen[]): Promise<Seen[]> => {
    const scores = await Promise.all(found.map(([token]) => db.session({ token }).recent().score(token)))
    return [...new Map(found.filter(([, seen], i) => scores[i] === seen))]
  }

  /** Removes up to `most` of them; those of one shard are one step. */
  const remove = async (sessions: Seen[], most: number): Promise<number> => {
    let [removed, left] = [0, most]
    for (const part of shardsOf(sessions)) {
      if (left <= 0) break
      const [tokens, seen] = [part.map(([token]) => token), part.map(([, at]) => at)]
      const each = tokens.map((token) => ({ token }))
      const [done, gone] = await db.$steps.clean({
        token: tokens[0]!,
        viewed: each,
        cart: each,
        limit: settings.shards === 0 ? limit : 0,
        most: left,
        tokens,
        seen,
      })
      removed += done
      left -= done + gone
    }
    return removed
  }

  /** In the order in which they come, as far as they are in the same shard. */
  const shardsOf = (sessions: Seen[]): Seen[][] => {
    const parts = new Map<string, Seen[]>()
    for (const session of sessions) {
      const shard = db.session.login({ token: session[0] }).key
      parts.set(shard, [...(parts.get(shard) ?? []), session])
    }
    return [...parts.values()]
  }

  /**
   * In shards nothing is counted and chosen at one moment: another pass may have removed sessions in between, and then
   * those that were chosen are not the oldest ones above the limit. What it removes from here on is found to be gone.
   */
  const stillOver = async (excess: number): Promise<number> =>
    settings.shards === 0 ? excess : Math.max(0, (await recent().size()) - limit)

  return job({
    name: "shop.clean",
    every: "1s",
    again: ({ removed }) => removed > 0,
    onError: (error) => log.warn("clean failed", { code: (error as { code?: string }).code }),
    async run() {
      let spare = 0
      for (let attempt = 0; attempt < SPARE.length; attempt++) {
        const excess = (await recent().size()) - limit
        if (excess <= 0) break
        const sessions = await oldest(excess, SPARE[spare]!)
        // All of them were touched, or are not sessions. The latter count as excess, so that to spare more would
        // remove sessions within the limit.
        if (sessions.length === 0) continue
        const removed = await remove(sessions, Math.min(cleanBatch, excess, await stillOver(excess)))
        if (removed > 0) return { removed }
        spare++
      }
      return { removed: 0 }
    },
  })
}
