/* One connection inside the process: bytes of the Redis protocol both ways, no
 * socket. It has the shape that Keywright's own protocol driver runs over. */

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

/** What a channel needs of the thread that serves it. */
export interface Carrier {
  send(channel: number, bytes: Uint8Array): void
  pause(channel: number): void
  resume(channel: number): void
  leave(channel: number): void
  /** The engine is behind: more than enough is on its way to it. */
  readonly behind: boolean
}

export class InProcessChannel implements Channel {
  onData: (bytes: Uint8Array) => void = () => {}
  onDrain: () => void = () => {}
  onClose: (reason?: Error) => void = () => {}
  readonly #id: number
  readonly #carrier: Carrier
  #open = true
  #waiting = false

  constructor(id: number, carrier: Carrier) {
    this.#id = id
    this.#carrier = carrier
  }

  write(bytes: Uint8Array): boolean {
    if (!this.#open) return false
    this.#carrier.send(this.#id, bytes)
    this.#waiting = this.#carrier.behind
    return !this.#waiting
  }

  pause(): void {
    if (this.#open) this.#carrier.pause(this.#id)
  }

  resume(): void {
    if (this.#open) this.#carrier.resume(this.#id)
  }

  close(): void {
    if (!this.#open) return
    this.#carrier.leave(this.#id)
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
