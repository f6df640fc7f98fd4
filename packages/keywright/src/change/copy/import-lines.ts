/* The lines of a file from some place on, each with where it ends. */

import { createReadStream, type ReadStream } from "node:fs"
import { importRefused } from "../../errors/change.ts"
import { requireOrdinary } from "../../files/ordinary-file.ts"
import { MOST_DATABASES, readLine, readManifest } from "./import-line.ts"
import { LONGEST_LINE } from "./line-writer.ts"
import type { Manifest } from "./lines.ts"

export interface ImportLine {
  readonly text: string
  /** The number of the line in the file, from 1. */
  readonly number: number
  /** Where the next line begins. */
  readonly end: number
}

const NEWLINE = 10

/** A last line without its end was cut off: it is left out. */
export async function* linesOf(path: string, start = 0, before = 0): AsyncGenerator<ImportLine> {
  let rest: Buffer[] = []
  let waiting = 0
  let end = start
  let number = before
  for await (const chunk of openLines(path, start) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const bytes = chunk.subarray(from, at)
      const whole = rest.length === 0 ? bytes : Buffer.concat([...rest, bytes])
      rest = []
      waiting = 0
      from = at + 1
      end += whole.length + 1
      yield { text: whole.toString(), number: ++number, end }
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    waiting += chunk.length - from
    if (waiting > LONGEST_LINE) throw importRefused(number + 1, `it has more than ${LONGEST_LINE} bytes`)
  }
}

function openLines(path: string, start: number): ReadStream {
  requireOrdinary(path)
  return createReadStream(path, { start, highWaterMark: 1 << 18 })
}

export async function manifestOf(path: string): Promise<{ readonly manifest: Manifest; readonly end: number }> {
  for await (const { text, end } of linesOf(path)) return { manifest: readManifest(text), end }
  return { manifest: readManifest(""), end: 0 }
}

/** The databases of an export whose first line names none: of an RDB file, they are known only when it has been read. */
export async function databasesIn(path: string): Promise<readonly number[]> {
  const found = new Set<number>()
  for await (const { text, number } of linesOf(path)) {
    const line = number === 1 ? undefined : readLine(text, number)
    if (line !== undefined && !("end" in line)) found.add(line.db)
    if (found.size > MOST_DATABASES) throw importRefused(number, `it is of the ${found.size}th database`)
  }
  return [...found]
}
