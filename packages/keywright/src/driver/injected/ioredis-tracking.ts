/* Commands for ioredis that know whether they were written, and are written once.
 *
 * ioredis resends any command whose reply was lost, which can apply an increment twice.
 * It also keeps queued commands indefinitely. Both are stopped in `toWritable`, which
 * ioredis calls each time it puts a command on the wire: there, a command whose time has
 * passed, or that was written before without an answer, becomes a PING, whose reply
 * nobody waits for. */

import type { Cancel } from "./cancel.ts"
import type { IoCommand, IoCommandClass } from "./ioredis-shape.ts"
import { looksLikeReply } from "../server-errors.ts"

const HARMLESS = "*1\r\n$4\r\nPING\r\n"

/** One for each call; the commands of a transaction share it. */
export class CallTracking {
  /** Written, and not answered with an error since. */
  sent = false
  /** Written, and then the client lost its connection before an answer came. */
  wasLost = false
  readonly #signal: Cancel
  readonly #safe: boolean
  readonly #lost: (() => void)[] = []
  #over = false

  constructor(signal: Cancel, safe: boolean) {
    this.#signal = signal
    this.#safe = safe
  }

  get mayGo(): boolean {
    return !this.#over && !this.#signal.aborted
  }

  /** The connection is gone; `resends` if the client sends again what was not answered. */
  disconnected(resends: boolean): void {
    if (this.sent) this.wasLost = true
    if (this.sent && !(resends && this.#safe)) this.lost()
  }

  /** Whether it may be sent again when no answer came. */
  get repeatable(): boolean {
    return !this.sent || this.#safe
  }

  onLost(listener: () => void): void {
    this.#lost.push(listener)
  }

  /** No answer will come, or none that can be trusted. */
  lost(): void {
    this.#over = true
    for (const listener of this.#lost) listener()
  }
}

export interface TrackedCommand {
  readonly command: IoCommand
  /** Settles with the raw reply, or with ioredis' error, or when the command would be sent a second time. */
  readonly reply: Promise<unknown>
}

export class WouldRepeat extends Error {}

/** `redirects`: let a cluster client follow MOVED and ASK; not inside of a transaction. `slot`: only in a cluster. */
export function track(
  Command: IoCommandClass,
  name: string,
  args: readonly (string | Buffer)[],
  flight: CallTracking,
  redirects: boolean,
  slot?: number | null,
): TrackedCommand {
  // In upper case ioredis applies none of the transformations that it knows by name.
  const command = new Command(name.toUpperCase(), args, { replyEncoding: null })
  if (slot !== undefined) command.slot = slot
  let writtenHere = false
  const write = command.toWritable.bind(command)
  command.toWritable = (socket) => {
    const again = writtenHere && flight.sent
    if (again && !flight.repeatable) flight.lost()
    if (!flight.mayGo || (again && !flight.repeatable)) return HARMLESS
    if (again) flight.wasLost = true
    writtenHere = true
    flight.sent = true
    return write(socket)
  }
  const reply = new Promise<unknown>((resolve, reject) => {
    flight.onLost(() => reject(new WouldRepeat("the connection was lost")))
    const fail = (error: Error) => {
      reject(error)
      // After `commandTimeout`, for example, ioredis still has it in its queue.
      if (!isReply(error)) flight.lost()
    }
    watchReject(command, flight, redirects, fail)
    command.promise.then(resolve, fail)
  })
  return { command, reply }
}

/** Errors go to the cluster client only where sending again is harmless. */
function watchReject(
  command: IoCommand,
  flight: CallTracking,
  redirects: boolean,
  reject: (error: Error) => void,
): void {
  const judge = (inner: IoCommand["reject"]) => (error: Error) => {
    if (isReply(error)) {
      if (redirects) flight.sent = false
    } else {
      if (flight.sent) flight.wasLost = true
      if (!flight.repeatable) return reject(error)
    }
    if (redirects) inner.call(command, error)
    else reject(error)
  }
  if (command.slot === undefined) {
    command.reject = judge(command.reject)
    return
  }
  let current = command.reject
  Object.defineProperty(command, "reject", {
    configurable: true,
    get: () => judge(current),
    set: (assigned: IoCommand["reject"]) => {
      current = assigned
    },
  })
}

/** An error that the server replied with. */
export function isReply(error: Error): boolean {
  return error.name === "ReplyError" || looksLikeReply(error.message)
}

/**
 * What the server replied with. After sixteen redirections a cluster client gives up with an error of its own, which
 * quotes the last one: the command was refused each time.
 */
export function replyIn(error: Error): string | undefined {
  if (isReply(error)) return error.message
  return /^Too many Cluster redirections\. Last error: ReplyError: (.+)$/s.exec(error.message)?.[1]
}
