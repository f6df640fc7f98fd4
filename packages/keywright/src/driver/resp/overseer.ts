/* What supervises a connection that is one of several: the router of a cluster, or what
 * asks sentinels for the primary. A connection without one decides everything by itself. */

import type { KeywrightError } from "../../errors/error.ts"
import type { Call } from "./call.ts"
import type { Connection } from "./connection.ts"
import type { Greeted } from "./link.ts"

export interface Overseer {
  /**
   * After this much silence from a server that owes answers, its link is ended. A primary that was paused for
   * longer answers what it had received before it learns that another has taken over: such answers must not
   * count.
   */
  readonly silenceMs: number
  /** A link was greeted. An error means that it is not the right server: the link is ended, and dialled again later. */
  greeted(greeted: Greeted): Error | undefined
  /** The link was lost, or none could be made. */
  unlinked(error: unknown): void
  /** The server refused a call and carried nothing out. True: the overseer has taken care of it. */
  refused(call: Call, error: KeywrightError, from: Connection): boolean
  /** Notes on the error of a call which server it failed at. */
  failed?(call: Call, error: Error): void
  /** Whether it sends refused commands of a batch again by itself, one by one. */
  readonly takesBatches: boolean
}
