import { localDay } from "../../../platform/days.ts"

/** Offsets of time zones are whole multiples of this. */
const PIECE_MS = 30_000
const MOST = 50_000

/** The day of an instant in a time zone, for many instants that are close together. */
export function dayOfMillis(timeZone: string): (ms: number) => string {
  const dayOf = localDay(timeZone)
  const known = new Map<number, string>()
  return (ms) => {
    const piece = Math.floor(ms / PIECE_MS)
    const day = known.get(piece) ?? dayOf(new Date(ms))
    if (known.size >= MOST) known.clear()
    known.set(piece, day)
    return day
  }
}
