/* Can two patterns spell the same key? Decided without any key at hand, by walking
 * both patterns at once as two small automata and looking for a text that both
 * accept. Each edge takes a set of characters, kept as the bits of one bigint (a
 * negative one has all bits from some point on), so that "both take it" is one `&`.
 *
 * On the way it is noted who spelled a character literally where the other had a
 * parameter. A pattern that does so, and to which it is not done, is the more
 * literal one: cart:list against cart:{id}. */

import type { Slot } from "./locate.ts"

export interface Overlap {
  /** A key that both patterns can spell. */
  readonly key: string
  /** 1: the first is more literal somewhere, 2: the second is, 3: both are; 0: they are alike everywhere. */
  readonly literal: number
}

interface Edge {
  readonly to: number
  readonly chars: bigint
  readonly literal: boolean
}

export interface Automaton {
  readonly edges: readonly (readonly Edge[])[]
  readonly ends: readonly number[]
}

const bits = (chars: string) => [...chars].reduce((sum, char) => sum | (1n << BigInt(char.codePointAt(0)!)), 0n)
const digits = bits("0123456789")
// As in locate.ts: control characters and white space, separator, braces, globs.
const unsafe = ((1n << 33n) - 1n) | bits("\x7f:{}*?[]\\")

export function automaton(head: string, slots: readonly Slot[]): Automaton {
  const edges: Edge[][] = [[]]
  let ends = [0]
  const step = (from: readonly number[], chars: bigint, literal: boolean, repeat?: string): [number] => {
    const to = edges.push([]) - 1
    for (const state of repeat ? [...from, to] : from) edges[state]!.push({ to, chars, literal })
    return [to]
  }
  const spell = (literal: string) => {
    for (const char of literal) ends = step(ends, bits(char), true)
  }
  spell(head)
  for (const { codec: { mask = ["*+"], allow = "" } = {}, tail } of slots) {
    ends = mask.map((alternative) => {
      let from = ends
      for (const [, escaped, char, repeat] of alternative.matchAll(/(?:\\(.)|(.))(\+?)/gsu)) {
        const chars = char === "#" ? digits : char === "*" ? ~unsafe | bits(allow) : bits(escaped ?? char!)
        from = step(from, chars & ~bits(tail.slice(0, 1)), false, repeat)
      }
      return from[0]!
    })
    spell(tail)
  }
  return { edges, ends }
}

/** A text that both accept, and which of them is more literal. */
export function overlap(a: Automaton, b: Automaton): Overlap | undefined {
  // Breadth first over pairs of states; `moves` are all steps taken, for the way back.
  const pairs = [{ x: 0, y: 0, text: "" }]
  const moves: { from: number; to: number; sides: number }[] = []
  for (let from = 0; from < pairs.length; from++) {
    const { x, y, text } = pairs[from]!
    for (const one of a.edges[x]!) {
      for (const other of b.edges[y]!) {
        const common = one.chars & other.chars
        if (!common) continue
        const known = pairs.findIndex((pair) => pair.x === one.to && pair.y === other.to)
        const to = known < 0 ? pairs.push({ x: one.to, y: other.to, text: text + pick(common) }) - 1 : known
        moves.push({ from, to, sides: one.literal === other.literal ? 0 : one.literal ? 1 : 2 })
      }
    }
  }
  const useful = new Set([...pairs.keys()].filter((i) => a.ends.includes(pairs[i]!.x) && b.ends.includes(pairs[i]!.y)))
  const [first] = useful
  if (first === undefined) return undefined

  // Only moves on the way to an accepted text count. A set that grows while it is walked is walked to its end.
  let sides = 0
  for (const to of useful) {
    for (const move of moves) {
      if (move.to !== to) continue
      sides |= move.sides
      useful.add(move.from)
    }
  }
  return { key: pairs[first]!.text, literal: sides }
}

/** One of these characters: x where it can be, else 1 (all dates have one of 1s only), else the first. */
const pick = (chars: bigint): string =>
  chars & bits("x") ? "x" : chars & bits("1") ? "1" : String.fromCodePoint((chars & -chars).toString(2).length - 1)

/** Patterns whose texts before the first parameter differ never meet. */
export const mayMeet = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)
