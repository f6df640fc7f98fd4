/* The files that take longest begin first: one that begins last keeps the others waiting for
 * it alone. On a new machine vitest knows only their sizes. */

import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONGEST = [
  "page-tests/pages.heavy",
  "studio/views.heavy",
  "driver/faults-server.heavy",
  "change/kill.heavy",
  "driver/faults-connection.heavy",
  "embedded/src/load.heavy",
  "recommender/kill.heavy",
  "studio/hostile-data.heavy",
  "messaging/live.heavy",
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
