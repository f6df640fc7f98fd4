/* Calls that are recorded first and sent together: a batch, or a MULTI.
 *
 * The calls inside get a client on this lane; their promises settle when the whole
 * was carried out. Each call decodes its own replies, as always. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import { evalCommand } from "../driver/script.ts"
import { KeywrightError } from "../errors/error.ts"
import { throwFirst, type Lane } from "./lane.ts"

interface Recorded {
  readonly commands: readonly Command[]
  readonly bytes: boolean
  settle(replies: Reply[]): void
  fail(error: unknown): void
}

export class RecordingLane implements Lane {
  readonly driver: Driver
  readonly resends: boolean
  readonly #calls: Recorded[] = []

  constructor(driver: Driver) {
    this.driver = driver
    this.resends = driver.resends
  }

  async send(command: Command, options?: CallOptions): Promise<Reply> {
    const [reply] = await this.#record([command], options)
    return reply!
  }

  atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return this.#record(commands, options)
  }

  async script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    const [reply] = await this.#record([evalCommand(script, keys, args)], options)
    return reply!
  }

  /** All that was recorded, as one MULTI. */
  async commitMulti(options?: CallOptions): Promise<void> {
    const calls = this.#calls.splice(0)
    if (calls.length === 0) return
    try {
      const replies = await this.driver.multi(
        calls.flatMap((call) => call.commands),
        withBytes(calls, options),
      )
      handOut(calls, replies)
    } catch (error) {
      for (const call of calls) call.fail(error)
    }
  }

  /** All that was recorded, in one write; what belongs together stays together. */
  async commitBatch(options?: CallOptions): Promise<void> {
    const calls = this.#calls.splice(0)
    const single = calls.filter((call) => call.commands.length === 1)
    const joined = calls.filter((call) => call.commands.length > 1)
    const all =
      single.length === 0
        ? undefined
        : this.driver.batch(
            single.map((call) => call.commands[0]!),
            withBytes(single, options),
          )
    await Promise.all([
      all
        ?.then((replies) => handOut(single, replies))
        .catch((error: unknown) => single.forEach((call) => call.fail(error))),
      ...joined.map((call) =>
        this.driver.multi(call.commands, withBytes([call], options)).then(
          (replies) => call.settle(replies),
          (error: unknown) => call.fail(error),
        ),
      ),
    ])
  }

  #record(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return new Promise((settle, fail) => {
      this.#calls.push({
        commands,
        bytes: options?.bytes === true,
        settle: (replies) => {
          try {
            settle(throwFirst(replies))
          } catch (error) {
            fail(error)
          }
        },
        fail,
      })
    })
  }
}

/** One call that wants bytes makes the whole come as bytes; the others get their text from it. */
const withBytes = (calls: readonly Recorded[], options?: CallOptions): CallOptions | undefined =>
  calls.some((call) => call.bytes) ? { ...options, bytes: true } : options

function handOut(calls: readonly Recorded[], replies: readonly Reply[]): void {
  const mixed = calls.some((call) => call.bytes)
  let at = 0
  for (const call of calls) {
    const own = replies.slice(at, (at += call.commands.length))
    call.settle(mixed && !call.bytes ? own.map(toText) : own)
  }
}

const toText = (reply: Reply): Reply =>
  reply instanceof Uint8Array
    ? Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString()
    : Array.isArray(reply) && !(reply instanceof KeywrightError)
      ? reply.map(toText)
      : reply
