/* Bodies that are still arriving. Anybody may begin to send one, and a thousand clients that
 * each stop one byte before the end would keep a gigabyte here until their time is up. So all of
 * them together have a bound, and beyond it the largest gives way: those of honest clients
 * are small, or arrive at once. */

export interface ArrivingBody {
  /** Bytes that are there. */
  size: number
  /** Forgets them, and refuses the request. */
  readonly giveWay: () => void
}

export interface ArrivingBodies {
  /** More of it came. */
  grow(body: ArrivingBody, bytes: number): void
  /** It is complete, or nobody waits for it any more. */
  forget(body: ArrivingBody): void
}

/** Of one process: as many as 64 of the largest that most routes accept. */
export const MOST_ARRIVING = 64 * 1024 * 1024

export function arrivingBodies(most = MOST_ARRIVING): ArrivingBodies {
  const open = new Set<ArrivingBody>()
  let total = 0
  const forget = (body: ArrivingBody): void => {
    if (open.delete(body)) total -= body.size
  }
  return {
    grow(body, bytes) {
      open.add(body)
      body.size += bytes
      total += bytes
      if (total <= most) return
      // One is enough: it is at least as large as what came just now.
      const largest = [...open].reduce((one, other) => (other.size > one.size ? other : one))
      forget(largest)
      largest.giveWay()
    },
    forget,
  }
}
