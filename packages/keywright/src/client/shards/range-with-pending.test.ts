import fc from "fast-check"
import { expect, it } from "vitest"
import { compareRanked, type RankedMember } from "./merge-ranges.ts"
import { rangeWithPending, windowFor } from "./range-with-pending.ts"

const ranked = (member: string, order: number): RankedMember => ({ member, score: String(order), order })
const name = ({ member }: RankedMember) => member as string

it("is the part that the whole would have, whatever the amounts", () => {
  const scores = fc.dictionary(fc.constantFrom(..."abcdefghijklmnop"), fc.integer({ min: -4, max: 4 }))
  fc.assert(
    fc.property(
      scores,
      scores,
      fc.nat(18),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      (target, pending, ...rest) => {
        const [offset, count, reverse] = rest
        const compare = reverse ? (a: RankedMember, b: RankedMember) => compareRanked(b, a) : compareRanked
        const sorted = (of: Record<string, number>) =>
          Object.entries(of)
            .map(([m, s]) => ranked(m, s))
            .sort(compare)
        const whole = { ...target }
        for (const [member, amount] of Object.entries(pending)) whole[member] = (whole[member] ?? 0) + amount
        const changed = Object.keys(pending).map((member) => ({
          before: target[member] === undefined ? undefined : ranked(member, target[member]),
          after: ranked(member, whole[member]!),
        }))
        const [from, to] = windowFor(offset, count, changed.length)
        const window = { start: from, ranked: sorted(target).slice(from, to + 1), changed, reverse }
        expect(rangeWithPending(window, offset, count, name)).toEqual(sorted(whole).slice(offset, offset + count))
      },
    ),
    { numRuns: 2000 },
  )
})
