/* A request whose body may come in tiny chunks. Node makes a buffer of each, which takes a hundred
 * times its size for as long as nobody reads it, and calls its reader with each of them. So they
 * are put together before anybody gets them, and `gathered` is emitted.
 *
 * It may also be one of thousands that arrived together, on a connection that is not served any more. */

import { IncomingMessage } from "node:http"

const TOGETHER = 4096

export class GatheringMessage extends IncomingMessage {
  #small: Buffer | undefined
  #size = 0
  #upgrade: unknown

  /** Node reads no further behind an upgrade. Without this, all that has arrived is still made into requests. */
  get upgrade(): unknown {
    return this.socket.destroyed || this.#upgrade
  }
  /** Not yet made when Node sets it first. */
  set upgrade(value: unknown) {
    if (#upgrade in this) this.#upgrade = value
  }

  override push(chunk: Buffer | null): boolean {
    if (chunk !== null && this.#size + chunk.length <= TOGETHER && this.headers["transfer-encoding"] !== undefined) {
      this.#small ??= Buffer.allocUnsafeSlow(TOGETHER)
      this.#size += chunk.copy(this.#small, this.#size)
      return true
    }
    const small = this.#small?.subarray(0, this.#size)
    this.#small = undefined
    this.#size = 0
    if (small !== undefined) super.push(small)
    this.emit("gathered")
    return super.push(chunk)
  }
}
