/* Server-sent events, written to Node's own response: a stream that stays open costs a
 * socket and little else. A reader who does not keep up is cut off, never buffered for
 * without end: with the id of the last event that it got, it can come back. */

import type { ServerResponse } from "node:http"
import { alreadySent } from "./answer.ts"
import type { Exchange } from "./exchange.ts"

export interface StreamEvent {
  /** What a reader that comes back names in `Last-Event-ID`. */
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** Bytes that may wait for a reader before nothing more is sent. */
const MOST_WAITING = 64 * 1024
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

  /** False when the reader does not keep up: the sender waits until it has `drained()`. */
  send(event: StreamEvent): boolean {
    if (!this.isOpen) return false
    this.#outgoing.write(eventText(event))
    return this.#outgoing.writableLength <= MOST_WAITING
  }

  /** When the reader has taken what was sent; false when it does not within `ms`, and is cut off. */
  async drained(ms: number): Promise<boolean> {
    const outgoing = this.#outgoing
    if (!outgoing.writableNeedDrain) return this.isOpen
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(late)
        for (const name of ["drain", "close"]) outgoing.off(name, settle)
        resolve()
      }
      const late = setTimeout(() => this.#cut(), ms)
      for (const name of ["drain", "close"]) outgoing.on(name, settle)
    })
    return this.isOpen
  }

  /** A comment, so that no proxy takes an idle stream for a dead one; also detects readers that are gone. */
  beat(): void {
    if (!this.isOpen) return
    this.#silentBeats = this.#outgoing.writableLength > 0 ? this.#silentBeats + 1 : 0
    if (this.#silentBeats >= MOST_SILENT_BEATS) this.#cut()
    else this.#outgoing.write(":\n\n")
  }

  /** The last event, and the end of the connection with it. */
  end(event: StreamEvent): void {
    if (!this.isOpen) return
    this.#outgoing.end(eventText(event))
    this.#outgoing.socket?.setTimeout(END_MS, () => this.#outgoing.destroy())
  }

  #cut(): void {
    this.#isCut = true
    this.#outgoing.destroy()
  }
}

/** A reader that does not take the end of its stream is cut off after this. */
const END_MS = 1000

/** JSON contains no line breaks, so an event is always one line of data. */
const eventText = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
