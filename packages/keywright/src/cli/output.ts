/* Everything that the command line prints goes through here: data on standard output,
 * progress and remarks on standard error, so that data can be piped. Colours only where a
 * terminal shows them and NO_COLOR does not forbid them.
 *
 * Keys, values, errors of a server and names of files are other people's text. This file,
 * and no other, makes sure that none of it reaches a terminal as anything but text. */

import { fstatSync, writeFileSync } from "node:fs"
import type { Paint } from "../render/paint.ts"
import { eachText, jsonable, oneLine, printable, withoutControls } from "../render/printable.ts"
import { plainJson } from "../schema/json/plain-json.ts"
import { coloursOf, withColours } from "./colours.ts"

export interface OutputOptions {
  readonly json: boolean
  readonly color: boolean | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
}

const TOLD_EVERY_MS = 5000
/** Commands for those who read the log, anywhere in a line: `##[…]` of GitHub, `##vso[…]` of Azure, `##teamcity[…]`. */
const COMMAND_IN_LINE = /##(?=\w*\[)/g
/** Their programs set these. */
const WORKFLOWS = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]
const CLEAR_LINE = "\r\u001b[2K"
const CLEAR_SCREEN = "\u001b[H\u001b[J"

/** Where a document would be longer than any text can be, its longest texts are cut to this. */
const LONGEST_TEXT = 1_000_000

export class Output {
  /** `--json`: data is one JSON document, remarks stay on standard error. */
  readonly json: boolean
  /** For standard output and for standard error. */
  readonly colour: Paint
  readonly errorColour: Paint
  readonly width: number
  readonly live: boolean
  readonly #isWorkflow: boolean
  readonly #noted = new Set<string>()
  #line = false
  #told = Date.now()

  constructor({ json, color, env = process.env }: OutputOptions) {
    const { NO_COLOR: none, FORCE_COLOR: forced } = env
    // As Node itself reads it, FORCE_COLOR=0 means no colours.
    const wanted = (tty: boolean) =>
      color ?? (none || forced === "0" ? false : forced ? true : tty && env["TERM"] !== "dumb")
    this.json = json
    this.colour = coloursOf(!json && wanted(process.stdout.isTTY === true))
    this.errorColour = coloursOf(wanted(process.stderr.isTTY === true))
    this.width = process.stdout.columns ?? Infinity
    this.live = process.stdout.isTTY === true && !json
    this.#isWorkflow = WORKFLOWS.some((name) => (env[name] ?? "") !== "")
  }

  /** Data: with --json as it is, otherwise the text that `render` makes of it, with every part made safe first. */
  show<T>(data: T, render: (data: T, paint: Paint) => string): void {
    if (this.json) this.document(data)
    else this.text(render(printable(data), this.colour))
  }

  /** Data: a document, or text whose parts are safe; ended by a line end. */
  text(text: string): void {
    this.#print(this.#shown(text))
  }

  /** Data: one line, whatever is in it. */
  line(text: string): void {
    this.text(oneLine(text))
  }

  /** Data: one JSON document. */
  document(value: unknown): void {
    this.#printJson(jsonOf(value, 2))
  }

  /** Data: one line of NDJSON. */
  row(value: unknown): void {
    this.#printJson(jsonOf(value))
  }

  /** Data: what is JSON already, a document or lines. */
  jsonText(text: string): void {
    this.#printJson(plainJson(text))
  }

  #printJson(plain: string): void {
    this.#print(this.#isWorkflow ? plain.replace(COMMAND_IN_LINE, "#\\u0023") : plain)
  }

  /** Data: workflow commands, which have to stay commands. */
  annotations(text: string): void {
    this.#print(withoutControls(text).replace(COMMAND_IN_LINE, "#\\x23"))
  }

  /** A frame that replaces the one before. */
  frame(text: string): void {
    if (this.live) process.stdout.write(CLEAR_SCREEN)
    this.text(text)
  }

  /** A remark for people: a line. */
  note(text: string): void {
    this.remark(this.errorColour.dim(oneLine(text)))
  }

  /** The same, for what several steps of one call would repeat. */
  noteOnce(text: string): void {
    if (!this.#noted.has(text)) this.note(text)
    this.#noted.add(text)
  }

  warn(text: string): void {
    this.remark(this.errorColour.yellow(oneLine(text)))
  }

  /** Remarks of several lines, whose parts are safe. */
  remark(text: string): void {
    this.#clear()
    process.stderr.write(`${this.#shown(text)}\n`)
  }

  /** Progress: one line that is overwritten, or in a log a line now and then. */
  progress(text: string): void {
    const shown = oneLine(text)
    if (process.stderr.isTTY === true) {
      const cut = this.errorColour.dim(shown.slice(0, (process.stderr.columns ?? 80) - 1))
      process.stderr.write(`${CLEAR_LINE}${withColours(cut)}`)
      this.#line = true
    } else if (Date.now() - this.#told >= TOLD_EVERY_MS) {
      this.#told = Date.now()
      process.stderr.write(`${this.#shown(shown)}\n`)
    }
  }

  /** In the log of a workflow any line that begins like a command is taken as one, whatever text it is part of. */
  #shown(text: string): string {
    const safe = withoutControls(text)
    const inert = this.#isWorkflow
      ? safe.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, "$1\\x3a").replace(COMMAND_IN_LINE, "#\\x23")
      : safe
    return withColours(inert)
  }

  #print(text: string): void {
    this.#clear()
    writeOut(text.endsWith("\n") || text === "" ? text : `${text}\n`)
  }

  #clear(): void {
    if (this.#line) process.stderr.write(CLEAR_LINE)
    this.#line = false
  }
}

/** To a file, all of it: Node writes to one in a single call, and a disk that gets full takes a part without a word. */
function writeOut(text: string): void {
  if (!fstatSync(1).isFile()) return void process.stdout.write(text)
  try {
    writeFileSync(1, text)
  } catch (error) {
    process.stdout.emit("error", error)
  }
}

function jsonOf(value: unknown, indent?: number): string {
  const json = (one: unknown) => plainJson(JSON.stringify(one, jsonable, indent))
  try {
    return json(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return json(eachText(value, cut))
  }
}

const cut = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`
