import { expect, it } from "vitest"
import type { Diagram, LineEnd } from "./diagram.ts"
import { diagramSvg, type Layout, placeDiagram } from "./diagram-svg.ts"

/** Boxes in a row; lines from the first to the last. A column is far too long for a page. */
const layout: Layout = ({ across, nodes, edges }) => ({
  width: 300,
  height: across ? 100 : 5000,
  nodes: nodes.map((_, i) => ({ x: 100 + 200 * i, y: 50 })),
  edges: edges.map(() => ({
    points: [
      { x: 0, y: 0 },
      { x: 50, y: 0 },
      { x: 100, y: 0 },
    ],
    label: { x: 50, y: 0 },
  })),
})
const diagram = (to: LineEnd, name = "a", label = "has"): Diagram => ({
  kind: "ids",
  boxes: [
    {
      name,
      rows: [
        { name: "k<>", type: "text", secret: false },
        { name: "pin", type: "int", secret: true },
      ],
    },
    { name: "b", rows: [] },
  ],
  lines: [{ from: name, to: "b", label, ends: ["one", to] }],
})

it.each<[LineEnd, number, number]>([
  ["one", 0, 2],
  ["maybe", 1, 2],
  ["many", 1, 1],
])("draws the end %s with %i rings and %i bars in all", (end, rings, bars) => {
  const svg = diagramSvg(diagram(end), layout)!
  expect(svg.split("<circle").length - 1).toBe(rings)
  expect(svg.split("M8 -6V6").length - 1).toBe(bars)
})

it.each([
  ["the name of a row, escaped", '<text class="row" x="14" y="51">k&lt;&gt;</text>'],
  ["its type at the other side", 'text-anchor="end">text</text>'],
  ["no type of what is secret", '<text class="type lock" x="106" y="71" text-anchor="end">secret</text>'],
  ["the label on its line", 'text-anchor="middle" y="4">has</text>'],
  ["a title for who cannot see it", "<title>Ids and the keys between them</title>"],
  ["a box around its centre", '<g transform="translate(40 9)">'],
  ["the page, with a margin", 'viewBox="-12 -12 324 124"'],
])("draws %s", (_, part) => {
  expect(diagramSvg(diagram("one"), layout)).toContain(part)
})

it("takes the way that shrinks less, and makes boxes as wide as their names", () => {
  const placed = placeDiagram(diagram("one", "n".repeat(40)), layout)!
  expect(placed.placed.height).toBe(100)
  expect(placed.sizes.map(({ width, height }) => [width, height])).toEqual([
    [368, 82],
    [120, 32],
  ])
})

it("draws nothing where nothing is related", () => {
  expect(diagramSvg({ ...diagram("one"), lines: [] }, layout)).toBeUndefined()
})
