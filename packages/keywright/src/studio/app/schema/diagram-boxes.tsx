import { shorter } from "../../../render/titles.ts"
import type { PlacedDiagram } from "../../api.ts"
import { href } from "../state/route.ts"

type Box = PlacedDiagram["boxes"][number]

interface Props {
  readonly system: string
  readonly boxes: readonly Box[]
  /** The box under the pointer, or with the focus: its lines are lit. */
  readonly onLight: (name: string | undefined) => void
}

const HEAD = 32
const ROW = 20
const PAD = 14

export const DiagramBoxes = ({ system, boxes, onLight }: Props) => (
  <>
    {boxes.map((box) => {
      const drawn = <OneBox key={box.name} box={box} />
      return box.pattern === undefined ? (
        drawn
      ) : (
        <a
          key={box.name}
          href={href("schema", [system, box.pattern])}
          draggable={false}
          onMouseEnter={() => onLight(box.name)}
          onMouseLeave={() => onLight(undefined)}
          onFocus={() => onLight(box.name)}
          onBlur={() => onLight(undefined)}
        >
          {drawn}
        </a>
      )
    })}
  </>
)

const OneBox = ({ box: { name, rows, x, y, width, height } }: { readonly box: Box }) => (
  <g transform={`translate(${x} ${y})`}>
    <rect class="box" width={width} height={height} rx={9} />
    {rows.length === 0 ? (
      <rect class="head" width={width} height={height} rx={9} />
    ) : (
      <path class="head" d={`M0 9a9 9 0 0 1 9-9h${width - 18}a9 9 0 0 1 9 9v${HEAD - 9}h-${width}z`} />
    )}
    <rect class="edge" width={width} height={height} rx={9} />
    <text class="name" x={PAD} y={21}>
      {name}
    </text>
    {rows.map((row, i) => (
      <g key={row.name}>
        <text class="row" x={PAD} y={HEAD + 19 + i * ROW}>
          {shorter(row.name, 44)}
        </text>
        <text
          class={row.secret ? "row-type lock" : "row-type"}
          x={width - PAD}
          y={HEAD + 19 + i * ROW}
          text-anchor="end"
        >
          {row.secret ? "secret" : shorter(row.type.replaceAll('"', ""), 18)}
        </text>
      </g>
    ))}
  </g>
)
