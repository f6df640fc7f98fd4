/* Changes of presence, from the shards of their users to the events of their service. What
 * is read by everybody is kept in one place; a status and the note of its change are written
 * in one step, in the shard of the user, and the note is brought here afterwards. The next
 * sweep brings what a crash left behind. Each is published once, in the order of its shard. */

import { isUnavailable } from "keywright"
import { errorFields } from "../../../platform/log.ts"
import type { MessagingContext } from "../../context.ts"
import { homeOfUser } from "../homes.ts"
import { at, type Scope } from "../scope.ts"

const PAGE = 100

export function relayOf({ db, homes, settings, redis, log }: MessagingContext) {
  const kept = { kept: settings.eventsKept, keptMs: settings.eventsTtl * 1000 }

  const bring = async (scope: Scope, home: string): Promise<void> => {
    const untold = db.people({ home }).untold(at(scope))
    for (;;) {
      const found = await untold.range("-", "+", { count: PAGE })
      if (found.length === 0) return
      await db.$steps.relay({
        home: homes.homeOfService(scope),
        from: String(homes.shardOf(home)),
        ...kept,
        events: found.flatMap(({ id, value: { kind, to, data } }) => [id, kind, to, data]),
        ...at(scope),
      })
      await untold.remove(...found.map(({ id }) => id))
    }
  }

  /** What was written stays written whatever becomes of this: the next sweep brings the rest. */
  const fromShard = async (scope: Scope, home: string): Promise<void> => {
    if (!homes.isSharded) return
    try {
      await bring(scope, home)
    } catch (error) {
      if (isUnavailable(error)) redis.suspect(error)
      log.warn("changes of presence will be published later", errorFields(error))
    }
  }

  return {
    /** What presence steps are given. */
    kept,
    fromShard,
    of: (scope: Scope, user: string): Promise<void> => fromShard(scope, homeOfUser(scope, user)),
  }
}

export type Relay = ReturnType<typeof relayOf>
