/* Where boxes and lines go: dagre, which is bundled with the command line and
 * therefore handed to render instead of being imported there. */

import { Graph, layout } from "@dagrejs/dagre"
import type { Layout } from "../render/page/diagram-svg.ts"

export const dagreLayout: Layout = ({ across, nodes, edges }) => {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: across ? "LR" : "TB", nodesep: 30, ranksep: across ? 26 : 40, edgesep: 20 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { name, width, height } of nodes) graph.setNode(name, { width, height })
  edges.forEach(({ from, to, width, height }, i) =>
    graph.setEdge(from, to, { width, height, labelpos: "c" }, String(i)),
  )
  layout(graph)
  const whole = graph.graph() as { width?: number; height?: number }
  return {
    width: whole.width ?? 0,
    height: whole.height ?? 0,
    nodes: nodes.map(({ name }) => pointOf(graph.node(name) as Placed)),
    edges: edges.map(({ from, to }, i) => {
      const edge = graph.edge(from, to, String(i)) as Placed & { points: Placed[] }
      return { points: edge.points.map(pointOf), label: pointOf(edge) }
    }),
  }
}

interface Placed {
  readonly x: number
  readonly y: number
}

const pointOf = ({ x, y }: Placed) => ({ x, y })
