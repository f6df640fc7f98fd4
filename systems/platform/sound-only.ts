/* Numbers that their codec takes and nobody means: a quantity that is none, views below
 * zero, a score without end. Like what does not decode, they are left out and reported
 * (ALL-11). */

import { Undecodable, type ManyNotes } from "keywright"

/** The entries whose number is sound. `where` is the key, or the pattern when the key is a secret. */
export function soundOnly<E extends readonly [unknown, number]>(
  entries: readonly E[],
  isSound: (value: number) => boolean,
  where: { readonly pattern: string; readonly key?: string },
  { onUndecodable }: Pick<Required<ManyNotes>, "onUndecodable">,
): E[] {
  const { pattern, key = pattern } = where
  return entries.filter(([, value]) => {
    if (isSound(value)) return true
    onUndecodable(new Undecodable("VALUE.UNDECODABLE", "a number that nobody means", { pattern, key }))
    return false
  })
}
