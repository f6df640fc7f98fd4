/* Names and times reported by a server or a file: they may be anything. */

/** A table by such names: what every object inherits is not in it. A module may call its type `__proto__`. */
export const tableOf = <T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, rows)

/** The last moment that a calendar of JavaScript has, and the first before 1970, in milliseconds. */
const FARTHEST = 8.64e15

/** A moment as ISO text: the closest one that there is. */
export const instantText = (ms: number): string =>
  new Date(Math.max(-FARTHEST, Math.min(FARTHEST, Number.isNaN(ms) ? 0 : ms))).toISOString()
