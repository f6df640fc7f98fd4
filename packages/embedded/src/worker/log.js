/* What the server writes to its log: the last lines are kept, to be told when it
 * dies, and all are passed on to whoever asked for them. */

const KEPT = 20

export class Log {
  /** @type {string[]} */
  #lines = []
  #rest = ""
  #listen

  /** @param {((line: string) => void) | undefined} listen */
  constructor(listen) {
    this.#listen = listen
  }

  get tail() {
    return [...this.#lines]
  }

  /** @param {Uint8Array} bytes */
  write = (bytes) => {
    const lines = (this.#rest + Buffer.from(bytes).toString()).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) {
      this.#lines.push(line)
      if (this.#lines.length > KEPT) this.#lines.shift()
      this.#listen?.(line)
    }
  }
}
