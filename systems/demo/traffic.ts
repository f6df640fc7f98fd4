/* Something happens now and then, for as long as the demonstration runs. */

import { errorFields, type Log } from "../platform/log.ts"
import type { People } from "./people.ts"
import type { Random } from "./random.ts"

const EVERY_MS = 80

export interface Traffic {
  /** Waits for what is under way. */
  stop(): Promise<void>
}

export function startTraffic(people: readonly People[], random: Random, log: Log): Traffic {
  const under = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    if (under.size >= people.length * 2) return
    const act = random
      .pick(people)
      .act()
      .catch((error: unknown) => log.error("traffic", errorFields(error)))
      .finally(() => under.delete(act))
    under.add(act)
  }, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
    },
  }
}
