/* A lane: how the commands of a handle get to the server. The same handles run
 * directly, or recorded into a batch or a MULTI, because they only know a lane.
 *
 * `atomic` is for commands that belong together (a write and its deadline): they
 * are carried out as one, whatever the lane. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { Plan } from "../plan/plan.ts"
import type { OwnConnections } from "./own-connections.ts"

type Asking = Required<Pick<Driver, "ask">>

export interface Lane {
  readonly driver: Driver
  /** For commands that block: until something arrives (BLPOP), or until replicas have a write (WAIT). Absent where calls are recorded. */
  readonly ownConnections?: OwnConnections
  /** How long answers to operations are remembered, in milliseconds. Default: a minute. */
  readonly rememberMs?: number | undefined
  /** Sends straight to the server and passes the reply straight to its reader, where that is possible. */
  readonly direct?: Asking | undefined
  /** A key as errors may show it. */
  readonly show?: ((key: string) => string) | undefined
  send(command: Command, options?: CallOptions): Promise<Reply>
  atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]>
  script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply>
  /** Inside a transaction: takes writes whose result is not needed. */
  collect?(commands: readonly Command[]): Promise<void>
  /** Every write on this lane is such a write, whatever it would return. */
  readonly isBlind?: boolean
  /** Where a call is explained or reported as it is sent: records what it would write. */
  explain?(plan: Plan): void
  /** Where calls are recorded: registers the promise that the caller holds. */
  adopt?(call: Promise<unknown>): void
}

/** Straight to the server. */
export class DirectLane implements Lane {
  readonly driver: Driver
  readonly direct: Asking | undefined
  declare readonly ownConnections?: OwnConnections

  declare readonly rememberMs?: number | undefined
  declare readonly explain?: (plan: Plan) => void
  declare readonly show?: (key: string) => string

  constructor(
    driver: Driver,
    ownConnections?: OwnConnections,
    rememberMs?: number,
    tell?: (db: number, plan: Plan) => void,
    show?: (db: number, key: string) => string,
  ) {
    this.driver = driver
    this.rememberMs = rememberMs
    if (tell !== undefined) this.explain = (plan) => tell(driver.db, plan)
    if (show !== undefined) this.show = (key) => show(driver.db, key)
    this.direct = driver.ask === undefined ? undefined : (driver as Asking)
    if (ownConnections !== undefined) this.ownConnections = ownConnections
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    return this.driver.send(command, options)
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return throwFirst(await this.driver.multi(commands, options))
  }

  script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    return this.driver.run(script, keys, args, options)
  }
}

/** The replies, unless one of them is an error. */
export function throwFirst(replies: Reply[]): Reply[] {
  for (const reply of replies) if (reply instanceof KeywrightError) throw reply
  return replies
}
