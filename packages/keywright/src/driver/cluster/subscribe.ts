/* Subscriptions in a cluster: classic channels reach every node, so any of them will do; sharded
 * ones are heard from the owners of their slots. */

import type { SubscribeTo, Subscription } from "../driver.ts"
import type { Cluster } from "./cluster.ts"
import { subscribeOver } from "../resp/subscriber.ts"
import { subscribeSharded } from "./sharded-subscriber.ts"

export async function subscribeInCluster(cluster: Cluster, to: SubscribeTo): Promise<Subscription> {
  const { sharded = [], ...classic } = to
  if (sharded.length === 0) return subscribeOver(cluster.anywhere(), classic)
  const both = await Promise.allSettled([
    subscribeOver(cluster.anywhere(), classic),
    subscribeSharded(cluster.sharded(), to),
  ])
  const close = async () => {
    for (const one of both) if (one.status === "fulfilled") await one.value.close()
  }
  const failed = both.find((one) => one.status === "rejected")
  if (failed === undefined) return { close }
  await close()
  throw failed.reason
}
