/* Text of any origin, cut into what can be shown as it is and what cannot: control
 * characters, marks that turn the direction of writing, lone surrogates, which are shown
 * by their numbers. */

import { charName, unseen } from "../../../render/unseen.ts"

export interface Piece {
  readonly text: string
  /** Shown in place of a character that would not be seen. */
  readonly odd: boolean
}

export function textPieces(text: string, newlines: "keep" | "show" = "show"): Piece[] {
  const pieces: { text: string; odd: boolean }[] = []
  for (const char of text) {
    const odd = unseen.test(char) && !(newlines === "keep" && (char === "\n" || char === "\t"))
    const shown = odd ? charName(char) : char
    const last = pieces.at(-1)
    if (last !== undefined && last.odd === odd && !odd) last.text += shown
    else pieces.push({ text: shown, odd })
  }
  return pieces
}
