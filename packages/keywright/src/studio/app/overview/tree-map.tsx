/* A tree map: each box is a link, as large as its memory. Two levels: a titled frame
 * for each system, its patterns within; with one system only its patterns. */

import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from "d3-hierarchy"
import { bytesText, counted } from "../../../render/quantity.ts"
import { href } from "../state/route.ts"
import { ShownCode } from "../parts/shown-text.tsx"
import { px } from "../parts/px.ts"
import { useWidth } from "../state/use-width.ts"
import type { MemoryNode } from "./tree-map-nodes.ts"

const HEAD = 22

export function TreeMap({ nodes, height }: { readonly nodes: readonly MemoryNode[]; readonly height: number }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const isNested = nodes.some(({ children }) => children !== undefined)
  const root = hierarchy<MemoryNode>({ name: "", bytes: 0, keys: 0, children: nodes }, ({ children }) =>
    children?.slice(),
  )
    .sum(({ bytes, children }) => (children === undefined ? bytes : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const placed = treemap<MemoryNode>()
    .tile(treemapSquarify)
    .size([Math.max(1, width), height])
    .paddingInner((node) => (isNested && node.depth === 0 ? 6 : 2))
    .paddingTop((node) => (isNested && node.depth === 1 ? HEAD : 0))
    .round(true)(root)
  const frames = isNested ? (placed.children ?? []) : []
  const most = Math.max(1, ...placed.leaves().map(({ value }) => value ?? 0))
  return (
    <div class="tree-map" ref={ref} style={{ height: px(height) }}>
      {width === 0
        ? null
        : [
            ...frames.map((node) => <Frame key={node.data.name} node={node} />),
            ...placed.leaves().map((node, i) => <Box key={i} node={node} part={(node.value ?? 0) / most} />),
          ]}
    </div>
  )
}

type Placed = HierarchyRectangularNode<MemoryNode>

const place = ({ x0, y0, x1, y1 }: Placed) => ({ left: px(x0), top: px(y0), width: px(x1 - x0), height: px(y1 - y0) })

function Frame({ node }: { readonly node: Placed }) {
  return (
    <a class="frame" style={{ ...place(node), height: px(HEAD) }} href={href("overview", [node.data.name])}>
      <b>{node.data.name}</b> <span class="quiet">{bytesText(node.value ?? 0)}</span>
    </a>
  )
}

function Box({ node, part }: { readonly node: Placed; readonly part: number }) {
  const { name, bytes, keys, leaf } = node.data
  const [width, height] = [node.x1 - node.x0, node.y1 - node.y0]
  const text = `${name}: ${bytesText(bytes)} in ${counted(keys, "key")}`
  const style = { ...place(node), "--part": `${Math.round(12 + 33 * Math.sqrt(part))}%` }
  const to =
    leaf === undefined || leaf.pattern === undefined
      ? href("browse", leaf === undefined ? [] : [leaf.system])
      : href("browse", [leaf.system, leaf.pattern])
  const hasName = width > 54 && height > 20
  return (
    // A visible name is the box's only label: speech commands go by what is visible.
    <a class={`box ${leaf?.known ?? ""}`} style={style} href={to} title={text} aria-label={hasName ? undefined : text}>
      {hasName ? <ShownCode class="key cut" text={endOf(name, width)} /> : null}
      {width > 54 && height > 38 ? <span class="quiet">{bytesText(bytes)}</span> : null}
    </a>
  )
}

/** As much of a pattern as fits: its end, since those of a group begin alike. */
function endOf(name: string, width: number): string {
  const most = Math.floor((width - 14) / CHAR)
  return name.length <= most ? name : `…${name.slice(1 - most)}`
}

const CHAR = 6.5
