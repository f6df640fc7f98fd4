import { sizeOfReply } from "../inspect/walk/wire.ts"
import type { Driver } from "./driver.ts"
import { wrapDriver } from "./wrap-driver.ts"

/** A driver that counts the characters of what is read of several keys at once. */
export function countingDriver(driver: Driver, count: (characters: number) => void): Driver {
  const again = (other: Driver): Driver => countingDriver(other, count)
  return wrapDriver(driver, again, {
    send: (command, options) => driver.send(command, options),
    multi: (commands, options) => driver.multi(commands, options),
    batch: async (commands, options) => {
      const replies = await driver.batch(commands, options)
      if (commands.length > 2) count(sizeOfReply(replies))
      return replies
    },
  })
}
