/* Text of any origin, cut into what can be shown as it is and what cannot: control
 * characters, marks that turn the direction of writing, lone surrogates, and accents upon
 * accents, which would cover the lines above, are shown by their numbers. */

import { charName, unseen } from "../../../render/unseen.ts"

export interface Piece {
  readonly text: string
  /** Shown in place of a character that would not be seen. */
  readonly odd: boolean
}

const MARK = /[\p{Mn}\p{Me}]/u
/** On one letter: more than any language writes. */
const MOST_MARKS = 8

export function textPieces(text: string, newlines: "keep" | "show" = "show"): Piece[] {
  const pieces: { text: string; odd: boolean }[] = []
  let marks = 0
  for (const char of text) {
    marks = MARK.test(char) ? marks + 1 : 0
    const isUnseen = unseen.test(char) && !(newlines === "keep" && (char === "\n" || char === "\t"))
    const odd = isUnseen || marks > MOST_MARKS
    const shown = odd ? charName(char) : char
    const last = pieces.at(-1)
    if (last !== undefined && last.odd === odd && !odd) last.text += shown
    else pieces.push({ text: shown, odd })
  }
  return pieces
}
