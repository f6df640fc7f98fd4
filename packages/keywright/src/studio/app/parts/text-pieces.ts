/* Text of any origin, cut into what can be shown as it is and what cannot: control
 * characters, marks that turn the direction of writing, lone surrogates. Those are
 * shown by their numbers, so that nothing in a key hides or disguises itself. */

export interface Piece {
  readonly text: string
  /** Shown in place of a character that would not be seen. */
  readonly odd: boolean
}

const unseen = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Cn}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u

export function textPieces(text: string, newlines: "keep" | "show" = "show"): Piece[] {
  const pieces: { text: string; odd: boolean }[] = []
  for (const char of text) {
    const odd = unseen.test(char) && !(newlines === "keep" && (char === "\n" || char === "\t"))
    const shown = odd ? nameOf(char) : char
    const last = pieces.at(-1)
    if (last !== undefined && last.odd === odd && !odd) last.text += shown
    else pieces.push({ text: shown, odd })
  }
  return pieces
}

function nameOf(char: string): string {
  if (char === "\n") return "\\n"
  if (char === "\t") return "\\t"
  if (char === "\r") return "\\r"
  const code = char.codePointAt(0) ?? 0
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`
}
