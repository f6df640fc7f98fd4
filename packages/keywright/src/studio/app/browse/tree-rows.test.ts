import { describe, expect, it } from "vitest"
import type { Overview, SystemInfo, SystemSchema, TreePattern } from "../../api.ts"
import { treeRows, type TreeInput } from "./tree-rows.ts"

const pattern = (name: string, role?: string): TreePattern => ({
  node: "pattern",
  name,
  pattern: `${name}:{id}`,
  db: 0,
  type: "string",
  kind: "string",
  ttl: "never expires",
  params: [],
  secret: false,
  indexes: [],
  ...(role !== undefined && { role }),
})

const systems = [{ name: "shop", title: "Shop" }] as unknown as SystemInfo[]
const tree: SystemSchema["tree"] = [
  {
    node: "entity",
    path: "dish",
    title: "dish",
    db: 0,
    children: [pattern("dish", "the record"), pattern("dish.all")],
  },
  pattern("page"),
]
const input = (more: Partial<TreeInput> = {}): TreeInput => ({
  systems,
  schemas: { shop: { tree } as unknown as SystemSchema },
  overviews: {},
  keysOf: () => undefined,
  isOpen: () => true,
  filter: "",
  ...more,
})
const titles = (of: TreeInput) => treeRows(of).map(({ level, title }) => `${" ".repeat(level - 1)}${title}`)

describe("the tree", () => {
  it("is complete before anything is counted", () => {
    expect(titles(input())).toEqual(["Shop", " dish", "  dish:{id}", "  dish.all:{id}", " page:{id}"])
    expect(treeRows(input()).every(({ keys }) => keys === undefined)).toBe(true)
  })

  it("sums counts up as they come", () => {
    const rows = treeRows(input({ keysOf: (_, name) => ({ dish: 3, page: 4 })[name] }))
    expect(rows.map(({ keys }) => keys)).toEqual([7, 3, 3, undefined, 4])
  })

  it("opens everything for a filter, and shows nothing else", () => {
    expect(titles(input({ isOpen: () => false }))).toEqual(["Shop"])
    expect(titles(input({ isOpen: () => false, filter: "dish.all" }))).toEqual(["Shop", " dish", "  dish.all:{id}"])
    expect(titles(input({ filter: "nothing" }))).toEqual([])
  })

  it("ends with what the schema does not know", () => {
    const unknown = [{ name: "?0/x:*", pattern: "x:*", types: { string: 1 } }]
    const overviews = { shop: { databases: [{ unknown }] } as unknown as Overview }
    expect(titles(input({ overviews })).slice(-2)).toEqual([" Not in the schema", "  x:*"])
  })

  it("leaves out what all patterns of a group begin with", () => {
    const group = (names: string[]): SystemSchema["tree"] => [
      { node: "group", path: "s", title: "s", db: 0, children: names.map((name) => pattern(name)) },
    ]
    const shown = (names: string[]) =>
      treeRows(input({ schemas: { shop: { tree: group(names) } as unknown as SystemSchema } }))
        .slice(2)
        .map(({ title }) => title)
    expect(shown(["project:{p}:status", "project:{p}:contacts"])).toEqual(["…status:{id}", "…contacts:{id}"])
    expect(shown(["a:b", "a:c"])).toEqual(["a:b:{id}", "a:c:{id}"])
    expect(shown(["project:{p}:status"])).toEqual(["project:{p}:status:{id}"])
  })

  it("leads from an entity to its records", () => {
    expect(treeRows(input()).find(({ kind }) => kind === "entity")?.pattern).toBe("dish")
  })
})
