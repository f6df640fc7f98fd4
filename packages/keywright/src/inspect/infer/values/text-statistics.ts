/* What is known of the texts at one place (a parameter, a field, a member), in
 * memory that does not grow with their number. */

import { type Atom, atomOf, isCompactDay } from "./atoms.ts"
import { isNearlyAll } from "./nearly-all.ts"
import { Sketch } from "./sketch.ts"

const MOST_VALUES = 48
const MOST_SAMPLES = 24
const MOST_TAGS = 4

export class TextStatistics {
  count = 0
  readonly atoms = new Map<Atom, number>()
  /** Every distinct text and how often it came; undefined when there are too many. */
  values: Map<string, number> | undefined = new Map()
  readonly sketch = new Sketch()
  readonly samples: string[] = []
  /** Signs other than letters, digits, `_`, `-` and `.`. */
  readonly signs = new Set<string>()
  /** Short beginnings such as `u_`, and how often; undefined when there are too many. */
  tags: Map<string, number> | undefined = new Map()
  min = Infinity
  max = -Infinity
  /** Numbers in another form than digits and a point. */
  scientific = 0
  /** Numbers that are calendar days, such as 20260131. */
  compactDays = 0
  longest = 0

  add(text: string): void {
    this.note(text)
    const atom = atomOf(text)
    this.atoms.set(atom, (this.atoms.get(atom) ?? 0) + 1)
    if (text.length > this.longest) this.longest = text.length
    if (atom === "int" || atom === "float") {
      const number = Number(text)
      if (number < this.min) this.min = number
      if (number > this.max) this.max = number
      if (atom === "float" && !/^-?\d+\.\d+$/.test(text)) this.scientific++
      else if (isCompactDay(text)) this.compactDays++
    } else {
      if (this.tags !== undefined) this.#tag(text, this.tags)
      if (atom !== "word" && this.signs.size < 24)
        for (const sign of text.match(/[^\w.-]/gu) ?? []) this.signs.add(sign)
    }
  }

  #tag(text: string, tags: Map<string, number>): void {
    const tag = /^[A-Za-z]{1,5}[_-](?=.)/.exec(text)?.[0]
    if (tag === undefined || (tags.size >= MOST_TAGS && !tags.has(tag))) this.tags = undefined
    else tags.set(tag, (tags.get(tag) ?? 0) + 1)
  }

  /** Only what is needed of every one of a million texts, which is a part of this one. */
  note(text: string, start = 0, end = text.length): void {
    this.count++
    if (this.values !== undefined || this.samples.length < MOST_SAMPLES) this.#keep(text.slice(start, end))
    this.sketch.add(text, start, end)
  }

  #keep(text: string): void {
    if (this.samples.length < MOST_SAMPLES) this.samples.push(text)
    if (this.values !== undefined) this.#value(text, this.values)
  }

  #value(text: string, values: Map<string, number>): void {
    const seen = values.get(text)
    if (seen === undefined && (values.size >= MOST_VALUES || text.length > 80)) this.values = undefined
    else values.set(text, (seen ?? 0) + 1)
  }

  /** Whether all but a stray one of very many are one of these. */
  mostly(...atoms: readonly Atom[]): boolean {
    let seen = 0
    for (const atom of atoms) seen += this.atoms.get(atom) ?? 0
    return isNearlyAll(seen, this.count)
  }

  /** Whether every text is one of these. */
  only(...atoms: readonly Atom[]): boolean {
    for (const atom of this.atoms.keys()) if (!atoms.includes(atom)) return false
    return this.count > 0
  }
}
