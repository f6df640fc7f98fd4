/* The key that journals are signed with. A journal says what may be undone, and lies beside a
 * plan that somebody else may have made: so each of its lines is signed with a key that only
 * this user has, in a folder of their own, and a journal from elsewhere undoes nothing. */

import { createHmac, randomBytes } from "node:crypto"
import { closeSync, constants, fstatSync, linkSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { journalKeyRefused } from "../errors/change.ts"
import { createFile } from "./private-file.ts"

const BYTES = 32
const { O_RDONLY, O_NOFOLLOW = 0 } = constants

const folder = (): string =>
  process.env["KEYWRIGHT_STATE"] ||
  join(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "keywright")

/** Signs a line of a journal of the plan with this digest. */
export type Sign = (line: string) => string

/** Makes the function that signs the lines of one journal; makes the key when there is none yet. */
export function signerOf(stamp: string): Sign {
  const key = readKey(join(folder(), "journal.key"))
  return (line) => createHmac("sha256", key).update(`${stamp}\n${line}`).digest("base64url")
}

function readKey(path: string): Buffer {
  try {
    return existing(path) ?? made(path)
  } catch (error) {
    throw journalKeyRefused(path, (error as Error).message)
  }
}

function existing(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  try {
    const facts = fstatSync(file)
    const isOwn = process.getuid === undefined || facts.uid === process.getuid()
    const isPrivate = process.platform === "win32" || (facts.mode & 0o077) === 0
    if (!facts.isFile() || !isOwn || !isPrivate) throw new Error("others can read or write it")
    const key = Buffer.alloc(BYTES)
    if (facts.size !== BYTES || readSync(file, key) !== BYTES) throw new Error("it is not such a key")
    return key
  } finally {
    closeSync(file)
  }
}

/** Under a name of its own first: of two processes that make it at the same time, one prevails. */
function made(path: string): Buffer {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 })
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
