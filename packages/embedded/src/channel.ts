/* One connection inside the process: bytes of the Redis protocol both ways, no
 * socket. It has the shape that Keywright's own protocol driver runs over. */

import type { Line } from "./line.js"

/**
 * One connection inside the process, without a socket: bytes of the Redis protocol both ways.
 * @example
 * const ping = (channel: Channel) => channel.write(Buffer.from("PING\r\n"))
 */
export interface Channel {
  /** Takes the bytes at once. Returns false when the engine is behind; `onDrain` follows. */
  write(bytes: Uint8Array): boolean
  /**
   * Asks for no more data until `resume()`; what is on its way still comes. The server keeps the rest, and ends the
   * connection when that grows beyond its limits (`client-output-buffer-limit`).
   */
  pause(): void
  resume(): void
  close(): void
  onData: (bytes: Uint8Array) => void
  onDrain: () => void
  /** Called once, whichever side closed it. The reason is an EngineError when the engine did. */
  onClose: (reason?: Error) => void
}

export class InProcessChannel implements Channel {
  onData: (bytes: Uint8Array) => void = () => {}
  onDrain: () => void = () => {}
  onClose: (reason?: Error) => void = () => {}
  readonly #id: number
  readonly #line: Line
  readonly #onLeft: () => void
  #open = true
  #waiting = false

  /** `onLeft`: its user has closed it. */
  constructor(id: number, line: Line, onLeft: () => void) {
    this.#id = id
    this.#line = line
    this.#onLeft = onLeft
  }

  write(bytes: Uint8Array): boolean {
    if (!this.#open) return false
    this.#line.send(this.#id, bytes)
    this.#waiting = this.#line.behind
    return !this.#waiting
  }

  pause(): void {
    if (this.#open) this.#line.mark(this.#id, "pause")
  }

  resume(): void {
    if (this.#open) this.#line.mark(this.#id, "resume")
  }

  close(): void {
    if (!this.#open) return
    this.#line.mark(this.#id, "close")
    this.#onLeft()
    this.end()
  }

  /** The engine has caught up. */
  drain(): void {
    if (!this.#waiting) return
    this.#waiting = false
    this.onDrain()
  }

  end(reason?: Error): void {
    if (!this.#open) return
    this.#open = false
    queueMicrotask(() => this.onClose(reason))
  }
}
