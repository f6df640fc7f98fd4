/* What an error among the replies of a batch means to those that read.
 *
 * Keys go and change their type while they are read: that is not a failure, and what is wrong with a type is a finding of
 * its own. Every other error (a user without permission, a server that is loading) means that this could not be read:
 * taken for "there is nothing", it would make a report say less than there is. */

import { setTimeout as sleep } from "node:timers/promises"
import type { CallOptions, Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { isReadCommand } from "../../driver/read-commands.ts"
import { passesByItself } from "../../driver/server-errors.ts"
import { KeywrightError } from "../../errors/error.ts"
import { showWire } from "./wire.ts"

/** Whether a reply says that something could not be read; that the key has gone or has another type is not meant. */
export const isRefusal = (reply: Reply | undefined): reply is KeywrightError =>
  typeof reply === "object" &&
  reply instanceof KeywrightError &&
  reply.code !== "SERVER.WRONGTYPE" &&
  !/^ERR no such key/i.test(reply.message)

/** It would be as large the next time. */
export const isTooLarge = (error: unknown): error is TooLarge =>
  error instanceof KeywrightError && error.code === "DRIVER.REPLY_TOO_LARGE"

type TooLarge = KeywrightError & { readonly code: "DRIVER.REPLY_TOO_LARGE" }

const TOO_LARGE = "it has more bytes than a reply may have (`replyBytes`)"

/** What the server said, without the name of the key, which may be secret. */
export function reasonOfRefusal(refusal: KeywrightError, key: Wire | undefined): string {
  if (isTooLarge(refusal)) return TOO_LARGE
  return key === undefined ? refusal.message : refusal.message.replaceAll(showWire(key), "…")
}

/** A server that does not have this command, as those before its version. */
export const isUnknownCommand = (reply: Reply | undefined): boolean =>
  isRefusal(reply) && /unknown command/i.test(reply.message)

const ALSO_READ = new Set<unknown>("DUMP HSCAN MEMORY OBJECT SSCAN XINFO XPENDING ZSCAN".split(" "))

/** Here cursors too, which go to the same node again. */
const isReading = (command: Command): boolean => isReadCommand(command) || ALSO_READ.has(command[0])

const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 1000

/** As `batch`; reads that the server refused for a reason that passes by itself are asked again until the deadline. */
export async function batchPatiently(
  driver: Driver,
  commands: readonly Command[],
  timeoutMs: number,
  options: CallOptions,
): Promise<Reply[]> {
  const replies = await repliesThatFit(driver, commands, options)
  const until = performance.now() + timeoutMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const open: number[] = []
    for (let i = 0; i < replies.length; i++)
      if (isRefusal(replies[i]) && passesByItself(replies[i]) && isReading(commands[i]!)) open.push(i)
    if (open.length === 0 || performance.now() + pause > until) return replies
    await sleep(pause, undefined, options.signal && { signal: options.signal })
    const again = await driver.batch(
      open.map((i) => commands[i]!),
      options,
    )
    open.forEach((i, at) => (replies[i] = again[at]!))
  }
}

/** A reply that is too large is that of one command: who can store it must not keep all others from being read. */
async function repliesThatFit(driver: Driver, commands: readonly Command[], options: CallOptions): Promise<Reply[]> {
  try {
    return await driver.batch(commands, options)
  } catch (error) {
    if (!isTooLarge(error) || !commands.every(isReading)) throw error
    if (commands.length === 1) return [error]
    const replies: Reply[] = []
    for (const command of commands) replies.push(...(await repliesThatFit(driver, [command], options)))
    return replies
  }
}

/** A command that the server refused, and why. */
export interface RefusedRead {
  /** `"PTTL"`, `"MEMORY USAGE"` */
  readonly command: string
  readonly reason: string
}

const WITH_SUBCOMMANDS = new Set<unknown>("ACL CONFIG LATENCY MEMORY OBJECT SLOWLOG XINFO".split(" "))

/** What was refused of one key or one server, a line for each command. */
export class RefusedReads {
  readonly #reasons = new Map<string, string>()

  note(command: Command, refusal: KeywrightError, key?: Wire): void {
    const name = command.slice(0, WITH_SUBCOMMANDS.has(command[0]) ? 2 : 1).join(" ")
    this.#reasons.set(name, reasonOfRefusal(refusal, key))
  }

  /** Notes those of these replies that are refusals. */
  noteAll(commands: readonly Command[], replies: readonly Reply[], key: Wire): void {
    replies.forEach((reply, i) => isRefusal(reply) && this.note(commands[i]!, reply, key))
  }

  /** As a part of a result; nothing when all was read. */
  result(): { readonly unreadable?: readonly RefusedRead[] } {
    if (this.#reasons.size === 0) return {}
    return { unreadable: [...this.#reasons].map(([command, reason]) => ({ command, reason })) }
  }
}

/** The same driver, which notes every read that the server refuses; the driver is one that `patient` made. */
export function noting(driver: Driver, note: (command: Command, refusal: KeywrightError) => void): Driver {
  const batch: Driver["batch"] = async (commands, options) => {
    const replies = await driver.batch(commands, options)
    for (let i = 0; i < replies.length; i++) if (isRefusal(replies[i])) note(commands[i]!, replies[i] as KeywrightError)
    return replies
  }
  /** One refused command discards a whole transaction: the others are asked again without it. */
  const multi: Driver["multi"] = async (commands, options) => {
    try {
      return await driver.multi(commands, options)
    } catch (error) {
      if (!(error instanceof KeywrightError) || error.code !== "SERVER.EXECABORT") throw error
      const replies = await batch(commands, options)
      const left = commands.flatMap((_, i) => (isRefusal(replies[i]) ? [] : [i]))
      if (left.length === commands.length) throw error
      const found = await driver.multi(
        left.map((i) => commands[i]!),
        options,
      )
      left.forEach((i, at) => (replies[i] = found[at]!))
      return replies
    }
  }
  return Object.assign(Object.create(driver) as Driver, { batch, multi })
}
