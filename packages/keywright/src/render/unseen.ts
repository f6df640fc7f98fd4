/* Characters that nobody would see: they are shown by their numbers, so that nothing hides or disguises itself. */

/** Never seen, or acting on what is around it. */
export const unseen =
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Cn}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u

/** `"\\n"`, `"\\x1b"`, `"\\u{200b}"` */
export function charName(char: string): string {
  if (char === "\n") return "\\n"
  if (char === "\t") return "\\t"
  if (char === "\r") return "\\r"
  const code = char.codePointAt(0)!
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`
}
