/* Can two patterns spell the same key? Decided without any key at hand, by walking
 * both patterns at once as two small automata and looking for a text that both
 * accept. Each edge takes a set of characters: "+ab" is a and b, "-ab" is everything
 * else. What two sets share is computed once.
 *
 * On the way it notes which pattern has a literal where the other has a parameter. If
 * only one of the two patterns has such a place, it is the more literal one: cart:list
 * against cart:{id}.
 *
 * Every pattern of a keyspace is compared with every other, and a keyspace may come
 * from a file or a server that somebody else made: so steps are counted, and bounded. */

import type { Slot } from "./locate.ts"

export interface Overlap {
  /** 1: the first is more literal somewhere, 2: the second is, 3: both are; 0: they are alike everywhere. */
  readonly literal: number
  /** A key that both patterns can spell. */
  key(): string
}

interface Edge {
  /** Never an earlier state. */
  readonly to: number
  readonly chars: string
  readonly literal: boolean
}

export interface Automaton {
  readonly edges: readonly (readonly Edge[])[]
  readonly ends: ReadonlySet<number>
}

// As in locate.ts: control characters and white space, separator, braces, globs.
const unsafe = [...String.fromCharCode(...Array(33).keys()), ..."\x7f:{}*?[]\\"]

export function automaton(head: string, slots: readonly Slot[]): Automaton {
  const edges: Edge[][] = [[]]
  let ends = [0]
  const step = (from: readonly number[], chars: string, literal: boolean, repeat?: string): [number] => {
    const to = edges.push([]) - 1
    for (const state of repeat ? [...from, to] : from) edges[state]!.push({ to, chars, literal })
    return [to]
  }
  const spell = (literal: string) => {
    for (const char of literal) ends = step(ends, `+${char}`, true)
  }
  spell(head)
  for (const { codec: { mask = ["*+"], allow = "" } = {}, tail } of slots) {
    const [next = ""] = tail
    const any = `-${unsafe.filter((char) => !allow.includes(char)).join("")}`
    ends = mask.map((alternative) => {
      let from = ends
      for (const [, token, char, repeat] of alternative.matchAll(/(\\?(.))(\+?)/gsu)) {
        const chars = token === "#" ? "+0123456789" : token === "*" ? any : `+${char}`
        from = step(from, sharedBy(chars, `-${next}`), false, repeat)
      }
      return from[0]!
    })
    spell(tail)
  }
  return { edges, ends: new Set(ends) }
}

/** Compares automata, in a limited number of steps. The default is a few seconds' worth. */
export function comparison(mostSteps = 1e8) {
  const known = new Map<string, Map<string, boolean>>()
  let steps = 0
  /** Whether all steps are taken: what `overlap` says then may be wrong. */
  const isExhausted = () => steps >= mostSteps

  function meet(one: string, other: string): boolean {
    let row = known.get(one)
    if (!row) known.set(one, (row = new Map()))
    let answer = row.get(other)
    if (answer === undefined) row.set(other, (answer = sharedBy(one, other) !== "+"))
    return answer
  }

  /** What both accept, and which of them is more literal in it. */
  function overlap(a: Automaton, b: Automaton): Overlap | undefined {
    // Breadth first over pairs of states: `before` has the pair before each, plus 1.
    const size = b.edges.length
    const before = new Int32Array(a.edges.length * size)
    const reached = [0]
    const isEnd = (pair: number) => a.ends.has(Math.floor(pair / size)) && b.ends.has(pair % size)
    const each = (from: number, take: (to: number, one: Edge, other: Edge) => void) => {
      for (const one of a.edges[Math.floor(from / size)]!) {
        for (const other of b.edges[from % size]!) {
          steps++
          if (meet(one.chars, other.chars)) take(one.to * size + other.to, one, other)
        }
      }
    }
    for (let i = 0; i < reached.length && !isExhausted(); i++) {
      each(reached[i]!, (to) => {
        if (before[to]) return
        before[to] = reached[i]! + 1
        reached.push(to)
      })
    }
    const first = reached.find(isEnd)
    if (!first) return undefined

    // Only steps on the way to an accepted text count. None leads back, so that the pairs after a pair come first here.
    const useful = new Uint8Array(before.length)
    let literal = 0
    for (const from of Int32Array.from(reached).sort((one, other) => other - one)) {
      if (isEnd(from)) useful[from] = 1
      each(from, (to, one, other) => {
        if (!useful[to]) return
        useful[from] = 1
        if (one.literal !== other.literal) literal |= one.literal ? 1 : 2
      })
      if (literal > 2) break
    }
    return {
      literal,
      key() {
        let key = ""
        for (let at = first; at;) {
          const from = before[at]! - 1
          let chars = ""
          each(from, (to, one, other) => to === at && (chars = sharedBy(one.chars, other.chars)))
          key = pick(chars) + key
          at = from
        }
        return key
      },
    }
  }

  return { overlap, isExhausted }
}

function sharedBy(one: string, other: string): string {
  if (one[0] === "-") return other[0] === "-" ? one + other.slice(1) : sharedBy(other, one)
  return `+${[...one.slice(1)].filter((char) => other.includes(char, 1) === (other[0] === "+")).join("")}`
}

/** One of these characters: x where it can be, else 1 (every date can be written with 1s only), else another. */
const pick = (chars: string): string =>
  [..."x1a", ...chars.slice(1)].find((char) => sharedBy(`+${char}`, chars) !== "+")!

/** The characters of a pattern, `{` for each parameter: for `mayMeet`. */
export const shapeOf = (pattern: string): string[] => [...pattern.replace(/{\w+}/g, "{")]

/** False where two patterns begin or end with different literals: most do, and need no search. */
export function mayMeet(one: readonly string[], other: readonly string[]): boolean {
  const at = one.findIndex((char, i) => char !== other[i])
  if (other[at] && ![one[at - 1], one[at], other[at]].includes("{")) return false
  for (let i = 1; ; i++) {
    const chars = [one.at(-i), other.at(-i)]
    if (chars.includes("{") || chars.includes(undefined)) return true
    if (chars[0] !== chars[1]) return false
  }
}
