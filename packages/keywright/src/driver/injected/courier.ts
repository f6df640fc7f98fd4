/* What Keywright needs of a client that was handed in. A courier carries single commands
 * and knows, for each, whether the client has written it: only then is its outcome
 * uncertain. InjectedDriver handles deadlines, retries and scripts. */

import type { Cancel } from "./cancel.ts"
import type { Command, Driver, Reply, SubscribeTo } from "../driver.ts"
import type { ListeningConnection } from "./injected-subscription.ts"

/** Goes with the commands of a call. */
export interface Ticket {
  /** Aborted when the deadline has passed: what the client has not written by then, it must never write. */
  readonly signal: Cancel
  /** Asking twice does no harm. */
  readonly safe: boolean
}

export interface Courier {
  readonly kind: Driver["kind"]
  readonly label: string
  readonly cluster: boolean
  readonly db: number
  /** Rejects with the server's error, with NotApplied when it was certainly not sent, or with OutcomeUnknown. */
  one(command: Command, bytes: boolean, ticket: Ticket): Promise<Reply>
  /** Work whose commands go over one connection, in order. Until there is one, the signal ends it. */
  together<T>(work: (one: Courier["one"]) => Promise<T>, signal: Cancel): Promise<T>
  /** The replies to MULTI, the commands and EXEC, errors in place. */
  multi(commands: readonly Command[], bytes: boolean, ticket: Ticket): Promise<Reply[]>
  /** Another connection, with the settings of the client, that listens. */
  listen(to: SubscribeTo, onLost: () => void): ListeningConnection
  database(db: number): Promise<Courier>
  dedicated(): Promise<Courier>
  primaries(): Promise<readonly Courier[]>
  /** Closes what was opened for it; never the client that was handed in. */
  close(): void
}
