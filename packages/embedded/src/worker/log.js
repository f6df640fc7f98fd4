/* What the server writes to its log: the last lines are kept, to be reported when it
 * dies, and all are passed on if the program wants them. The server does not know its
 * time zone and prints dates that are decades away, or no dates at all ("-51 Jan 1970
 * -15:-9:-56.519"): they are replaced by the engine's time. */

const KEPT = 20
const DATE = /^(\d+:[A-Z] )\S+ \S+ \S+ \S+:\S+:\S+\.\d{3}(?= )/

/** A crash report is longer than what is kept: its reason stays. */
const REASON = /Out Of Memory allocating|Guru Meditation|ASSERTION FAILED/

export class Log {
  /** @type {string[]} */
  #reasons = []
  /** @type {string[]} */
  #lines = []
  #rest = ""
  #nowMs
  #listen

  /** @param {() => number} nowMs @param {((line: string) => void) | undefined} listen */
  constructor(nowMs, listen) {
    this.#nowMs = nowMs
    this.#listen = listen
  }

  get tail() {
    return [...this.#reasons.filter((reason) => !this.#lines.includes(reason)), ...this.#lines]
  }

  /** @param {Uint8Array} bytes */
  write = (bytes) => {
    const lines = (this.#rest + Buffer.from(bytes).toString()).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const written of lines) {
      const line = written.replace(DATE, (_, author) => author + dateOf(this.#nowMs()))
      if (REASON.test(line)) this.#reasons.push(line)
      this.#lines.push(line)
      if (this.#lines.length > KEPT) this.#lines.shift()
      this.#listen?.(line)
    }
  }
}

/** As a server prints it, in local time: `16 Nov 2026 05:49:08.123`.
 * @param {number} ms */
function dateOf(ms) {
  const [, month, day, year, time] = new Date(ms).toString().split(" ")
  return `${day} ${month} ${year} ${time}.${String(Math.floor(ms) % 1000).padStart(3, "0")}`
}
