/* When a request was sent, as far as a server can tell. Whether a spent token comes back,
 * or was sent twice in one moment by a client in haste, is a matter of when: what was on
 * its way before the first was answered is not a replay.
 *
 * The first request of a connection may have been on its way since the connection was
 * made. And a client that keeps its connections open makes another one only while the
 * others are busy: a new connection, just after an answer and beside the one that the
 * answer went to, was asked for before the answer was read. For clients that are slow in
 * their haste, an answer is held back for a moment: a client that has it comes after that
 * moment, and one that comes before it does not have it. */

import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"

import type { Team } from "../workers/team.ts"

export interface Arrival {
  /** In microseconds since 1970: two requests within a millisecond are still distinguished. */
  readonly at: number
  /** The first of its connection. */
  readonly isFirst: boolean
  readonly socket: Socket
}

const JUST_NOW_MS = 1000

// Noted on the objects themselves: every request does it, and a WeakMap is slow to write and to collect.
const CONNECTED_AT = Symbol("when the connection was made; only until its first request")
const ARRIVAL = Symbol("when the request arrived")
type Connected = Socket & { [CONNECTED_AT]?: number | undefined }
type Arrived = IncomingMessage & { [ARRIVAL]?: Arrival }

const { timeOrigin } = performance

export const instant = (): number => Math.round((timeOrigin + performance.now()) * 1000)

export function connected(socket: Connected): void {
  socket[CONNECTED_AT] = instant()
}

export function arrived(incoming: Arrived): void {
  const socket: Connected = incoming.socket
  const since = socket[CONNECTED_AT]
  incoming[ARRIVAL] = { at: since ?? instant(), isFirst: since !== undefined, socket }
  socket[CONNECTED_AT] = undefined
}

export const arrivalOf = (incoming: Arrived): Arrival =>
  incoming[ARRIVAL] ?? { at: instant(), isFirst: false, socket: incoming.socket }

export interface Successions {
  /** A token was spent: its successor may be answered when this resolves. `chain` names the tokens that come from one another. */
  spent(chain: string, by: Arrival): Promise<void>
  /** Whether a token that was spent at an instant is sent again, by somebody who could know. */
  isReplay(chain: string, spentAt: number, by: Arrival): boolean
}

/** `haste`: the milliseconds for which an answer is held back. */
export function successions(haste: number, team: Team): Successions {
  /** To whom a successor was given just now. */
  const answered = new Map<string, Pick<Socket, "destroyed">>()
  const note = (chain: string, socket: Pick<Socket, "destroyed">) => {
    answered.set(chain, socket)
    setTimeout(() => {
      if (answered.get(chain) === socket) answered.delete(chain)
    }, JUST_NOW_MS).unref()
  }
  // A connection of another worker is taken to be open still.
  team.answer("spent", (chain) => note(chain as string, { destroyed: false }))
  return {
    async spent(chain, { socket }) {
      if (haste > 0) await sleep(haste)
      if (team.size > 1) await team.ask("spent", chain)
      note(chain, socket)
    },
    isReplay(chain, spentAt, { at, isFirst, socket }) {
      if (at <= spentAt + haste * 1000) return false
      const first = answered.get(chain)
      const isBeside = isFirst && first !== undefined && first !== socket && !first.destroyed
      return !isBeside
    },
  }
}
