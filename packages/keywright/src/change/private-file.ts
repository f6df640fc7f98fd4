/* Files that only their owner may read, because they can hold what is secret. Each is
 * written under a new name, readable by nobody else, and then moved to its place: so it
 * is either complete or missing, does not keep the permissions of an earlier file, and
 * never follows a link that somebody put in its way. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { fileRefused } from "../errors/change.ts"
import { fileUnwritable } from "../errors/file.ts"
import { isOfSystem, MOST_BYTES_OF_TEXT, newPart, readOpen } from "../files/ordinary-file.ts"

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_WRONLY, O_APPEND } = constants
const OWNER_ONLY = 0o600

/** Puts a file into its place when `write` has returned. */
export function replaceFile(path: string, write: (file: number) => void): void {
  try {
    requireReplaceable(path)
    writePart(newPart(path), path, write)
  } catch (error) {
    throw asUnwritable(path, error)
  }
}

function writePart(part: string, path: string, write: (file: number) => void): void {
  const file = createFile(part)
  try {
    try {
      write(file)
    } finally {
      closeSync(file)
    }
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** What the file system refuses, as an error with a code; any other error as it is. */
export const asUnwritable = (path: string, error: unknown): unknown =>
  typeof (error as NodeJS.ErrnoException | null)?.syscall === "string" ? fileUnwritable(path, error) : error

export const replaceText = (path: string, text: string): void => replaceFile(path, (file) => writeFileSync(file, text))

/** A new file, to be written; an error when there is one of that name, a link included. */
export const createFile = (path: string): number => open(path, O_WRONLY | O_CREAT | O_EXCL)

/** An ordinary file of this user's that nobody else can read, and that can be written from some place on. */
export const openPart = (path: string): number => requirePrivate(path, requireOwn(path, open(path, O_RDWR)), 0o077)

/** The text of a file that this user alone can read and write: notes on how far something is. */
export function readOwnText(path: string): string {
  const file = requirePrivate(path, requireOwn(path, open(path, O_RDONLY | O_NONBLOCK)), 0o077)
  try {
    return readOpen(file, path, MOST_BYTES_OF_TEXT)
  } finally {
    closeSync(file)
  }
}

/** An ordinary file of this user's that nobody else can write, and that is added to; made when there is none. */
export function openLog(path: string): number {
  return requirePrivate(path, requireOwn(path, open(path, O_RDWR | O_APPEND | O_CREAT)), 0o022)
}

/** Another user's file, or one that others can use in one of these ways, would tell them what is written, or say what they want. */
function requirePrivate(path: string, file: number, ways: number): number {
  const { uid, mode } = fstatSync(file)
  const isOwn = process.getuid === undefined || uid === process.getuid()
  if (isOwn && (process.platform === "win32" || (mode & ways) === 0)) return file
  closeSync(file)
  throw fileRefused(path, isOwn ? "others can read or write it" : "it belongs to somebody else")
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW, OWNER_ONLY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ELOOP") throw fileRefused(path, "it is a link")
    if (code === "EISDIR") throw fileRefused(path, "it is a folder")
    if (code === "EEXIST") throw fileRefused(path, "there is one already")
    throw asUnwritable(path, error)
  }
}

/** What is at the path of a file that will be written: nothing, a file, or a link, which is replaced. */
export function requireReplaceable(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (isDevice(path) || (found !== undefined && !found.isFile() && !found.isSymbolicLink()))
    throw fileRefused(path, "there is something that is not a file")
}

/** `/dev/stdout`, a pipe: it can be written to, and never replaced. */
export function isDevice(path: string): boolean {
  if (isOfSystem(path)) return true
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.isCharacterDevice() || found.isFIFO() || found.isSocket())
}

/** What `isDevice` says can be written to. A pipe is this user's own: those who made it may read what comes through. */
export function openDevice(path: string): number {
  if (isOfSystem(path)) return openSync(path, "a")
  const isOthers = ({ uid }: { readonly uid: number }) => process.getuid !== undefined && uid !== process.getuid()
  const refused = () => fileRefused(path, "it is not a pipe of this user's own")
  // Before it is opened, which waits for a reader; and after, since it may have been replaced.
  const found = statSync(path)
  if (!found.isCharacterDevice() && isOthers(found)) throw refused()
  const file = openSync(path, O_WRONLY)
  const facts = fstatSync(file)
  if (!facts.isFile() && (facts.isCharacterDevice() || !isOthers(facts))) return file
  closeSync(file)
  throw refused()
}

/** One of several names of a file could be somebody else's. */
function requireOwn(path: string, file: number): number {
  const facts = fstatSync(file)
  if (facts.isFile() && facts.nlink === 1) return file
  closeSync(file)
  throw fileRefused(path, facts.isFile() ? "it has several names (hard links)" : "it is not an ordinary file")
}
