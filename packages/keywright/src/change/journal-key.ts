/* The key that journals are signed with, and how far each was written. A journal says what may
 * be undone, and lies beside a plan that somebody else may have made: so each of its lines is
 * signed with a key that only this user has, in a folder of their own, together with the
 * signature of the line before, and the last signature is noted there. A journal from
 * elsewhere, or one that lacks lines, undoes nothing. */

import { createHmac, randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { journalKeyRefused } from "../errors/change.ts"
import { createFile } from "./private-file.ts"
import { makeFolder, placeOfState, stateFolder } from "./state-folder.ts"

const BYTES = 32
const JOURNAL_ID = /^[0-9a-f]{32}$/
const { O_RDONLY, O_RDWR, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Signs a line; `before` is the signature of the line before, `about` the digest of what the line is about. */
export type Sign = (line: string, before?: string, about?: string) => string

/** Makes the function that signs the lines of files with this stamp; makes the key when there is none yet. */
export function signerOf(stamp: string): Sign {
  const key = withState("journal.key", (path) => existing(path) ?? made(path))
  return (line, before = "", about = "") =>
    createHmac("sha256", key).update(`${stamp}\n${before}\n${about}\n${line}`).digest("base64url")
}

/** The last signature of one journal. */
export interface JournalEnd {
  /** Undefined if no signature of this journal is noted. */
  read(): string | undefined
  write(signature: string): void
  close(): void
}

/** Where the last signature of the journal with this id is noted; made when it is to be `fresh`. */
export function journalEnd(id: string, fresh: boolean): JournalEnd {
  const file = withState("journals", (folder) => {
    makeFolder(folder)
    if (fresh) forget(folder)
    return openOwn(join(folder, id), O_RDWR | (fresh ? O_CREAT : 0))
  })
  return {
    read() {
      if (file === undefined) return undefined
      const text = Buffer.alloc(64)
      return text.toString("latin1", 0, readSync(file, text, 0, text.length, 0))
    },
    write: (signature) => void (file !== undefined && writeSync(file, signature, 0, "latin1")),
    close: () => void (file !== undefined && closeSync(file)),
  }
}

/** How long a journal can be continued or undone after its last line, in milliseconds: two years. */
export const JOURNAL_KEPT_MS = 2 * 365 * 24 * 3600 * 1000

/** Removes the notes of journals that nobody has written to for that long: each plan that is carried out leaves one. */
function forget(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const facts = lstatSync(path, { throwIfNoEntry: false })
    const isOld = facts?.isFile() === true && Date.now() - facts.mtimeMs > JOURNAL_KEPT_MS
    if (isOld && JOURNAL_ID.test(name)) rmSync(path, { force: true })
  }
}

function withState<T>(name: string, use: (path: string) => T): T {
  try {
    return use(join(stateFolder(), name))
  } catch (error) {
    throw journalKeyRefused(join(placeOfState(), name), (error as Error).message)
  }
}

/** An ordinary file that only its owner can read or write; undefined when there is none. */
function openOwn(path: string, flags: number): number | undefined {
  let file: number
  try {
    // A pipe in its place would be waited for.
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  const facts = fstatSync(file)
  const isOwn = process.getuid === undefined || facts.uid === process.getuid()
  const isPrivate = process.platform === "win32" || (facts.mode & 0o077) === 0
  if (facts.isFile() && isOwn && isPrivate) return file
  closeSync(file)
  throw new Error(facts.isFile() ? "others can read or write it" : "it is not an ordinary file")
}

function existing(path: string): Buffer | undefined {
  const file = openOwn(path, O_RDONLY)
  if (file === undefined) return undefined
  try {
    const key = Buffer.alloc(BYTES)
    if (fstatSync(file).size !== BYTES || readSync(file, key) !== BYTES) throw new Error("it is not such a key")
    return key
  } finally {
    closeSync(file)
  }
}

/** Under a name of its own first: of two processes that make it at the same time, one prevails. */
function made(path: string): Buffer {
  const part = `${path}.${randomBytes(8).toString("hex")}`
  const file = createFile(part)
  try {
    writeSync(file, randomBytes(BYTES))
    closeSync(file)
    linkSync(part, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(part, { force: true })
  }
  return existing(path)!
}
