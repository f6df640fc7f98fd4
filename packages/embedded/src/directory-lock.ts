/* One engine per directory, across processes: a lock file that names its owner. A lock
 * whose owner is gone (killed, or the machine restarted) is taken over. The owner's start
 * time distinguishes it from a later process with the same pid. */

import { randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { directoryInUse } from "./errors.ts"

interface Owner {
  readonly pid: number
  /** In the clock ticks of Linux; empty elsewhere. */
  readonly born: string
  readonly token: string
}

/** Takes the lock and returns what releases it. Throws when another engine has it. */
export function lockDirectory(directory: string): () => void {
  const file = path.join(directory, "engine.lock")
  const mine: Owner = { pid: process.pid, born: birth(process.pid), token: randomUUID() }
  for (let tries = 0; !create(file, mine); tries++) {
    const owner = read(file)
    if (owner && (alive(owner) || tries > 10)) throw directoryInUse(directory, owner.pid)
    if (owner) remove(file, owner)
  }
  let held = true
  return () => {
    if (held) remove(file, mine)
    held = false
  }
}

function create(file: string, owner: Owner): boolean {
  const draft = `${file}.${owner.token}`
  fs.writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  } finally {
    fs.rmSync(draft)
  }
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Owner
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Removes the lock only if it is still that owner's: someone else may have been faster. */
function remove(file: string, owner: Owner): void {
  const aside = `${file}.${randomUUID()}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (isCode(error, "ENOENT")) return
    throw error
  }
  const found = read(aside)
  if (found && found.token !== owner.token && !fs.existsSync(file)) fs.renameSync(aside, file)
  else fs.rmSync(aside, { force: true })
}

function alive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (isCode(error, "ESRCH")) return false
  }
  return owner.born === birth(owner.pid)
}

/** When the process was started, where the system says. */
function birth(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code
