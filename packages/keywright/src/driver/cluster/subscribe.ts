/* Subscriptions in a cluster: classic channels reach every node, so any of them will do. */

import type { SubscribeTo, Subscription } from "../driver.ts"
import type { Cluster } from "./cluster.ts"
import { subscribeOver } from "../resp/subscriber.ts"

export function subscribeInCluster(cluster: Cluster, to: SubscribeTo): Promise<Subscription> {
  return subscribeOver(cluster.anywhere(), to)
}
