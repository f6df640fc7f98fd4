/* What a call would do, without doing it. Reads are made, because what is written
 * may depend on them; the first write is shown and stops there. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import type { Lane } from "./lane.ts"
import type { Plan } from "./plan.ts"

export interface Explanation {
  /** Commands that were sent, because they only read. */
  readonly reads: readonly (readonly string[])[]
  /** Commands that would write, as one step where there is a script. */
  readonly writes: readonly (readonly string[])[]
  /** The script that would carry them out, and what it would be given. */
  readonly script?: {
    readonly name: string
    readonly sha1: string
    readonly keys: readonly string[]
    readonly args: readonly string[]
  }
}

/** Thrown through the call when all is known. */
class Explained extends Error {}

export class ExplainingLane implements Lane {
  readonly driver: Driver
  readonly #base: Lane
  readonly #reads: (readonly string[])[] = []
  #writes: (readonly string[])[] = []
  #script: Explanation["script"]

  constructor(base: Lane) {
    this.#base = base
    this.driver = base.driver
  }

  async send(command: Command, options?: CallOptions): Promise<Reply> {
    if (options?.safe !== true) return this.#stop([command])
    this.#reads.push(command.map(String))
    return this.#base.send(command, options)
  }

  async atomic(commands: readonly Command[]): Promise<Reply[]> {
    return this.#stop([["MULTI"], ...commands, ["EXEC"]])
  }

  async script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    if (options?.safe === true && script.name === "find") {
      this.#reads.push(["EVALSHA", script.sha1, String(keys.length), ...keys.map(String), ...args.map(String)])
      return this.#base.script(script, keys, args, options)
    }
    this.#script = { name: script.name, sha1: script.sha1, keys: keys.map(String), args: args.map(String) }
    return this.#stop([])
  }

  /** A plan says itself what it writes. */
  explain(plan: Plan): void {
    this.#writes = [...plan.writes]
  }

  get explanation(): Explanation {
    return { reads: this.#reads, writes: this.#writes, ...(this.#script && { script: this.#script }) }
  }

  #stop(commands: readonly Command[]): never {
    if (commands.length > 0) this.#writes = commands.map((command) => command.map(String))
    throw new Explained()
  }
}

/** Runs a call up to its first write. */
export async function explained(
  lane: () => ExplainingLane | undefined,
  call: () => Promise<unknown>,
): Promise<Explanation> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof Explained)) throw error
  }
  return lane()?.explanation ?? { reads: [], writes: [] }
}
