/* What hears a subscription is code of the application. It is called where a connection reads, so a message that it
 * cannot take would end that connection, again and again: when it fails, that is a warning of the process. */

import { inspect } from "node:util"
import type { SubscribeTo } from "./driver.ts"

export function guarded({ onMessage, onGap, onRefused, ...to }: SubscribeTo): SubscribeTo {
  return {
    ...to,
    onMessage: guard("onMessage", onMessage),
    ...(onGap && { onGap: guard("onGap", onGap) }),
    ...(onRefused && { onRefused: guard("onRefused", onRefused) }),
  }
}

function guard<A extends unknown[]>(name: string, listener: (...told: A) => unknown): (...told: A) => void {
  const warn = (failure: unknown) => process.emitWarning(`${name} of a subscription failed: ${inspect(failure)}`)
  return (...told) => {
    try {
      const done = listener(...told)
      if (done instanceof Promise) done.catch(warn)
    } catch (failure) {
      warn(failure)
    }
  }
}
