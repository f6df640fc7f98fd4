/* Keys as they may be printed: what a secret parameter holds is left out. */

import { atomOf } from "../values/atoms.ts"
import { showUnknown } from "../../model/unknown-patterns.ts"
import type { Pattern } from "../mine/pattern.ts"
import { keyOf, paramsIn } from "../mine/records.ts"

/** Whatever its name: an unguessable text may grant access to something. */
const looksSecret = (text: string): boolean => {
  const atom = atomOf(text)
  return atom === "token" || atom === "uuid" || (atom === "hex" && text.length >= 24)
}

export function exampleOf(pattern: Pattern, key: string, isSecret: (param: number) => boolean): string {
  const texts = paramsIn(pattern, key)
  if (texts.length !== pattern.row.params.length) return showUnknown(key)
  const shown = keyOf(
    pattern,
    texts.map((text, i) => (isSecret(i) || looksSecret(text) ? "…" : text)),
  )
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown
}
