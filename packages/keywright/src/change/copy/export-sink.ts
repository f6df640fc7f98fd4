/* Where an export goes: a file that can be gone on with after a crash, or a function. */

import {
  closeSync,
  existsSync,
  ftruncateSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  write,
} from "node:fs"
import type { Tallies } from "./export-tally.ts"

/** Takes text; what it returns is waited for. */
export type Write = (text: string) => void | Promise<void>

export interface Checkpoint {
  /** Where the walk stands. */
  readonly resume: string
  readonly tallies: Tallies
}

export interface Sink {
  /** Bytes may be written over when this is done. */
  readonly write: (lines: string | Buffer) => Promise<void>
  /** Where an earlier run stopped. */
  readonly from: Checkpoint | undefined
  /** Everything up to here has been written. */
  save(checkpoint: () => Checkpoint): void
  finish(): void
  close(): void
}

export const functionSink = (write: Write): Sink => ({
  write: async (lines) => write(typeof lines === "string" ? lines : lines.toString()),
  from: undefined,
  save: () => undefined,
  finish: () => undefined,
  close: () => undefined,
})

const SAVE_EVERY_MS = 500

/** A file, and beside it until it is finished where to go on. What was written after the last note is cut off. */
export function fileSink(path: string, stamp: string): Sink {
  const notes = `${path}.progress`
  const saved = readNotes(notes, stamp)
  const hasPart = saved !== undefined && existsSync(path)
  const file = openSync(path, hasPart ? "r+" : "w", 0o600)
  let offset = hasPart ? saved.offset : 0
  ftruncateSync(file, offset)
  let told = 0
  return {
    from: hasPart ? saved : undefined,
    async write(lines) {
      const bytes = typeof lines === "string" ? Buffer.from(lines) : lines
      let at = 0
      while (at < bytes.length) at += await writing(file, bytes, at, offset + at)
      offset += bytes.length
    },
    save(checkpoint) {
      if (performance.now() - told < SAVE_EVERY_MS) return
      told = performance.now()
      writeFileSync(`${notes}.part`, JSON.stringify({ stamp, offset, ...checkpoint() }), { mode: 0o600 })
      renameSync(`${notes}.part`, notes)
    },
    finish() {
      fsyncSync(file)
      rmSync(notes, { force: true })
    },
    close: () => closeSync(file),
  }
}

const writing = (file: number, bytes: Buffer, from: number, position: number): Promise<number> =>
  new Promise((resolve, reject) =>
    write(file, bytes, from, bytes.length - from, position, (error, count) => (error ? reject(error) : resolve(count))),
  )

/** `stamp` says which export it is: another one does not go on with it. */
function readNotes(path: string, stamp: string): (Checkpoint & { readonly offset: number }) | undefined {
  if (!existsSync(path)) return undefined
  const notes = JSON.parse(readFileSync(path, "utf8")) as Checkpoint & { offset: number; stamp: string }
  return notes.stamp === stamp ? notes : undefined
}
