/* State that belongs to something: the page of a list, the draft of a text. When that is another, the state
 * begins again in the same rendering. An effect that resets it would come later: after what somebody
 * has typed meanwhile, and after a question with the place of another list. */

import { useState } from "preact/hooks"

/** `const [offset, setOffset] = useStateOf(list.id, 0)` */
export function useStateOf<T>(owner: unknown, initial: T): [state: T, set: (next: T) => void] {
  const [held, setHeld] = useState({ owner, state: initial })
  return [held.owner === owner ? held.state : initial, (state) => setHeld({ owner, state })]
}
