/* A lane that knows some replies already: what a transaction has read ahead. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import type { Lane } from "./lane.ts"
import type { Plan } from "./plan.ts"

export class ReadAhead implements Lane {
  readonly driver: Driver
  readonly #base: Lane
  readonly #known = new Map<string, Reply>()

  constructor(base: Lane) {
    this.driver = base.driver
    this.#base = base
  }

  /** A key and what it holds, one after another: what was known stays. */
  learn(replies: readonly Reply[]): void {
    for (let i = 0; i < replies.length; i += 2) {
      const key = String(replies[i])
      if (!this.#known.has(key)) this.#known.set(key, replies[i + 1]!)
    }
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    const known = options?.bytes === true ? undefined : this.#answer(command)
    return known === undefined ? this.#base.send(command, options) : Promise.resolve(known)
  }

  atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return this.#base.atomic(commands, options)
  }

  script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    return this.#base.script(script, keys, args, options)
  }

  explain(plan: Plan): void {
    this.#base.explain?.(plan)
  }

  #answer([name, ...keys]: Command): Reply | undefined {
    const replies = (keys as string[]).map((key) => this.#known.get(key))
    if (name === "MGET")
      return replies.some((reply) => reply === undefined || Array.isArray(reply)) ? undefined : (replies as Reply[])
    const [reply] = replies
    if (reply === undefined || replies.length > 1) return undefined
    if (name === "GET") return Array.isArray(reply) ? undefined : reply
    return name === "SMEMBERS" && Array.isArray(reply) ? reply : undefined
  }
}
