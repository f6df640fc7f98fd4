/** In milliseconds: some dozens of small requests. With 5, 700 busy connections kept a new one waiting for 8 s; with 2, for 70 ms. */
const LONGEST_TURN_MS = 2

/**
 * Work for which others are not to wait: in each turn of the event loop as much as fits into a few milliseconds, the
 * rest in the turns after it. In between, a new connection is accepted (Node accepts one in each turn) and what others
 * have sent is read.
 */
export function shortTurns(): (work: () => void) => void {
  const due: (() => void)[] = []
  /** When the first work of this turn began. */
  let began: number | undefined

  const isOver = (): boolean => {
    const now = performance.now()
    if (began === undefined) {
      began = now
      setImmediate(nextTurn)
    }
    return now - began >= LONGEST_TURN_MS
  }
  const nextTurn = () => {
    began = undefined
    while (due.length > 0 && !isOver()) due.shift()!()
  }
  return (work) => {
    if (due.length === 0 && !isOver()) work()
    else due.push(work)
  }
}
