/* Subscriptions that a driver closes with itself. */

import type { Subscription } from "./driver.ts"

/** Adds it to those that are open, until it is closed. */
export function trackedSubscription(inner: Subscription, open: Set<Subscription>): Subscription {
  const subscription: Subscription = {
    close: () => {
      open.delete(subscription)
      return inner.close()
    },
  }
  open.add(subscription)
  return subscription
}
