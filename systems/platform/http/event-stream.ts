/* Server-sent events, written to Node's own response: a stream that stays open costs a
 * socket and little else. A reader that does not keep up is cut off instead of being
 * buffered for endlessly: it can reconnect with the id of the last event that it got. */

import type { ServerResponse } from "node:http"
import { alreadySent } from "./answer.ts"
import type { Exchange } from "./exchange.ts"

export interface StreamEvent {
  /** What a reader that comes back names in `Last-Event-ID`. */
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** Bytes that may wait for a reader before nothing more is sent: there may be thousands that do not read. */
const MOST_WAITING = 16 * 1024
/** A reader that takes nothing for this many heartbeats is gone. */
const MOST_SILENT_BEATS = 2

export class EventStream {
  /** Called once, whichever side closed it. */
  onClose: () => void = () => {}
  /** What the handler of the route returns. */
  readonly response = alreadySent()
  readonly #outgoing: ServerResponse
  #silentBeats = 0
  #isCut = false

  constructor({ env: { outgoing } }: Exchange, retryMs: number) {
    this.#outgoing = outgoing
    outgoing.on("close", () => this.onClose())
    outgoing.on("error", () => outgoing.destroy())
    outgoing.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    })
    outgoing.write(`retry: ${retryMs}\n\n`)
  }

  /** The reader did not keep up. */
  get isCut(): boolean {
    return this.#isCut
  }

  get isOpen(): boolean {
    return this.#outgoing.writable && !this.#outgoing.destroyed
  }

  /** False when there is no more room now: see `hasRoom`, after a `turn()`, and `drained()`. */
  send(event: StreamEvent | Buffer): boolean {
    if (!this.isOpen) return false
    this.#outgoing.write(Buffer.isBuffer(event) ? event : eventBytes(event))
    return this.hasRoom
  }

  /** What is sent in one turn of the event loop waits for its end; if there is still no room then, the reader does not keep up. */
  get hasRoom(): boolean {
    return this.isOpen && this.#outgoing.writableLength <= MOST_WAITING
  }

  /** When the reader has taken what was sent; false when it does not within `ms`, and is cut off. */
  async drained(ms: number): Promise<boolean> {
    const outgoing = this.#outgoing
    if (this.hasRoom || !this.isOpen) return this.isOpen
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(late)
        outgoing.off("close", settle)
        resolve()
      }
      const late = setTimeout(() => this.#cut(), ms)
      outgoing.on("close", settle)
      // It is called when everything before it was taken; Node's own event waits for more than we do.
      outgoing.write(COMMENT, settle)
    })
    return this.isOpen
  }

  /** A comment, so that no proxy takes an idle stream for a dead one; also detects readers that are gone. */
  beat(): void {
    if (!this.isOpen) return
    this.#silentBeats = this.#outgoing.writableLength > 0 ? this.#silentBeats + 1 : 0
    if (this.#silentBeats >= MOST_SILENT_BEATS) this.#cut()
    else this.#outgoing.write(COMMENT)
  }

  /** The last event, and the end of the connection with it. */
  end(event: StreamEvent): void {
    if (!this.isOpen) return
    this.#outgoing.end(eventBytes(event))
    this.#outgoing.socket?.setTimeout(END_MS, () => this.#outgoing.destroy())
  }

  #cut(): void {
    this.#isCut = true
    this.#outgoing.destroy()
  }
}

/** A reader that does not take the end of its stream is cut off after this. */
const END_MS = 1000

/** When what was sent has been handed over to the system, as far as it takes it. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const COMMENT = ":\n\n"

/** As it is sent; made once for all who get it. JSON contains no line breaks, so an event is always one line of data. */
export const eventBytes = ({ id, event, data }: StreamEvent): Buffer =>
  Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
