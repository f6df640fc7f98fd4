/* The folder of this user in which the key of journals is, and how far each journal was
 * written: nobody else can write there, so a journal cannot be cut off or put back to an
 * earlier state by those who can write beside a plan. */

import { lstatSync, mkdirSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, resolve } from "node:path"

/** Where it is; made when it is not there. Throws when others can write there. */
export function stateFolder(): string {
  const path = placeOfState()
  makeFolder(path)
  requirePrivate(path)
  return path
}

export function placeOfState(): string {
  const { KEYWRIGHT_STATE: named, XDG_STATE_HOME: base } = process.env
  if (named) return resolve(named)
  // One that is not absolute is to be ignored, as its specification says.
  return join(base && isAbsolute(base) ? base : join(homedir(), ".local", "state"), "keywright")
}

/** With its parents. Node's own way to do so never ends where a file system refuses to make any (/proc). */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST" && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (code !== "ENOENT" || lstatSync(parent, { throwIfNoEntry: false }) !== undefined) throw error
    makeFolder(parent)
    mkdirSync(path, { mode: 0o700 })
  }
}

function requirePrivate(path: string): void {
  const facts = statSync(path)
  if (process.getuid !== undefined && facts.uid !== process.getuid())
    throw new Error(`the folder ${path} belongs to somebody else`)
  if (process.platform !== "win32" && (facts.mode & 0o022) !== 0)
    throw new Error(`others can write to the folder ${path}`)
}
