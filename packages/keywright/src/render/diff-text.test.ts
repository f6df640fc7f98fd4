import { describe, expect, test } from "vitest"
import { differentOrders, diffText, orderText, whoText } from "./diff-text.ts"
import { differences, shownDifference } from "./diff.cases.ts"
import { plain } from "./paint.cases.ts"

describe("a difference as text", () => {
  test("each change says what, why, who, in which order and what to do; then all together", () => {
    expect(diffText(shownDifference(differences.release), plain)).toBe(
      [
        `breaks-writers ENUM.REMOVED  order.status: a value is removed ("sent")`,
        "  why   New programs cannot read the value where it is stored, and old writers still write it.",
        "  who   new readers, old writers and new writers fail; old readers work",
        "  order writers first: replace everything that writes, take care of the data, then replace what reads",
        "  do    before deploying: keywright audit --url …  (shows the values that do not fit (VALUE.UNDECODABLE))",
        "  do    before new readers: rewriting values: there is no command for it yet; a program of your own reads with the old schema and writes with the new one",
        "",
        "silent TTL.SHORTENED  page: keys expire sooner (30d → 7d)",
        "  why   What old readers count on vanishes sooner; what old writers write stays longer.",
        "  who   old readers and old writers are silently wrong; new readers and new writers work",
        "  order readers first: replace everything that reads, then what writes",
        "  do    after the last old writer: keywright repair --url … --out plan.json && keywright repair --url … --apply plan.json  (gives the declared TTL to keys that lack it or live longer)",
        "",
        "2 changes; together they are as bad as the worst of them, silent. Deploy all at once: stop the old programs, take care of the data, start the new ones. They need different orders: deployed one by one, each can follow its own.",
      ].join("\n"),
    )
  })

  test("what is harmless is one line, and nothing at all is one sentence", () => {
    expect(diffText(shownDifference(differences.harmless), plain)).toBe(
      "harmless PATTERN.ADDED  more: a new pattern (more)\n\n1 change; it is harmless. Deploy in any order.",
    )
    expect(diffText(shownDifference(differences.none), plain)).toBe("old.ts → new.ts: no change that matters")
  })

  test("a possible rename is asked about, with both ways to say so", () => {
    expect(diffText(shownDifference(differences.renamed), plain)).toContain(
      `? was cart renamed to basket? Say so with was: "cart", or --rename cart=basket`,
    )
  })
})

const verdicts = [
  [["works", "works", "works", "works"], "old readers, new readers, old writers and new writers work"],
  [["fails", "works", "n/a", "n/a"], "old readers fail; new readers work"],
  [["silent", "fails", "works", "n/a"], "old readers are silently wrong; new readers fail; old writers work"],
] as const

test.each(verdicts)("%j: %s", ([oldReader, newReader, oldWriter, newWriter], text) => {
  expect(whoText({ oldReader, newReader, oldWriter, newWriter } as never)).toBe(text)
})

test("orders that contradict each other are reported, one that suits all is not", () => {
  const of = (...orders: string[]) => differentOrders(orders.map((order) => ({ order })) as never)
  expect([of("any", "readers first"), of("writers first", "writers first"), of()]).toEqual(["", "", ""])
  expect(of("readers first", "any", "writers first")).toContain("one by one")
  expect(orderText("any")).toBe("in any order")
})
