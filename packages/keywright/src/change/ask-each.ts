import type { CallOptions, Command, Driver, Reply } from "../driver/driver.ts"
import { SAFE } from "../driver/safe.ts"

/** One command for each item, all in one batch: the replies in the order of the items. */
export const askEach = <T>(
  driver: Driver,
  items: readonly T[],
  commandFor: (item: T) => Command,
  options: CallOptions = SAFE,
): Promise<Reply[]> =>
  driver.batch(
    items.map((item) => commandFor(item)),
    options,
  )
