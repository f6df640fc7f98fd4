/* What a connected client has besides its entries, under names that begin with $. */

import type { Driver } from "../driver/driver.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { Client } from "./client.ts"

/** The results of several calls, in order. */
export type Results<T extends readonly unknown[]> = { -readonly [N in keyof T]: Awaited<T[N]> }

export interface Toolbox<E, R, Q> {
  /** Several calls in one write and one wait; not atomic. */
  $batch<const T extends readonly unknown[]>(calls: (db: Client<E, "", Q, never, E, R>) => T): Promise<Results<T>>
  /** Several calls as one: all of them or none (MULTI … EXEC). */
  $multi<const T extends readonly unknown[]>(calls: (db: Client<E, "", Q, never, E, R>) => T): Promise<Results<T>>
  readonly $keyspace: Keyspace<E, R, Q>
  /** The driver of a logical database: for commands that no handle has. */
  $driver(db?: number): Driver
  /** Where this client is connected to, for people. */
  readonly $label: string
  /** Closes what was opened. A client that was handed in stays as it is. */
  $close(): Promise<void>
}
