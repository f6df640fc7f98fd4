/* A lane that knows some replies already: what a transaction has read ahead. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import type { Lane } from "./lane.ts"
import type { Plan } from "./plan.ts"

export class ReadAhead implements Lane {
  readonly driver: Driver
  readonly #base: Lane
  #known: Map<string, Reply> | undefined

  constructor(base: Lane) {
    this.driver = base.driver
    this.#base = base
  }

  /** A key and what it holds, one after another: what was known stays. */
  learn(replies: readonly Reply[]): void {
    const known = (this.#known ??= new Map())
    for (let i = 0; i < replies.length; i += 2) {
      const key = String(replies[i])
      if (!known.has(key)) known.set(key, replies[i + 1]!)
    }
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    const known = options?.bytes === true ? undefined : this.answer(command)
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

  /** The string at a key, or that there is none; undefined: it is not known. */
  text(key: string): Reply | undefined {
    const known = this.#known?.get(key)
    return Array.isArray(known) ? undefined : known
  }

  /** What GET or SMEMBERS would answer; undefined: it is not known. */
  answer(command: Command): Reply | undefined {
    if (this.#known === undefined || command.length !== 2) return undefined
    const key = command[1] as string
    if (command[0] === "GET") return this.text(key)
    const reply = this.#known.get(key)
    return command[0] === "SMEMBERS" && Array.isArray(reply) ? reply : undefined
  }
}
