/* Subscriptions in a cluster: classic channels reach every node, so any of them will do; sharded ones are heard
 * from the owners of their slots, and notifications of the keyspace from every primary. */

import type { SubscribeTo, Subscription } from "../driver.ts"
import type { Cluster } from "./cluster.ts"
import { subscribeOver } from "../resp/subscriber.ts"
import { isOfNode, subscribeToPrimaries } from "./primaries-subscriber.ts"
import { subscribeSharded } from "./sharded-subscriber.ts"

export async function subscribeInCluster(cluster: Cluster, to: SubscribeTo): Promise<Subscription> {
  const { sharded = [], channels = [], patterns = [], ...told } = to
  const isClassic = (channel: string) => !isOfNode(channel)
  const classic = { ...told, channels: channels.filter(isClassic), patterns: patterns.filter(isClassic) }
  const ofNodes = { ...told, channels: channels.filter(isOfNode), patterns: patterns.filter(isOfNode) }
  const hasAny = (one: { readonly channels: readonly string[]; readonly patterns: readonly string[] }) =>
    one.channels.length + one.patterns.length > 0
  const parts = await Promise.allSettled([
    ...(hasAny(classic) ? [subscribeOver(cluster.anywhere(), classic)] : []),
    ...(hasAny(ofNodes) ? [subscribeToPrimaries(cluster.sharded(), ofNodes)] : []),
    ...(sharded.length > 0 ? [subscribeSharded(cluster.sharded(), to)] : []),
  ])
  const close = async () => {
    for (const one of parts) if (one.status === "fulfilled") await one.value.close()
  }
  const failed = parts.find((one) => one.status === "rejected")
  if (failed === undefined) return { close }
  await close()
  throw failed.reason
}
