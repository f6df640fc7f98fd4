/* For fuzz targets: at most a second each in the ordinary run, always the same one; a minute
 * each with KEYWRIGHT_FULL=1, with a fresh seed. A failure names its seed and path, and
 * KEYWRIGHT_SEED=… repeats the run; what was found becomes a row of a table. */

import * as fc from "fast-check"
import { isFull } from "./full.ts"

const named = process.env["KEYWRIGHT_SEED"]

/** For fc.assert: runs until the time is over, at most `most` times in the ordinary run. */
export const fuzzing = <T>(most: number): fc.Parameters<T> => ({
  seed: named === undefined ? (isFull ? Date.now() & 0x7fffffff : 2026) : Number(named),
  numRuns: isFull ? 1_000_000_000 : most,
  interruptAfterTimeLimit: isFull ? 60_000 : 1000,
})

/** What JSON is made of. */
export const JSON_PIECES: readonly string[] = [...'",[]{}:0\\\né']

interface Edit {
  readonly kind: "cut" | "put" | "double" | "swap"
  readonly at: number
  readonly size: number
  readonly piece: number
}

const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom("cut", "put", "double", "swap"),
    at: fc.nat(),
    size: fc.integer({ min: 1, max: 12 }),
    piece: fc.nat(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Something else in the same bytes: parts cut out, doubled, or replaced by one of the pieces. */
export const mutated = (text: string, pieces: readonly string[]): fc.Arbitrary<string> =>
  edits.map((all) => all.reduce((now, edit) => edited(now, edit, pieces), text))

function edited(text: string, { kind, at, size, piece }: Edit, pieces: readonly string[]): string {
  const from = at % (text.length + 1)
  const [head, part, tail] = [text.slice(0, from), text.slice(from, from + size), text.slice(from + size)]
  const other = pieces[piece % pieces.length]!
  return {
    cut: head + tail,
    put: head + other + part + tail,
    double: head + part + part + tail,
    swap: head + other + tail,
  }[kind]
}

/** JSON with one to three of its values replaced: by one of others, by another value of it, or left out. */
export const mutatedJson = (json: string, others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .array(fc.record({ at: fc.nat(), other: fc.nat(), how: fc.constantFrom("other", "own", "leave out", "twice") }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => {
      const root = { value: JSON.parse(json) as unknown }
      for (const { at, other, how } of changes) {
        const spots = spotsOf(root)
        const { holder, name } = spots[at % spots.length]!
        const own = spots[other % spots.length]!
        const copy = (value: unknown): unknown =>
          value === undefined ? value : (JSON.parse(JSON.stringify(value)) as unknown)
        if (how === "leave out") {
          if (Array.isArray(holder)) holder.splice(Number(name), 1)
          else if (holder !== root) delete holder[name]
        } else if (how === "twice" && Array.isArray(holder)) holder.push(copy(holder[Number(name)]))
        else holder[name] = copy(how === "own" ? own.holder[own.name] : others[other % others.length])
      }
      return root.value
    })

interface Spot {
  readonly holder: Record<string, unknown>
  readonly name: string
}

function spotsOf(value: unknown): Spot[] {
  if (typeof value !== "object" || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...spotsOf(holder[name])])
}
