/**
 * Work that others are not to wait for, one piece in each turn of the event loop: in between, a new connection is accepted
 * (Node accepts one in each turn) and what others have sent is read.
 */
export function oneEachTurn(): (work: () => void) => void {
  const due: (() => void)[] = []
  const turn = () => {
    const work = due.shift()!
    if (due.length > 0) setImmediate(turn)
    work()
  }
  return (work) => {
    if (due.push(work) === 1) setImmediate(turn)
  }
}
