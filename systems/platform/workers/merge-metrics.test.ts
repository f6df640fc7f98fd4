import { expect, it } from "vitest"
import { mergeMetrics } from "./merge-metrics.ts"

const counted = (n: number, more = "") => `# HELP a_total A.\n# TYPE a_total counter\na_total{x="1 2"} ${n}\n${more}`
const gauge = (n: number) => `# HELP g G.\n# TYPE g gauge\ng ${n}\n`
const histogram = (n: number) =>
  `# HELP h H.\n# TYPE h histogram\nh_bucket{le="+Inf"} ${n}\nh_sum ${n / 2}\nh_count ${n}\n`

it.each<[what: string, texts: string[], merged: string]>([
  ["one stays as it is", [counted(1) + gauge(2)], counted(1) + gauge(2)],
  ["what is counted is added up", [counted(1), counted(4)], counted(5)],
  ["what only one has counted is there", [counted(1), counted(4, "a_total 7\n")], counted(5, "a_total 7\n")],
  ["a gauge is what all share", [gauge(7), gauge(5)], gauge(7)],
  ["histograms are added up", [histogram(2), histogram(3)], histogram(5)],
  ["blocks stay together", [counted(1) + gauge(1), gauge(2) + counted(1)], counted(2) + gauge(2)],
  ["nothing", ["", ""], ""],
])("%s", (_, texts, merged) => {
  expect(mergeMetrics(texts)).toBe(merged)
})
