/** In milliseconds: some dozens of small requests. With 5, 700 busy connections kept a new one waiting for 8 s; with 2, for 70 ms. */
const LONGEST_TURN_MS = 2

export interface ShortTurns {
  /** Does this now, or when there is time. */
  do(work: () => void): void
  /** Somebody came: only one piece of work more is begun in this turn. */
  hurry(): void
}

/**
 * Work for which others are not to wait: in each turn of the event loop as much as fits into a few milliseconds, the
 * rest in the turns after it. In between, a new connection is accepted (Node accepts one in each turn) and what others
 * have sent is read. While connections keep coming, more of them may be waiting: then turns are as short as they can be,
 * because what a request does after it has begun also takes its time.
 */
export function shortTurns(): ShortTurns {
  const due: (() => void)[] = []
  /** When the first work of this turn began. */
  let began: number | undefined
  let isHurried = false

  const isOver = (): boolean => {
    const now = performance.now()
    if (began !== undefined) return isHurried || now - began >= LONGEST_TURN_MS
    began = now
    setImmediate(nextTurn)
    return false
  }
  const nextTurn = () => {
    began = undefined
    while (due.length > 0 && !isOver()) due.shift()!()
    isHurried = false
  }
  return {
    do(work) {
      if (due.length === 0 && !isOver()) work()
      else due.push(work)
    },
    hurry() {
      isHurried = true
    },
  }
}
