import { secondsText } from "../../../render/quantity.ts"
import { now } from "../state/clock.ts"

interface Props {
  /** Milliseconds that were left; null for none. */
  readonly ms: number | null
  /** When they were, by this page's clock. */
  readonly at: number
  /** The server does not tell. */
  readonly refused?: boolean
}

/** The time that a key has left, counting down. */
export function Ttl({ ms, at, refused = false }: Props) {
  if (refused) return <span class="badge warn">not readable</span>
  if (ms === null) return <span class="quiet">none</span>
  const left = ms - Math.max(0, now.value - at)
  return left <= 0 ? <span class="badge warn">expired</span> : <span>{leftText(left)}</span>
}

const leftText = (ms: number): string => (ms < 1000 ? "under 1 s" : secondsText(Math.floor(ms / 1000)))
