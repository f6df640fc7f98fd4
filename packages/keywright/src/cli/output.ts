/* All that the command line prints goes through here: data on standard output,
 * progress and remarks on standard error, so that data can be piped. Colours only
 * where a terminal shows them and NO_COLOR does not forbid them. */

import picocolors from "picocolors"

export type Colours = ReturnType<typeof picocolors.createColors>

export interface OutputOptions {
  readonly json: boolean
  readonly color: boolean | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
}

const TOLD_EVERY_MS = 5000

export class Output {
  /** `--json`: data is one JSON document, remarks stay on standard error. */
  readonly json: boolean
  /** For standard output and for standard error. */
  readonly colour: Colours
  readonly errorColour: Colours
  readonly width: number
  readonly live: boolean
  #line = false
  #told = Date.now()

  constructor({ json, color, env = process.env }: OutputOptions) {
    const wanted = (tty: boolean) =>
      color ?? (env["NO_COLOR"] ? false : env["FORCE_COLOR"] ? true : tty && env["TERM"] !== "dumb")
    this.json = json
    this.colour = picocolors.createColors(!json && wanted(process.stdout.isTTY === true))
    this.errorColour = picocolors.createColors(wanted(process.stderr.isTTY === true))
    this.width = process.stdout.columns ?? Infinity
    this.live = process.stdout.isTTY === true && !json
  }

  /** Data: text as it is, ended by a line end. */
  text(text: string): void {
    this.#clear()
    process.stdout.write(text.endsWith("\n") || text === "" ? text : `${text}\n`)
  }

  /** Data: one JSON document. */
  document(value: unknown): void {
    this.text(JSON.stringify(value, undefined, 2))
  }

  /** Data: one line of NDJSON. */
  row(value: unknown): void {
    this.text(JSON.stringify(value))
  }

  /** A remark for people. */
  note(text: string): void {
    this.#clear()
    process.stderr.write(`${this.errorColour.dim(text)}\n`)
  }

  warn(text: string): void {
    this.#clear()
    process.stderr.write(`${this.errorColour.yellow(text)}\n`)
  }

  /** How far it is: one line that is overwritten, or in a log a line now and then. */
  progress(text: string): void {
    if (process.stderr.isTTY === true) {
      process.stderr.write(`\r\u001b[2K${this.errorColour.dim(text.slice(0, (process.stderr.columns ?? 80) - 1))}`)
      this.#line = true
    } else if (Date.now() - this.#told >= TOLD_EVERY_MS) {
      this.#told = Date.now()
      process.stderr.write(`${text}\n`)
    }
  }

  /** An error, as it was put into words. */
  error(text: string): void {
    this.#clear()
    process.stderr.write(`${text}\n`)
  }

  #clear(): void {
    if (this.#line) process.stderr.write("\r\u001b[2K")
    this.#line = false
  }
}
