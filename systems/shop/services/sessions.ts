/* Sessions: who a token belongs to, when it was last seen, and what it looked at. */

import { randomUUID } from "node:crypto"
import { unauthorized } from "../../platform/http/problem.ts"
import { nextTogether } from "../../platform/next-together.ts"
import type { ShopContext } from "../context.ts"
import { itemsOfShard } from "./popularity.ts"

export const noSession = () => unauthorized("there is no such session")

export function sessions({ db, clock, settings, lenient }: ShopContext) {
  const end = async (token: string): Promise<void> => {
    await db.$steps.end({ token, session: token })
  }

  /** Users whose sessions end with the next walk over all of them. */
  let ending = new Set<string>()
  const endTheirs = nextTogether(async () => {
    const users = ending
    ending = new Set()
    for (const { login } of db.session.shards())
      for await (const [token, user] of login().entries(lenient)) if (users.has(user)) await end(token)
  })

  return {
    /** Begins a session (SHOP-2). */
    async begin(user: string): Promise<string> {
      const token = randomUUID()
      await db.$steps.begin({ token, session: token, user, now: clock.seconds() })
      return token
    },

    /** Whose session it is (SHOP-1). */
    async userOf(token: string): Promise<string> {
      const user = await db.session({ token }).login().get(token)
      if (user === undefined) throw noSession()
      return user
    },

    /** Notes that the session looked at an item: one step, one round trip (SHOP-3, SHOP-5). */
    async view(token: string, item: string): Promise<void> {
      const { viewedPerSession: keep } = settings
      const { most, stay } = itemsOfShard(settings)
      const now = clock.seconds()
      const isLive = await db.$steps.view({ token, session: token, item, now, keep, most, stay })
      if (!isLive) throw noSession()
    },

    /** What it looked at, the newest first (SHOP-6). */
    async recentlyViewed(token: string, limit: number): Promise<{ item: string; at: number }[]> {
      const [user, viewed] = await db.$multi((db) => [
        db.session({ token }).login().get(token),
        db
          .session({ token })
          .viewed()
          .rangeWithScores(0, limit - 1, { reverse: true, ...lenient }),
      ])
      if (user === undefined) throw noSession()
      return viewed.map(([item, at]) => ({ item, at }))
    },

    /** Ends it, with everything that it left (SHOP-9). */
    end,

    /** Ends all sessions of a user. The keys have no index by user: one walk serves all who wait for it. */
    endAll(user: string): Promise<void> {
      ending.add(user)
      return endTheirs()
    },

    count: () => db.session.merged.recent().size(),
  }
}

export type Sessions = ReturnType<typeof sessions>
