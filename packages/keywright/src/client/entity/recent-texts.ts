/* Texts of records that were read lately, and what was made of them: a text that is read
 * again is not parsed and validated again. The server is asked each time, and only the very
 * same text counts. What is flat is copied for each reader.
 *
 * Each id has one place, which it shares with others: no text outlives the next one that is
 * read there. A text that is read once is only noted. */

import type { Reply } from "../../driver/driver.ts"
import type { Document } from "./record-store.ts"

/** What was made of a text: so that it is not parsed and validated each time. */
export interface ParsedText {
  document: Document | undefined
  record: object | undefined
}

class RecentText implements ParsedText {
  readonly id: string
  readonly raw: string
  document: Document | undefined = undefined
  record: object | undefined = undefined

  constructor(id: string, raw: string) {
    this.id = id
    this.raw = raw
  }
}

/** A power of two. */
const PLACES = 1024
/** In characters: what is longer is parsed each time. */
const LONGEST = 4096

export class RecentTexts {
  readonly #places: (RecentText | undefined)[] = Array.from({ length: PLACES }, () => undefined)

  /** What was made of this text of this record; undefined when it is seen for the first time. */
  at(id: string, raw: Reply): ParsedText | undefined {
    if (typeof raw !== "string" || raw.length > LONGEST) return undefined
    const place = placeOf(id)
    const known = this.#places[place]
    if (known !== undefined && known.raw === raw && known.id === id) return known
    this.#places[place] = new RecentText(id, raw)
    return undefined
  }
}

/** By the last characters of an id: most ids differ there, and numbers in a row are in different places. */
function placeOf(id: string): number {
  let place = 0
  for (let i = Math.max(0, id.length - 4); i < id.length; i++) place = (place * 10 + id.charCodeAt(i)) & (PLACES - 1)
  return place
}
