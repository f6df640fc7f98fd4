import { connected, ended } from "../state/events.ts"
import { serverOf } from "../state/server-of.ts"
import { pulses } from "../state/studio.ts"

/** Says so when what is shown does not move any more: the studio is gone, or a server is. */
export function Connection() {
  const text = ended.value
    ? "The studio has stopped: this page shows the last known state. Start it again and open the link that it prints."
    : connected.value
      ? awayText()
      : "No connection to the studio. Trying again…"
  return text === undefined ? null : (
    <p class="banner" role="status">
      {text}
    </p>
  )
}

function awayText(): string | undefined {
  const away = Object.values(pulses.value).filter(({ up }) => !up)
  if (away.length === 0) return undefined
  const servers = [...new Set(away.map(({ system }) => serverOf(system)))]
  return `No answer from ${servers.join(" and ")}: this page shows the last known state.`
}
