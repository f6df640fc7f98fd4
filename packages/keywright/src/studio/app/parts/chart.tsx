/* Lines over time, drawn by uPlot on a canvas. Its legend is ours: names, colours and
 * the values under the pointer, or the latest. */

import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { theme } from "../state/theme.ts"
import { useWidth } from "../state/use-width.ts"

export interface Line {
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
  readonly lines: readonly Line[]
  readonly height: number
  readonly format: (value: number) => string
  readonly fromZero?: boolean
  readonly filled?: boolean
}

export function Chart({ label, times, lines, height, format, fromZero = false, filled = false }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const plot = useRef<uPlot>(undefined)
  const [at, setAt] = useState<number | undefined>(undefined)
  const data = [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData
  const shape = [theme.value, ...lines.map(({ name, color }) => `${name} ${color}`)].join("\n")
  useEffect(() => {
    const element = ref.current
    if (element === null || width === 0) return
    const options = optionsOf({ lines, width, height, format, fromZero, filled })
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
      <div ref={ref} style={{ height }} role="img" aria-label={label} />
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

type Look = Pick<Props, "lines" | "height" | "format"> & {
  readonly width: number
  readonly fromZero: boolean
  readonly filled: boolean
}

function optionsOf({ lines, width, height, format, fromZero, filled }: Look): uPlot.Options {
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
    scales: { y: { range: (_, low, high) => rangeOf(low, high, fromZero) } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, values: (_, splits) => splits.map(timeText) },
      { ...axis, size: 58, values: (_, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ name, color: of }) => ({
        label: name,
        stroke: color(of),
        width: 1.75,
        points: { show: false },
        spanGaps: true,
        ...(filled && { fill: `${color(of)}22` }),
      })),
    ],
  }
}

function rangeOf(low: number, high: number, fromZero: boolean): [number, number] {
  const [from, to] = [fromZero ? Math.min(0, low ?? 0) : (low ?? 0), high ?? 1]
  const room = Math.max(1, (to - from) * 0.08)
  return [fromZero && from >= 0 ? 0 : from - room, to + room]
}

const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" })
