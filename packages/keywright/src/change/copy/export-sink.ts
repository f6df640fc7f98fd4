/* Where an export goes: a file that the same call continues after a crash, or a function. */

import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  renameSync,
  rmSync,
  write,
} from "node:fs"
import { fileRefused } from "../../errors/change.ts"
import {
  asUnwritable,
  createFile,
  isDevice,
  openDevice,
  openPart,
  readOwnText,
  replaceText,
  requireReplaceable,
} from "../private-file.ts"
import { newPart } from "../../files/ordinary-file.ts"
import { isCount } from "../../schema/codec/json-checks.ts"
import { isExactly } from "../plan/exact-fields.ts"
import { isTallies, type Tallies } from "./export-tally.ts"

/** Takes text; what it returns is waited for. */
export type WriteText = (text: string) => void | Promise<void>

export interface Checkpoint {
  /** The position of the walk. */
  readonly resume: string
  readonly tallies: Tallies
}

export interface ExportSink {
  /** Bytes may be written over when this is done. */
  readonly write: (lines: string | Buffer) => Promise<void>
  /** Where an earlier run stopped. */
  readonly from: Checkpoint | undefined
  /** Everything up to here has been written. */
  save(checkpoint: () => Checkpoint): void
  finish(): void
  close(): void
}

export const functionSink = (write: WriteText): ExportSink => ({
  write: async (lines) => write(typeof lines === "string" ? lines : lines.toString()),
  from: undefined,
  save: () => undefined,
  finish: () => undefined,
  close: () => undefined,
})

const SAVE_EVERY_MS = 500

/**
 * A file that appears only when it is complete. Until then it is written next to its final path as `….part`, with
 * the position to continue from in `….progress`; what was written after the last note is left out.
 */
export async function fileSink(path: string, stamp: string): Promise<ExportSink> {
  try {
    return isDevice(path) ? deviceSink(path) : await partSink(path, stamp)
  } catch (error) {
    throw asUnwritable(path, error)
  }
}

async function partSink(path: string, stamp: string): Promise<ExportSink> {
  requireReplaceable(path)
  const [part, notes] = [`${path}.part`, `${path}.progress`]
  const saved = readNotes(notes, stamp)
  const hasPart = saved !== undefined && existsSync(part) && lstatSync(part).size >= saved.offset
  if (!hasPart) rmSync(part, { force: true })
  const file = hasPart ? await continued(part, saved.offset) : createFile(part)
  let offset = hasPart ? saved.offset : 0
  let told = 0
  /** Another export into the same file puts its own in place of ours. */
  const requireOwn = () => {
    if (lstatSync(part, { throwIfNoEntry: false })?.ino !== fstatSync(file).ino)
      throw fileRefused(path, "another export has begun to write it")
  }
  return {
    from: hasPart ? saved : undefined,
    async write(lines) {
      const bytes = typeof lines === "string" ? Buffer.from(lines) : lines
      await writeAll(file, bytes, offset)
      offset += bytes.length
    },
    save(checkpoint) {
      if (performance.now() - told < SAVE_EVERY_MS) return
      told = performance.now()
      requireOwn()
      replaceText(notes, JSON.stringify({ stamp, offset, ...checkpoint() }))
    },
    finish() {
      fsyncSync(file)
      requireOwn()
      renameSync(part, path)
      rmSync(notes, { force: true })
    },
    close: () => closeSync(file),
  }
}

/** What was written of it, in a new file: a program that still writes to the old one does not write to this. */
async function continued(part: string, size: number): Promise<number> {
  const old = openPart(part)
  const fresh = newPart(part)
  const file = createFile(fresh)
  try {
    let at = 0
    if (size > 0)
      for await (const bytes of createReadStream("", { fd: old, start: 0, end: size - 1, autoClose: false })) {
        await writeAll(file, bytes as Buffer, at)
        at += (bytes as Buffer).length
      }
    renameSync(fresh, part)
    return file
  } catch (error) {
    closeSync(file)
    rmSync(fresh, { force: true })
    throw error
  } finally {
    closeSync(old)
  }
}

function deviceSink(path: string): ExportSink {
  const file = openDevice(path)
  return {
    ...functionSink(() => undefined),
    write: (lines) => writeAll(file, typeof lines === "string" ? Buffer.from(lines) : lines, null),
    close: () => closeSync(file),
  }
}

async function writeAll(file: number, bytes: Buffer, position: number | null): Promise<void> {
  let at = 0
  while (at < bytes.length) at += await writing(file, bytes, at, position === null ? null : position + at)
}

const writing = (file: number, bytes: Buffer, from: number, position: number | null): Promise<number> =>
  new Promise((resolve, reject) =>
    write(file, bytes, from, bytes.length - from, position, (error, count) => (error ? reject(error) : resolve(count))),
  )

/** `stamp` identifies the export: another export does not continue it. Anything else in the file counts as no note. */
function readNotes(path: string, stamp: string): (Checkpoint & { readonly offset: number }) | undefined {
  if (!existsSync(path)) return undefined
  const notes = parsed(path)
  const isNote = isExactly(notes, {
    stamp: (one) => one === stamp,
    offset: isCount,
    resume: (one) => typeof one === "string",
    tallies: isTallies,
  })
  return isNote ? (notes as Checkpoint & { readonly offset: number }) : undefined
}

function parsed(path: string): object | undefined {
  try {
    const value: unknown = JSON.parse(readOwnText(path))
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
