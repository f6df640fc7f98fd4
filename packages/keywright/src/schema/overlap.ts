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

type Edge = readonly [to: number, chars: bigint, literal: boolean]

export interface Automaton {
  readonly edges: readonly (readonly Edge[])[]
  readonly ends: readonly number[]
}

const bits = (chars: string) => [...chars].reduce((sum, char) => sum | (1n << BigInt(char.codePointAt(0)!)), 0n)
const digits = 1023n << 48n
// As in locate.ts: control characters and white space, separator, braces, globs.
const unsafe = ((1n << 33n) - 1n) | bits("\x7f:{}*?[]\\")

export function automaton(head: string, slots: readonly Slot[]): Automaton {
  const edges: Edge[][] = [[]]
  let ends = [0]
  const step = (from: readonly number[], chars: bigint, literal: boolean, repeat?: string): [number] => {
    const to = edges.push([]) - 1
    for (const state of repeat ? [...from, to] : from) edges[state]!.push([to, chars, literal])
    return [to]
  }
  const spell = (literal: string) => {
    for (const char of literal) ends = step(ends, bits(char), true)
  }
  spell(head)
  for (const { codec: { mask = ["*+"], allow = "" } = {}, tail } of slots) {
    ends = mask.map((alternative) => {
      let from = ends
      for (const [, token, char, repeat] of alternative.matchAll(/(\\?(.))(\+?)/gsu)) {
        const chars = token === "#" ? digits : token === "*" ? ~unsafe | bits(allow) : bits(char!)
        from = step(from, chars & ~bits(tail[0] ?? ""), false, repeat)
      }
      return from[0]!
    })
    spell(tail)
  }
  return { edges, ends }
}

/** A text that both accept, and which of them is more literal. */
export function overlap(a: Automaton, b: Automaton): Overlap | undefined {
  // Breadth first over pairs of states (x * size + y); a map or set that grows while it is walked is walked to its
  // end. `moves` are all steps taken, by where they lead, for the way back: the first is the one that found the pair.
  const size = b.edges.length
  const moves = new Map<number, [from: number, chars: bigint, sides: number][]>([[0, []]])
  const useful = new Set<number>()
  for (const [from] of moves) {
    const x = Math.floor(from / size)
    const y = from % size
    if (a.ends.includes(x) && b.ends.includes(y)) useful.add(from)
    for (const [toX, charsX, literalX] of a.edges[x]!) {
      for (const [toY, charsY, literalY] of b.edges[y]!) {
        const common = charsX & charsY
        if (!common) continue
        const to = toX * size + toY
        if (!moves.has(to)) moves.set(to, [])
        moves.get(to)!.push([from, common, literalX === literalY ? 0 : literalX ? 1 : 2])
      }
    }
  }
  const [first] = useful
  if (!first) return undefined

  let key = ""
  for (let at = first; at !== 0;) {
    const [from, chars] = moves.get(at)![0]!
    key = pick(chars) + key
    at = from
  }
  // Only moves on the way to an accepted text count.
  let literal = 0
  for (const end of useful) {
    for (const [from, , sides] of moves.get(end)!) {
      literal |= sides
      useful.add(from)
    }
  }
  return { key, literal }
}

/** One of these characters: x where it can be, else 1 (every date can be written with 1s only), else the first. */
const pick = (chars: bigint): string =>
  [..."x1"].find((char) => chars & bits(char)) ?? String.fromCodePoint((chars & -chars).toString(2).length - 1)

/** The characters of a pattern, `{` for each parameter: for `mayMeet`. */
export const shapeOf = (pattern: string): string[] => [...pattern.replace(/{\w+}/g, "{")]

/** False where two patterns differ in a literal before anything else: most do, and need no search. */
export const mayMeet = (one: readonly string[], other: readonly string[]): boolean => {
  const at = one.findIndex((char, i) => char !== other[i])
  return !other[at] || [one[at - 1], one[at], other[at]].includes("{")
}
