/* Writes of a transaction that nobody needs an answer from: they are collected, and
 * carried out at the commit whatever is there then. Nothing is read for them, and nothing
 * is compared, so they never make a transaction try again. */

import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { blindRead, transactionScript } from "../../errors/transaction.ts"
import type { Lane } from "../call/lane.ts"
import type { Attempt } from "./attempt.ts"

export class BlindLane implements Lane {
  readonly driver: Driver
  readonly isBlind = true
  readonly #attempt: Attempt

  constructor(attempt: Attempt) {
    this.driver = attempt.driver
    this.#attempt = attempt
  }

  collect(commands: readonly Command[]): Promise<void> {
    return this.#attempt.collect(commands)
  }

  async send([name]: Command): Promise<Reply> {
    throw blindRead(String(name))
  }

  async atomic([first]: readonly Command[]): Promise<Reply[]> {
    throw blindRead(String(first?.[0]))
  }

  async script(script: { readonly name: string }): Promise<Reply> {
    throw transactionScript(script.name)
  }
}
