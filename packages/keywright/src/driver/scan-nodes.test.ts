import { describe, expect, test } from "vitest"
import { clusterSlot } from "./cluster-slot.ts"
import type { Driver } from "./driver.ts"
import { cursorOn, isBeyond, nodeOf, scanTargets, type SlotState } from "./scan-nodes.ts"

describe("a cursor of a cluster", () => {
  for (const [node, cursor] of [
    [0, "0"],
    [0, "81"],
    [3, "0"],
    [1023, "1"],
    [5, String(2n ** 53n)],
  ] as const)
    test(`names node ${node} and ${cursor}`, () => {
      expect(nodeOf(cursorOn(node, cursor))).toEqual({ node, cursor })
      const target = { first: cursorOn(node, "0"), node }
      expect(isBeyond(target, cursorOn(node, "7"))).toBe(false)
      expect(isBeyond(target, cursorOn(node + 1 - 2 * (node % 2), "5"))).toBe(true)
    })

  test("of a single server is its own", () => {
    expect(isBeyond({ first: "0" }, "1025")).toBe(false)
    expect(isBeyond({ first: "0" }, "0")).toBe(true)
  })

  test("begins with 0, as everywhere", () => expect(cursorOn(0, "0")).toBe("0"))
})

describe("what is walked", () => {
  const SLOT = clusterSlot("a")
  const state = (owner: number, to?: number): SlotState => ({
    nodes: [0, 1],
    owners: Array.from({ length: 16_384 }, (_, slot) => (slot === SLOT ? owner : 0)),
    moving: new Map(to === undefined ? [] : [[SLOT, to]]),
  })
  /** Nodes in the order in which they are walked, `*` for all their keys, given what each look finds. */
  async function walked(...looks: SlotState[]): Promise<string> {
    const driver = { cluster: true, slots: async () => looks.shift()! } as unknown as Driver
    const order: string[] = []
    for await (const { first, wants } of scanTargets(driver)) {
      order.push(`${nodeOf(first).node}${wants === undefined ? "*" : ""}`)
      if (wants !== undefined) expect([wants("a"), wants("b")]).toEqual([true, false])
    }
    expect(looks).toEqual([])
    return order.join(" ")
  }

  test("every node once, when nothing moves", async () => expect(await walked(state(0), state(0))).toBe("0* 1*"))
  test("a slot that has moved, again where it is", async () =>
    expect(await walked(state(0), state(1), state(1))).toBe("0* 1* 1"))
  test("a slot that is moving, first where it comes from", async () =>
    expect(await walked(state(0), state(0, 1), state(0, 1))).toBe("0* 1* 0 1"))
  test("one that has arrived meanwhile, no more", async () =>
    expect(await walked(state(0), state(0, 1), state(1))).toBe("0* 1* 0 1"))
  test("one that was moving at first and has arrived", async () =>
    expect(await walked(state(0, 1), state(1), state(1))).toBe("0* 1* 1"))
  test("one that goes back, again", async () =>
    expect(await walked(state(0), state(1), state(1, 0), state(0))).toBe("0* 1* 1 1 0"))
  test("a single server, once", async () => {
    const targets = []
    for await (const target of scanTargets({ cluster: false } as Driver)) targets.push(target)
    expect(targets).toEqual([{ first: "0" }])
  })
})
