/* What a call would do, without doing it. Reads are made, because what is written
 * may depend on them; the first write is shown and stops there. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../../driver/driver.ts"
import { wrapDriver } from "../../driver/wrap-driver.ts"
import type { Lane } from "../call/lane.ts"
import type { Plan } from "./plan.ts"

/**
 * What `$explain` returns: what a call would send.
 * @example
 * const explanation: Explanation = await db.$explain((db) => db.user.update("1", { name: "Ada" }))
 * for (const command of explanation.writes) console.log(command.join(" "))
 */
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

/** Thrown to leave the call once everything is known. */
class Explained extends Error {}

/** Scripts of ours that only read. */
const reading = new Set(["find", "follow"])

export class ExplainingLane implements Lane {
  readonly driver: Driver
  readonly #base: Lane
  readonly #reads: (readonly string[])[] = []
  #writes: (readonly string[])[] = []
  #script: Explanation["script"]

  constructor(base: Lane) {
    this.#base = base
    const { driver } = base
    this.driver = wrapDriver(driver, (other) => other, {
      close: () => Promise.resolve(),
      send: (command, options) => this.send(command, options),
      batch: (commands, options) => this.#batch(commands, options),
      multi: (commands, options) => this.atomic(commands, options),
      run: (script, keys, args, options) => this.script(script, keys, args, options),
    })
  }

  async send(command: Command, options?: CallOptions): Promise<Reply> {
    if (options?.safe !== true || !onlyReads(command)) return this.#stop([command])
    this.#reads.push(command.map(String))
    return this.#base.send(command, options)
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    if (options?.safe !== true || !commands.every(onlyReads)) this.#stop([["MULTI"], ...commands, ["EXEC"]])
    return this.#batch(commands, options)
  }

  async script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    if (reading.has(script.name)) {
      this.#reads.push(["EVALSHA", script.sha1, String(keys.length), ...keys.map(String), ...args.map(String)])
      return this.#base.script(script, keys, args, options)
    }
    this.#script = { name: script.name, sha1: script.sha1, keys: keys.map(String), args: args.map(String) }
    return this.#stop([])
  }

  /** Takes what a plan writes from the plan itself, before its script is sent. */
  explain(plan: Plan): void {
    this.#writes = [...plan.commands, ...(plan.replicas > 0 ? [["WAIT", String(plan.replicas)]] : [])]
  }

  get explanation(): Explanation {
    return { reads: this.#reads, writes: this.#writes, ...(this.#script && { script: this.#script }) }
  }

  async #batch(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    if (options?.safe !== true || !commands.every(onlyReads)) this.#stop(commands)
    for (const command of commands) this.#reads.push(command.map(String))
    return this.#base.driver.batch(commands, options)
  }

  #stop(commands: readonly Command[]): never {
    if (commands.length > 0) this.#writes = commands.map((command) => command.map(String))
    throw new Explained()
  }
}

/** Commands that may be sent again without harm, and yet write. */
const writing = /^(GETEX|P?EXPIRE|P?EXPIREAT|PERSIST|SET|DEL|UNLINK|[SZH]REM|SADD|ZADD|HDEL|HSET)$/
const onlyReads = ([name]: Command): boolean => !writing.test(String(name))

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
