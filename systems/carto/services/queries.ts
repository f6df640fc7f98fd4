/* Queries by user, day, month and kind, and the time they took (CDB-11, CDB-13). One
 * request is one step, whatever it holds. */

import { Conflict, type Month } from "keywright"
import { fewWhileUp } from "../../platform/few-at-once.ts"
import { corruptKey } from "../../platform/http/problem.ts"
import type { CartoContext } from "../context.ts"
import { VERBS, type Verb } from "../ids.ts"
import { daysOf, monthOf, type Calendar } from "./calendar.ts"
import { kindsOf } from "./statements.ts"

/** Requests for the usage of one user, each of which reads some seventy counters. */
const FEW = 2

export function queries({ db, log, redis }: CartoContext, calendar: Calendar) {
  const inTurn = fewWhileUp(redis, FEW)
  /** The content of a counter is not reported; its location is, for the person who repairs it. */
  const corrupt = (key: string) => {
    log.error("corrupt counter", { key })
    return corruptKey("undecodable_value", key)
  }

  return {
    /** Counts the statements of a text; one that says nothing is not counted. */
    async record(userId: number, sql: string, seconds?: number): Promise<void> {
      const kinds = kindsOf(sql)
      const verbs = Object.keys(kinds) as Verb[]
      if (verbs.length === 0) return
      const counts = verbs.map((verb) => kinds[verb]!)
      const day = calendar.today()
      try {
        await db.$steps.record({
          userId,
          day,
          month: monthOf(day),
          verbPerMonth: verbs.map((verb) => ({ verb })),
          queries: counts.reduce((sum, count) => sum + count, 0),
          seconds: seconds === undefined ? "" : String(seconds),
          counts,
        })
      } catch (error) {
        if (!(error instanceof Conflict) || error.code !== "COUNTER.CORRUPT") throw error
        throw corrupt(error.message.split(" ", 1)[0]!)
      }
    },

    /** All that is counted of a month, and in total, at one time. Not MGET, which reports a key of another type as missing. */
    usage: (userId: number, month: Month = monthOf(calendar.today())) =>
      inTurn(String(userId), async () => {
        const days = daysOf(month)
        const counters = ({ threshold }: Pick<typeof db, "threshold">) => [
          threshold.total({ userId }),
          threshold.perMonth({ userId, month }),
          threshold.timePerMonth({ userId, month }),
          ...VERBS.map((verb) => threshold.verbPerMonth({ userId, month, verb })),
          ...days.map((day) => threshold.perDay({ userId, day })),
          ...days.map((day) => threshold.timePerDay({ userId, day })),
        ]
        const found = await db.$multi((multi) => counters(multi).map((counter) => counter.get()))
        const wrong = found.findIndex((count) => count < 0 || !Number.isFinite(count))
        if (wrong >= 0) throw corrupt(counters(db)[wrong]!.key)
        const [all = 0, queries = 0, time = 0, ...rest] = found
        const [ofDay, ofTime] = [VERBS.length, VERBS.length + days.length]
        const byVerb = Object.fromEntries(VERBS.map((verb, i) => [verb, rest[i]!])) as Record<Verb, number>
        return {
          total: all,
          month: { queries, time, ...byVerb },
          days: Object.fromEntries(days.map((day, i) => [day, { queries: rest[ofDay + i]!, time: rest[ofTime + i]! }])),
        }
      }),
  }
}
