/* A diagram as SVG. The positions of the boxes are passed in (a layout); CSS variables
 * define how they look, with defaults for a standalone file, light and dark. */

import type { Diagram, DiagramBox, DiagramLine, LineEnd } from "./diagram.ts"
import { curve, type Point, round } from "./curve.ts"
import { escapeHtml } from "./escape-html.ts"
import { shorter } from "../titles.ts"

/** Sizes go in, centres and the points of lines come out; `across` is the way the lines run. */
export type Layout = (graph: {
  readonly across: boolean
  readonly nodes: readonly { readonly name: string; readonly width: number; readonly height: number }[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly width: number
    readonly height: number
  }[]
}) => {
  readonly width: number
  readonly height: number
  readonly nodes: readonly Point[]
  readonly edges: readonly { readonly points: readonly Point[]; readonly label: Point }[]
}

const PAGE = [960, 760] as const
const CHAR = 7.3
const ROW = 20
const HEAD = 32
const PAD = 14

/** A diagram with a place for everything: centres of boxes, points of lines. */
export interface PlacedParts {
  readonly placed: ReturnType<Layout>
  readonly sizes: readonly { readonly width: number; readonly height: number }[]
  readonly labels: readonly { readonly width: number; readonly height: number }[]
}

/** Undefined when there is nothing to draw. */
export function placeDiagram({ boxes, lines }: Diagram, layout: Layout): PlacedParts | undefined {
  if (lines.length === 0) return undefined
  const sizes = boxes.map((box) => ({ name: box.name, ...sizeOf(box) }))
  const labels = lines.map(({ from, to, label }) => ({ from, to, width: label.length * 6.4 + 14, height: 20 }))
  // Whichever way needs less shrinking to fit a page.
  const ways = [true, false].map((across) => layout({ across, nodes: sizes, edges: labels }))
  const shrink = ({ width, height }: { width: number; height: number }) => Math.max(width / PAGE[0], height / PAGE[1])
  return { placed: ways.toSorted((a, b) => shrink(a) - shrink(b))[0]!, sizes, labels }
}

