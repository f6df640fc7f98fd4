/* A counter that cannot give an id: the script's own error says so, or WRONGTYPE, which
 * does not name the key. In both cases nothing was written. */

import type { CallOptions, Driver } from "../../driver/driver.ts"
import { Refused, WrongType } from "../../errors/outcome.ts"
import { counterUnusable } from "../../errors/record.ts"
import { explainedAs } from "../call/explained.ts"
import type { IdGroup } from "./plan.ts"

type NamedCounter = Pick<IdGroup, "counter" | "shown">

/** The script's own message names the key, so it is passed on only where the key may be printed. */
const unusable = ({ counter, shown }: NamedCounter, error: Refused) =>
  counterUnusable(shown, counter === shown ? error : undefined)

/** The error with the counter that it is about; unchanged when it is about something else. */
export async function counterFault(
  error: unknown,
  driver: Driver,
  counters: readonly NamedCounter[],
  options: CallOptions,
): Promise<unknown> {
  if (!(error instanceof Refused) || counters.length === 0) return error
  if (error.code === "ENTITY.COUNTER")
    return unusable(counters.find(({ counter }) => error.message.includes(` ${counter} `)) ?? counters[0]!, error)
  if (!(error instanceof WrongType) || error.key !== undefined) return error
  try {
    const types = await driver.batch(
      counters.map(({ counter }) => ["TYPE", counter]),
      { ...options, safe: true },
    )
    const wrong = counters.find((_, i) => types[i] !== "string" && types[i] !== "none")
    return wrong === undefined ? error : explainedAs(error, wrong.shown, wrong.shown)
  } catch {
    return error // Redis has become unreachable meanwhile: the first error is the one to report.
  }
}
