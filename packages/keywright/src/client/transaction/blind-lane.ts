/* Writes of a transaction whose answer nobody needs: they are collected, and carried out
 * at the commit whatever the keys hold then. Nothing is read or compared for them, so
 * they never make a transaction retry. */

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
