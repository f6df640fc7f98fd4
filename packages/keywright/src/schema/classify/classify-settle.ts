/* Who owns a key that several patterns match. The tree finds where the parameters are;
 * what depends on codecs is decided here, and only for rows that need it:
 *
 *   one pattern alone   owns the key, whatever its codecs will say about it
 *   masks leave one     it does: "2011-10" is a month, not a day
 *   else                the codecs are asked, and the more literal pattern wins
 *
 * Where several patterns remain and none is more literal, nobody owns the key, and nobody
 * can write it (see key-builder.ts). */

import { maskTest } from "./classify-mask.ts"
import { isOf, type TreeRow } from "./classify-tree.ts"
import type { CodecSpec } from "../codec/codec-spec.ts"
import { parseKey } from "../locate.ts"
import { automaton, comparison, mayMeet, shapeOf } from "../overlap.ts"

export interface Settling {
  /** Rows to which a key belongs as soon as the tree finds them. */
  readonly settled: readonly boolean[]
  /** The owner of a key that the tree found to be of `row`; -1 when there is none. Leaves the owner's spans. */
  settle(key: string, row: number): number
}

interface Meeting {
  readonly other: number
  /** It is the more literal one wherever they meet: the tree finds it first. */
  readonly before: boolean
  /** Their parameters are in the same positions. */
  readonly alike: boolean
}

export function settling(rows: readonly TreeRow[], spans: Int32Array): Settling {
  const meetings = meetingsOf(rows)
  const beats = rows.map(({ key }) => new Set(key.rivals))
  const even = (a: number, b: number) => beats[a]!.has(rows[b]!.key.name) && beats[b]!.has(rows[a]!.key.name)
  const masks = rows.map(({ slots }) => slots.map(({ codec }) => codec?.mask && maskTest(codec.mask)))
  const scratch = new Int32Array(spans.length)

  const fits = (row: number, key: string, at: Int32Array) =>
    masks[row]!.every((test, i) => !test || test(key, at[2 * i]!, at[2 * i + 1]!))

  /**
   * Picks from several rows that the masks leave: the one whose codecs accept the key and that takes precedence over
   * the others.
   */
  function ask(key: string, left: readonly number[]): number {
    const taking = left.filter((row) => parseKey(key, rows[row]!.head, rows[row]!.slots))
    return taking.find((row) => !taking.some((other) => beats[row]!.has(rows[other]!.key.name))) ?? -1
  }

  return {
    settled: rows.map(
      ({ slots }, row) =>
        meetings[row]!.every(({ before }) => before) ||
        (slots.every(({ codec }) => !codec || takesAll(codec.spec)) &&
          !meetings[row]!.some(({ other }) => even(row, other))),
    ),
    settle(key, row) {
      const left = fits(row, key, spans) ? [row] : []
      let alone = true
      for (const { other, alike } of meetings[row]!) {
        if (!(alike && !rows[other]!.recheck) && !isOf(rows[other]!, key)) continue
        alone = false
        if (!alike) locateInto(scratch, rows[other]!, key)
        if (fits(other, key, alike ? spans : scratch)) left.push(other)
      }
      if (alone) return row
      const owner = left.length > 1 ? ask(key, left) : (left[0] ?? -1)
      if (owner >= 0) locateInto(spans, rows[owner]!, key)
      return owner
    },
  }
}

/** Which rows can match the same key, ignoring codecs. What cannot be compared in time may: each key will tell. */
function meetingsOf(rows: readonly TreeRow[]): Meeting[][] {
  const { overlap, isExhausted } = comparison()
  const meetings = rows.map((): Meeting[] => [])
  const shapes = rows.map(({ key }) => shapeOf(key.pattern))
  const automata = rows.map(({ head, slots }) =>
    automaton(
      head,
      slots.map(({ codec, ...slot }) => ({ ...slot, codec: codec && { ...codec, mask: ["*+"] } })),
    ),
  )
  rows.forEach((one, i) => {
    for (let j = i + 1; j < rows.length; j++) {
      const other = rows[j]!
      if (!mayMeet(shapes[i]!, shapes[j]!)) continue
      const found = isExhausted() ? undefined : overlap(automata[i]!, automata[j]!)
      const literal = isExhausted() ? 3 : found?.literal
      if (literal === undefined) continue
      const alike = one.head === other.head && tails(one) === tails(other)
      meetings[i]!.push({ other: j, before: literal === 2, alike })
      meetings[j]!.push({ other: i, before: literal === 1, alike })
    }
  })
  return meetings
}

const tails = ({ slots }: TreeRow) => slots.map(({ tail }) => tail).join("{}")

function locateInto(spans: Int32Array, { head, slots }: TreeRow, key: string): void {
  let at = head.length
  slots.forEach(({ tail }, i) => {
    const end = tail === "" ? key.length : key.indexOf(tail[0]!, at)
    spans[2 * i] = at
    spans[2 * i + 1] = end
    at = end + tail.length
  })
}

/** Codecs that refuse no segment. */
const takesAll = (spec: CodecSpec): boolean =>
  spec.codec === "text" ||
  spec.codec === "value" ||
  (spec.codec === "id" && spec.matching === undefined && takesAll(spec.of)) ||
  (spec.codec === "secret" && takesAll(spec.of))
