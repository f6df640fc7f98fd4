/* Whether Redis answers. A call that found no connection makes it suspect, and from then on
 * it is asked a few times a second until it answers again; requests that need it are
 * refused at once meanwhile, and do not each wait for their deadline. After an error of
 * the server, or a late call, Redis is asked first: it may refuse one call and serve the
 * others, and a call may be late only because too many of our own were ahead of it. */

import { KeywrightError } from "keywright"
import type { Driver } from "./driver.ts"

export interface RedisState {
  readonly isUp: boolean
  /** A call failed because of Redis, with this error; without one: it got no answer. */
  suspect(error?: unknown): void
  /** Asks it now: it is up, or this throws what went wrong. */
  ping(): Promise<void>
  /** Called each time it is found to answer again. */
  onUp: () => void
  close(): void
}

const EVERY_MS = 200
const PATIENCE_MS = 1000

export function watchRedis(drivers: readonly Driver[]): RedisState {
  let isUp = true
  const closing = new AbortController()
  const ping = async () => {
    await Promise.all(drivers.map((driver) => driver.send(["PING"], { safe: true, timeoutMs: PATIENCE_MS })))
    if (isUp) return
    isUp = true
    state.onUp()
  }
  const probe = async () => {
    while (!state.isUp && !closing.signal.aborted) {
      try {
        await ping()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS).unref()) // Still away: ask again.
      }
    }
  }
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    let failure: unknown
    do failure = await ping().then(noFailure, (error: unknown) => error)
    while (isLate(failure) && !closing.signal.aborted)
    isAsking = false
    if (failure !== undefined) goAway()
  }
  const goAway = () => {
    if (!isUp || closing.signal.aborted) return
    isUp = false
    void probe()
  }
  const state: RedisState = {
    get isUp() {
      return isUp
    },
    suspect(error) {
      if (isUp && (isAnswer(error) || isLate(error))) void ask()
      else goAway()
    },
    ping,
    onUp() {},
    close() {
      closing.abort()
    },
  }
  return state
}

const noFailure = () => undefined

/**
 * On a connection that is there. One on which nothing comes any more is given up with the first call that is late, so a
 * call that is late after it, on the same connection, says that others are still answered.
 */
const isLate = (error: unknown): boolean =>
  error instanceof KeywrightError && error.code === "DRIVER.TIMEOUT" && error.cause === undefined
const isAnswer = (error: unknown): boolean => error instanceof KeywrightError && error.code.startsWith("SERVER.")
