/* When a request was sent, as far as a server can tell. A spent token may be replayed, or a
 * client may have sent it twice at the same moment. Only time tells them apart: a request
 * that was on its way before the first one was answered is not a replay.
 *
 * The first request of a connection may have been on its way since the connection was
 * made. And a client that keeps its connections open makes another one only while the
 * others are busy: a new connection from the same address, just after an answer and beside
 * the one that the answer went to, was asked for before the answer was read. From another
 * address it is somebody else. For clients whose second request is slow, an answer is held
 * back for a moment (`haste`): a request that arrives within that moment was sent without
 * knowing the answer.
 *
 * A second use that is not a replay is still refused. So a thief who comes second gets
 * nothing; and if the thief came first, the owner has only the spent token, and using it
 * again is a replay. */

import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"

import type { Team } from "../workers/team.ts"
import { type AddressOf, UNKNOWN } from "./client-address.ts"

export interface Arrival {
  /** In microseconds since 1970: two requests within a millisecond are still distinguished. */
  readonly at: number
  /** The first of its connection. */
  readonly isFirst: boolean
  readonly socket: Socket
  /** Where it came from, as far as can be told. */
  readonly address: string
}

const JUST_NOW_MS = 1000

// Noted on the objects themselves: every request does it, and a WeakMap is slow to write and to collect.
const CONNECTED_AT = Symbol("when the connection was made; only until its first request")
const ARRIVAL = Symbol("when the request arrived")
type Connected = Socket & { [CONNECTED_AT]?: number | undefined }
type Arrived = IncomingMessage & { [ARRIVAL]?: Omit<Arrival, "address"> }

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

export const arrivalOf = (incoming: Arrived, addressOf: AddressOf): Arrival => ({
  ...(incoming[ARRIVAL] ?? { at: instant(), isFirst: false, socket: incoming.socket }),
  address: addressOf(incoming),
})

export interface Successions {
  /** A token was spent: its successor may be answered when this resolves. `chain` names the tokens that come from one another. */
  spent(chain: string, by: Arrival): Promise<void>
  /** Whether a token that was spent at an instant is sent again, by somebody who could know. */
  isReplay(chain: string, spentAt: number, by: Arrival): boolean
}

/** To whom a successor was given just now. */
interface Answered {
  readonly socket: Pick<Socket, "destroyed">
  readonly address: string
}

/** `haste`: the milliseconds for which an answer is held back. */
export function successions(haste: number, team: Team): Successions {
  const answered = new Map<string, Answered>()
  const note = (chain: string, to: Answered) => {
    answered.set(chain, to)
    setTimeout(() => {
      if (answered.get(chain) === to) answered.delete(chain)
    }, JUST_NOW_MS).unref()
  }
  // A connection of another worker is taken to be open still.
  team.answer("spent", (about) => {
    const { chain, address } = about as { chain: string; address: string }
    note(chain, { socket: { destroyed: false }, address })
  })
  return {
    async spent(chain, { socket, address }) {
      if (haste > 0) await sleep(haste)
      if (team.size > 1) await team.ask("spent", { chain, address })
      note(chain, { socket, address })
    },
    isReplay(chain, spentAt, { at, isFirst, socket, address }) {
      if (at <= spentAt + haste * 1000) return false
      const to = answered.get(chain)
      if (!isFirst || to === undefined || to.socket === socket || to.socket.destroyed) return true
      return address === UNKNOWN || address !== to.address
    },
  }
}
