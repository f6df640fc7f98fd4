/* A lane: how the commands of a handle get to the server. The same handles run
 * directly, or recorded into a batch or a MULTI, because they only know a lane.
 *
 * `atomic` is for commands that belong together (a write and its deadline): they
 * are carried out as one, whatever the lane. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import { KeywrightError } from "../errors/error.ts"

export interface Lane {
  readonly driver: Driver
  /** What is sent may be sent again when its reply was lost: effects that add up then need an operation id. */
  readonly resends: boolean
  send(command: Command, options?: CallOptions): Promise<Reply>
  atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]>
  script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply>
}

/** Straight to the server. */
export class DirectLane implements Lane {
  readonly driver: Driver
  readonly resends: boolean
  constructor(driver: Driver) {
    this.driver = driver
    this.resends = driver.resends
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
