import { type ClientTurns, clientTurns } from "./client-turns.ts"
import { unavailable } from "./http/problem.ts"
import { tooMany } from "./limits/limits.ts"

/**
 * Work for somebody that takes the longer the more they have: only a few at once of each, the others in the order in which
 * they were asked for. So those who have much, and ask for it many times at once, keep themselves waiting and nobody else.
 * 429 when too many wait: those who asked may be gone, and the work would still wait.
 */
export function fewAtOnce(most: number, mostWaiting = 1024) {
  const busy = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const own = busy.get(name) ?? { running: 0, waiting: [] }
    busy.set(name, own)
    if (own.running < most) own.running += 1
    else if (own.waiting.length >= mostWaiting) throw tooMany("too many of your requests are waiting", 1000)
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      if (next !== undefined) next()
      else if ((own.running -= 1) === 0) busy.delete(name)
    }
  }
}

/** The same where the work needs Redis. */
export function fewWhileUp(redis: { readonly isUp: boolean }, most: number) {
  const inTurn = fewAtOnce(most)
  return <T>(name: string, work: () => Promise<T>): Promise<T> => inTurn(name, whileUp(redis, work))
}

/** The turns of everybody together: more than Redis needs to be busy, and fewer than other requests would notice. */
const OF_ALL = 32

/** Turns of clients, for `fewOfEach`. */
export const turnsOfAll = (): ClientTurns => clientTurns({ parallel: OF_ALL, what: "requests" })

/**
 * The same where one client may have as many names as it likes, because it makes accounts or sessions: of all names together
 * a few are at work, and the clients behind them take turns.
 */
export function fewOfEach(redis: { readonly isUp: boolean }, most: number, ofClients = turnsOfAll()) {
  const inTurn = fewWhileUp(redis, most)
  return <T>(name: string, client: string, work: () => Promise<T>): Promise<T> =>
    inTurn(name, () => ofClients(client, whileUp(redis, work)))
}

/** Those who waited while Redis went away hear so at once, not one after another (ALL-10). */
export const whileUp =
  <T>(redis: { readonly isUp: boolean }, work: () => Promise<T>) =>
  (): Promise<T> => {
    checkUp(redis)
    return work()
  }

/** 503 while Redis is away. */
export function checkUp(redis: { readonly isUp: boolean }): void {
  if (!redis.isUp) throw unavailable("redis_unavailable", "Redis does not answer")
}
