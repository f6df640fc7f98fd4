import { connected, ended } from "../state/events.ts"

/** Says so when what is shown does not move any more. */
export function Connection() {
  if (ended.value)
    return (
      <p class="banner" role="status">
        The studio has ended: what you see is how things were. Start it again and open the link that it prints.
      </p>
    )
  if (connected.value) return null
  return (
    <p class="banner" role="status">
      No connection to the studio. Trying again…
    </p>
  )
}
