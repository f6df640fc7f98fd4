/* Where infer reads: a server or a file. Both hand over every key once and can be
 * asked again for single keys, to prove what the keys only suggest. */

import type { Wire } from "../../driver/driver.ts"
import type { DatabaseMiner } from "./mine/database-miner.ts"

/** A question about one key. */
export interface Probe {
  readonly db: number
  readonly key: string
  readonly type: string
  /** Only whether this member or field is in it. */
  readonly member?: string
}

export interface ProbeAnswer {
  /** Elements as the server returns them; for a `member`, the member itself or nothing. */
  readonly elements: readonly Wire[]
  /** When it goes away, on the server's clock; undefined for never. */
  readonly deadline: number | undefined
}

export interface KeySource {
  /** Hands every key to the miner of its database. */
  read(minerOf: (db: number) => DatabaseMiner): Promise<void>
  /** Answers in the order of the questions; undefined for keys that are not there, or not of that type. */
  ask(probes: readonly Probe[]): Promise<(ProbeAnswer | undefined)[]>
}

export type Ask = KeySource["ask"]
