/* Calls that are recorded first and sent together: a batch, or a MULTI.
 *
 * The calls inside get a client on this lane; their promises settle when the whole batch
 * has been carried out. Each call decodes its own replies, as always. A promise that
 * nobody awaits does not become an unhandled rejection: the batch handles it. */

import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../../driver/driver.ts"
import { isReadCommand } from "../../driver/read-commands.ts"
import { evalCommand } from "../../driver/script.ts"
import { callTooLate, multiHalfWritten } from "../../errors/batch.ts"
import { KeywrightError } from "../../errors/error.ts"
import { bounded } from "../call/deadline.ts"
import { throwFirst, type Lane } from "../call/lane.ts"
import { textOf } from "../call/reply.ts"

interface RecordedCall {
  readonly commands: readonly Command[]
  readonly bytes: boolean
  settle(replies: Reply[]): void
  fail(error: unknown): void
}

export class RecordingLane implements Lane {
  readonly driver: Driver
  readonly rememberMs: number | undefined
  readonly #calls: RecordedCall[] = []
  #refusal: unknown
  #isOver = false

  constructor(driver: Driver, rememberMs?: number) {
    this.driver = driver
    this.rememberMs = rememberMs
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

  adopt(call: Promise<unknown>): void {
    call.catch((error: unknown) => {
      if (!this.#isOver) this.#refusal ??= error
    })
  }

  /** Why a call was refused before it was recorded, if one was. */
  get refusal(): unknown {
    return this.#refusal
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  /** Nothing is sent, now or later. */
  refuse(error: unknown): void {
    for (const call of this.#take()) call.fail(error)
  }

  /** All that was recorded, as one MULTI. Throws when the server refused one call after another one had written. */
  async commitMulti(): Promise<void> {
    const calls = this.#take()
    if (calls.length === 0) return
    const replies = await this.#send("multi", calls)
    const refusal = replies.find((reply) => reply instanceof KeywrightError)
    if (refusal !== undefined && hasWritten(calls, replies)) throw multiHalfWritten(refusal)
  }

  /** All that was recorded, in its order and in one write; what belongs together stays together. */
  async commitBatch(): Promise<void> {
    const runs = runsOf(this.#take())
    // A client that was passed in only keeps the order of what it is given at once.
    if (runs.length < 2 || this.driver.kind === "resp" || this.driver.kind === "embedded") {
      await Promise.all(runs.map((run) => this.#commitRun(run)))
    } else {
      const whole = bounded(this.driver, undefined)
      for (const run of runs) await this.#commitRun(run, whole)
    }
  }

  async #commitRun(calls: readonly RecordedCall[], options?: CallOptions): Promise<void> {
    await this.#send(calls[0]!.commands.length > 1 ? "multi" : "batch", calls, options)
  }

  /** The replies, which the calls have by then; none when all of them have failed. */
  async #send(as: "multi" | "batch", calls: readonly RecordedCall[], options?: CallOptions): Promise<readonly Reply[]> {
    const commands = calls.flatMap((call) => call.commands)
    try {
      const replies = await this.driver[as](commands, withBytes(calls, options))
      handOut(calls, replies)
      return replies
    } catch (error) {
      for (const call of calls) call.fail(error)
      return []
    }
  }

  #take(): RecordedCall[] {
    this.#isOver = true
    return this.#calls.splice(0)
  }

  #record(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    if (this.#isOver) return Promise.reject(callTooLate())
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

/** Neighbours with one command each make one batch; those with several commands become a MULTI each. */
function runsOf(calls: readonly RecordedCall[]): RecordedCall[][] {
  const runs: RecordedCall[][] = []
  for (const call of calls) {
    const last = runs.at(-1)
    if (call.commands.length === 1 && last?.[0]!.commands.length === 1) last.push(call)
    else runs.push([call])
  }
  return runs
}

/** If one call wants bytes, the whole reply is read as bytes, and the others decode their text from it. */
const withBytes = (calls: readonly RecordedCall[], options?: CallOptions): CallOptions | undefined =>
  calls.some((call) => call.bytes) ? { ...options, bytes: true } : options

function handOut(calls: readonly RecordedCall[], replies: readonly Reply[]): void {
  const mixed = calls.some((call) => call.bytes)
  let at = 0
  for (const call of calls) {
    const own = replies.slice(at, (at += call.commands.length))
    call.settle(mixed && !call.bytes ? own.map(toText) : own)
  }
}

/** Whether a call that writes was carried out. */
function hasWritten(calls: readonly RecordedCall[], replies: readonly Reply[]): boolean {
  let at = 0
  return calls.some(({ commands }) => {
    const own = replies.slice(at, (at += commands.length))
    return !commands.every(isReadCommand) && !own.some((reply) => reply instanceof KeywrightError)
  })
}

export function toText(reply: Reply): Reply {
  if (reply instanceof Uint8Array) return textOf(reply)
  return Array.isArray(reply) ? reply.map(toText) : reply
}
