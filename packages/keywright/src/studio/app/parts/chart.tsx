/* Lines over time, drawn by uPlot on a canvas. Its legend is ours: names, colours and
 * the values under the pointer, or the latest. */

import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { theme } from "../state/theme.ts"
import { px } from "./px.ts"
import { useWidth } from "../state/use-width.ts"

export interface ChartLine {
  readonly name: string
  /** A custom property: `"--s1"`. */
  readonly color: string
  readonly values: readonly (number | null)[]
  readonly href?: string
}

interface Props {
  readonly label: string
  /** Unix seconds. */
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly height: number
  readonly format: (value: number) => string
  /** One on top of the other, from zero. */
  readonly stacked?: boolean
  /** Moves: only the last seconds are shown. */
  readonly seconds?: number
  /** It is counted in whole units. */
  readonly whole?: boolean
}

export function Chart({ label, times, lines, height, format, stacked = false, whole = false, seconds }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const plot = useRef<uPlot>(undefined)
  const [at, setAt] = useState<number | undefined>(undefined)
  const drawn = stacked ? stackOf(lines) : lines
  const data = [times, ...drawn.map(({ values }) => values)] as unknown as uPlot.AlignedData
  const shape = [theme.value, ...lines.map(({ name, color }) => `${name} ${color}`)].join("\n")
  useEffect(() => {
    const element = ref.current
    if (element === null || width === 0) return
    const options = optionsOf({ lines: drawn, width, height, format, stacked, whole, seconds })
    const made = new uPlot(
      { ...options, hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? undefined)] } },
      data,
      element,
    )
    plot.current = made
    return () => made.destroy()
  }, [shape, width, height])
  useEffect(() => plot.current?.setData(data), [times.at(-1), times.length, lines])
  return (
    <figure class="chart">
      <div ref={ref} style={{ height: px(height) }} role="img" aria-label={label} />
      <ul class="legend">
        {lines.map(({ name, color, values, href }) => {
          const value = values[at ?? values.length - 1]
          return (
            <li key={name}>
              <i style={{ background: `var(${color})` }} />
              {href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>}
              <b>{typeof value === "number" ? format(value) : "–"}</b>
            </li>
          )
        })}
      </ul>
    </figure>
  )
}

type ChartStyle = Pick<Props, "lines" | "height" | "format"> & {
  readonly width: number
  readonly stacked: boolean
  readonly whole: boolean
  readonly seconds: number | undefined
}

function optionsOf({ lines, width, height, format, stacked, whole, seconds }: ChartStyle): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: color("--muted"),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: color("--rule"), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 6, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, low, high) => timesOf(low, high, seconds) },
      y: { range: (_, low, high) => rangeOf(low, high, stacked) },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, space: 90, values: (_, splits) => splits.map(timeText) },
      { ...axis, size: 58, values: (_, splits) => splits.map(format), ...(whole && { incrs: STEPS }) },
    ],
    ...(stacked && {
      bands: lines
        .slice(1)
        .map((_, i): uPlot.Band => ({ series: [i + 1, i + 2], fill: `${color(lines[i]!.color)}38` })),
    }),
    series: [
      {},
      ...lines.map(({ name, color: of }, i) => ({
        label: name,
        stroke: color(of),
        width: 1.75,
        points: { show: false },
        spanGaps: true,
        ...(stacked && i === lines.length - 1 && { fill: `${color(of)}38` }),
      })),
    ],
  }
}

/** Each line on top of those before it; the highest is drawn first. */
function stackOf(lines: readonly ChartLine[]): ChartLine[] {
  const sums: number[] = []
  return lines
    .map((line) => ({ ...line, values: line.values.map((value, i) => (sums[i] = (sums[i] ?? 0) + (value ?? 0))) }))
    .toReversed()
}

/** 1, 2, 5, 10, … */
const STEPS = Array.from({ length: 30 }, (_, i) => [1, 2, 5][i % 3]! * 10 ** Math.floor(i / 3))

function rangeOf(low: number, high: number, stacked: boolean): [number, number] {
  const [from, to] = [stacked ? Math.min(0, low ?? 0) : (low ?? 0), high ?? 1]
  const room = Math.max(1, (to - from) * 0.08)
  return [stacked && from >= 0 ? 0 : from - room, to + room]
}

/** All of it, or the last seconds; a first point has some room before it. */
function timesOf(low: number, high: number, seconds = Infinity): [number, number] {
  const from = Math.max(low, high - seconds)
  return [Math.min(from, high - LEAST_SECONDS), high]
}

const LEAST_SECONDS = 20

const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" })