/** Undefined when there is nothing to draw. */
export function diagramSvg(diagram: Diagram, layout: Layout): string | undefined {
  const { boxes, lines } = diagram
  const parts = placeDiagram(diagram, layout)
  if (parts === undefined) return undefined
  const { placed, sizes, labels } = parts
  const margin = 12
  const [width, height] = [Math.ceil(placed.width + 2 * margin), Math.ceil(placed.height + 2 * margin)]
  const drawnLines = lines.map((line, i) => lineSvg(line, placed.edges[i]!)).join("")
  const drawnLabels = lines.map((line, i) => labelSvg(line.label, labels[i]!.width, placed.edges[i]!.label)).join("")
  const drawnBoxes = boxes.map((box, i) => boxSvg(box, sizes[i]!, placed.nodes[i]!)).join("")
  const title = diagram.kind === "entities" ? "Entities and their relations" : "Ids and the keys between them"
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="${-margin} ${-margin} ${width} ${height}" ` +
    `width="${width}" height="${height}" role="img" aria-label="${title}"><title>${title}</title>` +
    `<style>${STYLE}</style>${drawnLines}${drawnBoxes}${drawnLabels}</svg>`
  )
}

const STYLE = `
.diagram{--box:var(--card,#fff);--edge:var(--faint,#94a3b8);--text:var(--ink,#0f172a);--quiet:var(--muted,#64748b);--line:var(--rule,#dbe1ea);--head:var(--tint,#eef2ff);--title:var(--accent,#3730a3);font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif}
@media(prefers-color-scheme:dark){.diagram:not(.page *){--box:#111827;--edge:#64748b;--text:#e5e7eb;--quiet:#94a3b8;--line:#334155;--head:#1e1b4b;--title:#c7d2fe}}
.diagram .box{fill:var(--box);stroke:var(--line)}.diagram .head{fill:var(--head)}.diagram .name{fill:var(--title);font-weight:650;font-size:14px}
.diagram .row{fill:var(--text);font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}.diagram .type{fill:var(--quiet);font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.diagram .lock{fill:var(--warn,#b45309)}.diagram .rel{fill:none;stroke:var(--edge);stroke-width:1.5}.diagram .end{fill:var(--box);stroke:var(--edge);stroke-width:1.5}
.diagram .tag{fill:var(--box);stroke:var(--line)}.diagram .label{fill:var(--quiet);font-size:11.5px}`.replaceAll(
  "\n",
  "",
)

const rowType = ({ type, secret }: DiagramBox["rows"][number]): string =>
  secret ? "secret" : shorter(type.replaceAll('"', ""), 18)
const nameText = (name: string): string => shorter(name, 44)

function sizeOf({ name, rows }: DiagramBox): { width: number; height: number } {
  const widest = rows.map((row) => (nameText(row.name).length + rowType(row).length + 3) * CHAR)
  return {
    width: Math.max(120, name.length * 8.5 + 2 * PAD, ...widest.map((one) => one + 2 * PAD)),
    height: HEAD + (rows.length === 0 ? 0 : rows.length * ROW + 10),
  }
}

function boxSvg({ name, rows }: DiagramBox, { width, height }: { width: number; height: number }, at: Point): string {
  const [x, y] = [round(at.x - width / 2), round(at.y - height / 2)]
  const [w, h] = [round(width), round(height)]
  const list = rows.map((row, i) => {
    const baseline = HEAD + 5 + i * ROW + 14
    return (
      `<text class="row" x="${PAD}" y="${baseline}">${escapeHtml(nameText(row.name))}</text>` +
      `<text class="${row.secret ? "type lock" : "type"}" x="${w - PAD}" y="${baseline}" text-anchor="end">${escapeHtml(rowType(row))}</text>`
    )
  })
  const clip =
    rows.length === 0
      ? `<rect class="head" width="${w}" height="${h}" rx="9"/>`
      : `<path class="head" d="M0 9a9 9 0 0 1 9-9h${w - 18}a9 9 0 0 1 9 9v${HEAD - 9}h-${w}z"/>`
  return (
    `<g transform="translate(${x} ${y})"><rect class="box" width="${w}" height="${h}" rx="9"/>${clip}` +
    `<rect class="box" style="fill:none" width="${w}" height="${h}" rx="9"/>` +
    `<text class="name" x="${PAD}" y="21">${escapeHtml(name)}</text>${list.join("")}</g>`
  )
}

function lineSvg({ ends }: DiagramLine, { points }: { points: readonly Point[] }): string {
  const [first, second] = [points[0]!, points[1]!]
  const [last, before] = [points.at(-1)!, points.at(-2)!]
  return `<path class="rel" d="${curve(points)}"/>${endSvg(ends[0], first, second)}${endSvg(ends[1], last, before)}`
}

/** A bar for one, a foot for many, a ring for perhaps none. */
function endSvg(end: LineEnd, at: Point, next: Point): string {
  const angle = round((Math.atan2(next.y - at.y, next.x - at.x) * 180) / Math.PI)
  const foot = '<path class="rel" d="M0 -6L11 0L0 6"/>'
  const bar = '<path class="rel" d="M8 -6V6"/>'
  const ring = (x: number) => `<circle class="end" cx="${x}" cy="0" r="4"/>`
  const drawn = end === "many" ? foot + ring(15) : end === "one" ? bar : bar + ring(16)
  return `<g transform="translate(${round(at.x)} ${round(at.y)}) rotate(${angle})">${drawn}</g>`
}

const labelSvg = (label: string, width: number, { x, y }: Point): string =>
  `<g transform="translate(${round(x)} ${round(y)})"><rect class="tag" x="${round(-width / 2)}" y="-10" width="${round(width)}" height="20" rx="10"/>` +
  `<text class="label" text-anchor="middle" y="4">${escapeHtml(label)}</text></g>`
