import { curve } from "../../../render/page/curve.ts"
import type { PlacedDiagram } from "../../api.ts"

type DiagramLine = PlacedDiagram["lines"][number]
type Point = DiagramLine["points"][number]

interface Props {
  readonly lines: readonly DiagramLine[]
  /** The box whose lines stand out. */
  readonly lit: string | undefined
}

export const DiagramLines = ({ lines, lit }: Props) => (
  <>
    {lines.map((line, i) => (
      <OneLine key={i} line={line} isLit={lit !== undefined && (line.from === lit || line.to === lit)} />
    ))}
  </>
)

function OneLine({ line, isLit }: { readonly line: DiagramLine; readonly isLit: boolean }) {
  const { points, ends, label, labelAt } = line
  const width = label.length * 6.4 + 14
  return (
    <g class={isLit ? "line lit" : "line"}>
      <path class="rel" d={curve(points)} />
      <LineEnd end={ends[0]} at={points[0]!} next={points[1]!} />
      <LineEnd end={ends[1]} at={points.at(-1)!} next={points.at(-2)!} />
      <g transform={`translate(${labelAt.x} ${labelAt.y})`}>
        <rect class="tag" x={-width / 2} y={-10} width={width} height={20} rx={10} />
        <text class="label" text-anchor="middle" y={4}>
          {label}
        </text>
      </g>
    </g>
  )
}

interface EndProps {
  readonly end: DiagramLine["ends"][number]
  readonly at: Point
  readonly next: Point
}

/** A bar for one, a foot for many, a ring for perhaps none. */
function LineEnd({ end, at, next }: EndProps) {
  const angle = (Math.atan2(next.y - at.y, next.x - at.x) * 180) / Math.PI
  return (
    <g transform={`translate(${at.x} ${at.y}) rotate(${angle})`}>
      <path class="rel" d={end === "many" ? "M0 -6L11 0L0 6" : "M8 -6V6"} />
      {end === "one" ? null : <circle class="end" cx={end === "many" ? 15 : 16} cy={0} r={4} />}
    </g>
  )
}
