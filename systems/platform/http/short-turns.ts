/** In milliseconds: some dozens of small requests. With 5, 700 busy connections kept a new one waiting for 8 s; with 2, for 70 ms. */
const LONGEST_TURN_MS = 2
/** A turn that took longer, with all that its work did after it had begun, had too much of it. */
const LONG_TURN_MS = 10
/** After this, nothing more is to be read in a turn: what many clients send at once is otherwise all read in one. */
const LONGEST_READING_MS = 25
/** While somebody comes in each turn, only one in this many turns has work in it: accepting takes a hundredth of what work may. */
const HURRIED_TURNS = 16

export interface ShortTurns {
  /** Does this now, or when there is time and it is this client's turn. */
  do(client: string, work: () => void): void
  /** Somebody came, and others may be waiting behind: one piece of work is begun in a few turns. */
  hurry(): void
  /** Something was read: also that takes time. */
  read(): void
}

/**
 * Work for which others are not to wait: in each turn of the event loop as much is begun as fits into a few milliseconds,
 * the rest in the turns after it. In between, a new connection is accepted (Node accepts one in each turn) and what others
 * have sent is read. While connections keep coming, more of them may be waiting: then most turns have no work in them.
 * Clients take turns, so that one with a thousand connections keeps others waiting for only one of its requests.
 * What clients send is read before it is known to be work: in a turn that has become very long, `stopReading` is called.
 */
export function shortTurns(stopReading: () => void = () => {}): ShortTurns {
  /** By client; the next one is first. */
  const due = new Map<string, (() => void)[]>()
  /** When the first work of this turn began. */
  let began: number | undefined
  let begun = 0
  /** How many may begin in a turn: how long they take after that is not known before. */
  let mostBegun = 64
  let isHurried = false
  /** How many turns in a row somebody came in. */
  let hurried = 0

  const elapsed = (): number => {
    const now = performance.now()
    if (began === undefined) setImmediate(nextTurn)
    began ??= now
    return now - began
  }
  const isOver = (): boolean => {
    const ms = elapsed()
    const most = !isHurried ? mostBegun : hurried % HURRIED_TURNS === 0 ? 1 : 0
    if (begun >= most || (begun > 0 && ms >= LONGEST_TURN_MS)) return true
    begun += 1
    return false
  }
  const nextTurn = () => {
    mostBegun = performance.now() - began! > LONG_TURN_MS ? Math.ceil(mostBegun / 2) : mostBegun + 1
    began = undefined
    begun = 0
    hurried = isHurried ? hurried + 1 : 0
    while (due.size > 0 && !isOver()) next()()
    isHurried = false
  }
  const next = (): (() => void) => {
    const [client, own] = due.entries().next().value!
    due.delete(client)
    const work = own.shift()!
    if (own.length > 0) due.set(client, own)
    return work
  }
  return {
    do(client, work) {
      if (due.size === 0 && !isOver()) return work()
      const own = due.get(client)
      if (own === undefined) due.set(client, [work])
      else own.push(work)
    },
    hurry() {
      isHurried = true
    },
    read() {
      if (elapsed() >= LONGEST_READING_MS) stopReading()
    },
  }
}
