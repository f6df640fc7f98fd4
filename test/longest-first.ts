/* The files that take longest begin first: one that begins last keeps the others waiting for
 * it alone. On a new machine vitest knows only their sizes. */

import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONGEST = [
  "page-tests/pages.heavy",
  "carto/kill.heavy",
  "change/kill.heavy",
  "test/readme-cluster.heavy",
  "studio/hostile-data.heavy",
  "studio/page-access.heavy",
  "driver/faults-server.heavy",
  "studio/views.heavy",
  "sentinel/failover.heavy",
  "driver/faults-connection.heavy",
  "entity/crash.heavy",
  "demo/start.heavy",
  "recommender/kill.heavy",
  "messaging/live.heavy",
  "change/change-cluster.heavy",
  "driver/conformance.test",
  "cli/server.test",
  "shop/shop.test",
  "systems/document-violations",
  "systems/infer.test",
  "platform/serve.test",
  "cluster/hostile-node",
  "workers/workers.test",
  "carto/carto.test",
  "studio/server/studio.test",
  "messaging/messaging.test",
  "restaurant/many.test",
  "cli/copy.test",
  "cli/rdb-memory",
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((part) => moduleId.includes(part))
  return at < 0 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
