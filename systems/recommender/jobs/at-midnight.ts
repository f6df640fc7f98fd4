/* The nightly run, by itself, when a new day has begun where the recommender is. The loop
 * looks at the clock every second. A night in which no process ran is made up for by the
 * next one: the ring moves on by as many days as have passed (REC-9). */

import { job } from "keywright"
import { Problem } from "../../platform/http/problem.ts"
import { errorFields } from "../../platform/log.ts"
import type { RecommenderContext } from "../context.ts"
import type { Nightly } from "../services/nightly.ts"

export function atMidnight({ log }: RecommenderContext, nightly: Nightly) {
  let doneFor = nightly.today()
  return job({
    name: "recommender.at-midnight",
    every: "1s",
    onError: (error) => log.warn("the nightly run failed", errorFields(error)),
    async run({ signal }) {
      const today = nightly.today()
      if (today === doneFor) return { runs: 0 }
      try {
        await nightly.run(today, signal)
      } catch (error) {
        // Another process is at it: look again in a second, whether it came to an end.
        if (error instanceof Problem && error.code === "already_running") return { runs: 0 }
        if (!(error instanceof Problem && error.code === "date_passed")) throw error
      }
      doneFor = today
      return { runs: 1 }
    },
  })
}
