/* Several series, each with its own times, as one table: every two seconds, each series'
 * latest value until then. */

const STEP = 2000

export interface Aligned {
  /** Unix seconds. */
  readonly times: readonly number[]
  readonly rows: readonly (readonly (number | null)[])[]
}

export function alignPoints(series: readonly (readonly (readonly [ms: number, value: number])[])[]): Aligned {
  const ticks = [...new Set(series.flatMap((points) => points.map(([ms]) => Math.ceil(ms / STEP))))].sort(
    (a, b) => a - b,
  )
  const rows = series.map((points) => {
    let at = 0
    let latest: number | null = null
    return ticks.map((tick) => {
      for (; at < points.length && points[at]![0] <= tick * STEP; at++) latest = points[at]![1]
      return latest
    })
  })
  return { times: ticks.map((tick) => (tick * STEP) / 1000), rows }
}
