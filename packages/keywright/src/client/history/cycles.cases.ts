/* Cycles in the graph of dependencies: transactions that cannot have happened one after
 * another in any order. Named as Adya does, by the weakest dependencies that close them:
 *
 *   G0        writes alone
 *   G1c       writes and reads of them
 *   G-single  with one read that missed a write (lost updates, read skew)
 *   G2        with several (write skew)
 *
 * and "-realtime" where real time is needed: an order exists, but not one in which those
 * who were over come before those who began later. */

import { type Dependency, type Edge, type Graph } from "./dependencies.cases.ts"
import { type Anomaly, named } from "./history.cases.ts"

/** The shortest cycle of the first kind that each strongly connected component has. */
export function cycles(graph: Graph): Anomaly[] {
  return components(graph.edges).flatMap((nodes) => {
    const found = firstCycle(graph, nodes)
    return found ? [toAnomaly(graph, found)] : []
  })
}

interface Step {
  readonly from: number
  readonly edge: Edge
}

interface Found {
  readonly kind: string
  readonly steps: readonly Step[]
}

const kinds: readonly (readonly [string, ReadonlySet<Dependency>, "none" | "one" | "any"])[] = [
  ["G0", new Set<Dependency>(["ww"]), "none"],
  ["G1c", new Set<Dependency>(["ww", "wr"]), "none"],
  ["G-single", new Set<Dependency>(["ww", "wr"]), "one"],
  ["G2", new Set<Dependency>(["ww", "wr", "rw"]), "any"],
  ["G0-realtime", new Set<Dependency>(["ww", "rt"]), "none"],
  ["G1c-realtime", new Set<Dependency>(["ww", "wr", "rt"]), "none"],
  ["G-single-realtime", new Set<Dependency>(["ww", "wr", "rt"]), "one"],
  ["G2-realtime", new Set<Dependency>(["ww", "wr", "rw", "rt"]), "any"],
]

/** This many places of a component are tried: in a large one, any of them is as good as another. */
const PLACES = 200

function firstCycle({ edges, transactions }: Graph, nodes: readonly number[]): Found | undefined {
  const inside = new Set(nodes)
  const own = nodes.filter((node) => node < transactions.length)
  for (const [kind, types, antidependencies] of kinds) {
    let best: readonly Step[] | undefined
    const starts = antidependencies === "one" ? missedWrites(own, edges, inside) : own.map((node) => ({ node }))
    for (const start of starts.slice(0, PLACES)) {
      const [from, to] = "step" in start ? [start.step.edge.to, start.step.from] : [start.node, start.node]
      const path = shortest(edges, inside, types, from, to)
      if (!path) continue
      const steps = "step" in start ? [start.step, ...path] : path
      if (!best || steps.length < best.length) best = steps
    }
    if (best) return { kind, steps: best }
  }
  return undefined
}

function missedWrites(own: readonly number[], edges: readonly Edge[][], inside: ReadonlySet<number>) {
  return own.flatMap((from) =>
    edges[from]!.flatMap((edge) => (edge.type === "rw" && inside.has(edge.to) ? [{ step: { from, edge } }] : [])),
  )
}

/** Breadth first; a way from a node to itself has at least one step. */
function shortest(
  edges: readonly Edge[][],
  inside: ReadonlySet<number>,
  types: ReadonlySet<Dependency>,
  from: number,
  to: number,
): Step[] | undefined {
  const reached = new Map<number, Step>()
  let border = [from]
  while (border.length > 0) {
    const next: number[] = []
    for (const node of border)
      for (const edge of edges[node]!) {
        if (!types.has(edge.type) || !inside.has(edge.to) || reached.has(edge.to)) continue
        reached.set(edge.to, { from: node, edge })
        if (edge.to === to) return traced(reached, from, to)
        next.push(edge.to)
      }
    border = next
  }
  return undefined
}

function traced(reached: ReadonlyMap<number, Step>, from: number, to: number): Step[] {
  const steps: Step[] = []
  let at = to
  do {
    const step = reached.get(at)!
    steps.unshift(step)
    at = step.from
  } while (at !== from)
  return steps
}

/** In words, without the nodes that represent ends. */
function toAnomaly({ transactions }: Graph, { kind, steps }: Found): Anomaly {
  const name = (node: number) => named(transactions[node]!.id)
  const words: string[] = []
  const ids: number[] = []
  let earlier: string | undefined
  for (const { from, edge } of steps) {
    if (from < transactions.length) {
      earlier = name(from)
      ids.push(transactions[from]!.id)
    }
    if (edge.to >= transactions.length) continue
    words.push(sentences[edge.type](earlier!, name(edge.to), edge.key))
  }
  return { kind, text: words.join("; "), transactions: ids }
}

const sentences: Readonly<Record<Dependency, (a: string, b: string, key: string) => string>> = {
  ww: (a, b, key) => `${a} wrote ${key} before ${b} did`,
  wr: (a, b, key) => `${b} read what ${a} wrote to ${key}`,
  rw: (a, b, key) => `${a} read ${key} without what ${b} wrote to it`,
  rt: (a, b) => `${a} was over before ${b} began`,
}

/** Strongly connected components of two nodes or more, by Tarjan, without recursion. */
export function components(edges: readonly (readonly Edge[])[]): number[][] {
  const index = new Int32Array(edges.length).fill(-1)
  const low = new Int32Array(edges.length)
  const next = new Int32Array(edges.length)
  const onStack = new Uint8Array(edges.length)
  const stack: number[] = []
  const found: number[][] = []
  let count = 0
  const open = (node: number) => {
    index[node] = low[node] = count++
    stack.push(node)
    onStack[node] = 1
  }
  const close = (node: number) => {
    if (low[node] !== index[node]) return
    const component: number[] = []
    for (let one = -1; one !== node;) {
      one = stack.pop()!
      onStack[one] = 0
      component.push(one)
    }
    if (component.length > 1) found.push(component)
  }
  for (let root = 0; root < edges.length; root++) {
    if (index[root] !== -1) continue
    const path = [root]
    open(root)
    while (path.length > 0) {
      const node = path.at(-1)!
      const edge = edges[node]![next[node]!++]
      if (edge === undefined) {
        path.pop()
        close(node)
        const parent = path.at(-1)
        if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!)
      } else if (index[edge.to] === -1) {
        open(edge.to)
        path.push(edge.to)
      } else if (onStack[edge.to] === 1) low[node] = Math.min(low[node]!, index[edge.to]!)
    }
  }
  return found
}
