/* Files that a call names, which may be anything: a pipe that nobody writes to, a device
 * without an end, a folder. Only an ordinary file is read, and never more than a limit. */

import { randomUUID } from "node:crypto"
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { resolve } from "node:path"
import { KeywrightError } from "../errors/error.ts"
import { fileOfOtherKind, fileTooLarge, fileUnreadable, fileUnwritable } from "../errors/file.ts"

/** Opening a pipe does not wait for its other end; for an ordinary file this makes no difference. */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** What is written by hand: a schema, a page. */
export const MOST_BYTES_OF_TEXT = 32_000_000
/** What a program has written: a plan, a journal. A text cannot be much longer. */
export const MOST_BYTES_OF_RECORD = 500_000_000

const CHUNK = 1 << 20

/** Refuses what is not an ordinary file; one that is missing is refused as unreadable. */
export function requireOrdinary(path: string): void {
  let facts: Stats
  try {
    facts = statSync(path)
  } catch (error) {
    throw fileUnreadable(path, error)
  }
  requireKind(path, facts)
}

/** For a file that is open already: nobody can put another one in its place. */
export function requireKind(path: string, facts: Stats): void {
  if (!facts.isFile()) throw fileOfOtherKind(path, kindOf(facts))
}

/** The text of an ordinary file. */
export function readText(path: string, most = MOST_BYTES_OF_TEXT): string {
  try {
    const file = openSync(path, READ_WITHOUT_WAITING)
    try {
      requireKind(path, fstatSync(file))
      return readOpen(file, path, most)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw error instanceof KeywrightError ? error : fileUnreadable(path, error)
  }
}

/** The text of one that is open, from its beginning. */
export function readOpen(file: number, path: string, most: number): string {
  const size = fstatSync(file).size
  if (size > most) throw fileTooLarge(path, most)
  const parts: Buffer[] = []
  // It may grow meanwhile, and of some files the size is not known.
  for (let at = 0; ;) {
    const part = Buffer.allocUnsafe(Math.min(Math.max(size - at, 0) + 1, CHUNK))
    const count = readSync(file, part, 0, part.length, at)
    if (count === 0) return Buffer.concat(parts).toString()
    at += count
    if (at > most) throw fileTooLarge(path, most)
    parts.push(part.subarray(0, count))
  }
}

/**
 * Writes a text where it was asked for: into a file, or to a device such as `/dev/stdout`. A link, which could lead to
 * any file of the user's, is not followed. What was in the file stays until all of the text is written.
 */
export function writeText(path: string, text: string): void {
  try {
    if (isOfSystem(path)) return writeFileSync(path, text, { flag: "a" }) // Not over what a shell has sent there before.
    const facts = lstatSync(path, { throwIfNoEntry: false })
    if (facts !== undefined) requireKind(path, facts)
    const part = newPart(path)
    try {
      writeFileSync(part, text, { flag: "wx", mode: facts?.mode ?? 0o666 })
      if (facts !== undefined) chmodSync(part, facts.mode)
      renameSync(part, path)
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
  } catch (error) {
    throw error instanceof KeywrightError ? error : fileUnwritable(path, error)
  }
}

/** A name beside a file that no other process uses, and that nobody can have put a link under. */
export const newPart = (path: string): string => `${path}.${randomUUID().slice(0, 8)}.part`

/** What the system itself put there; in some folders below /dev, anybody may create files. */
export const isOfSystem = (path: string): boolean => /^\/(?:dev(?!\/(?:shm|mqueue)\/)|proc)\//.test(resolve(path))

function kindOf(facts: Stats): string {
  if (facts.isDirectory()) return "a folder"
  if (facts.isSymbolicLink()) return "a link"
  if (facts.isFIFO()) return "a pipe"
  return facts.isSocket() ? "a socket" : "a device"
}
