/* Bodies that are still arriving. Anybody may begin to send one, and a thousand clients that
 * each stop one byte before the end would keep a gigabyte here until their time is up. So all of
 * them together have a bound, and beyond it the largest gives way: those of honest clients
 * are small, or arrive at once. */

export interface ArrivingBody {
  /** Bytes that are there. */
  size: number
  /** Where it is in the list of all; -1: not there. A Set would keep many of them alive long after their requests. */
  position: number
  /** Forgets them, and refuses the request. */
  readonly giveWay: () => void
}

export interface ArrivingBodies {
  /** More of it came. */
  grow(body: ArrivingBody, bytes: number): void
  /** It is complete, or nobody waits for it any more. */
  forget(body: ArrivingBody): void
}

/** For one process: as many as 64 of the largest that most routes accept. */
export const MOST_ARRIVING = 64 * 1024 * 1024

export function arrivingBodies(): ArrivingBodies {
  const open: ArrivingBody[] = []
  let total = 0
  const forget = (body: ArrivingBody): void => {
    const { position } = body
    if (position < 0) return
    const last = open.pop()!
    last.position = position
    if (last !== body) open[position] = last
    body.position = -1
    total -= body.size
  }
  return {
    grow(body, bytes) {
      if (body.position < 0) body.position = open.push(body) - 1
      body.size += bytes
      total += bytes
      if (total <= MOST_ARRIVING) return
      // One is enough: it is at least as large as what came just now.
      const largest = open.reduce((one, other) => (other.size > one.size ? other : one))
      forget(largest)
      largest.giveWay()
    },
    forget,
  }
}
