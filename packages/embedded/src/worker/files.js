/* The only files the server ever sees: its snapshot, and the temporary one that
 * becomes the snapshot. In a directory when persistence is asked for, otherwise
 * in memory; no other name can be opened, created or seen.
 *
 * A save is written under the temporary name, synced, and renamed over the old
 * snapshot, and the directory is synced: at any instant there is one whole
 * snapshot under the final name. */

import fs from "node:fs"
import path from "node:path"

export const SNAPSHOT = "dump.rdb"
const TEMPORARY = /^temp-[\w-]+\.rdb$/
const BUFFER = 1 << 18

/**
 * @typedef {object} File
 * @property {(into: Uint8Array) => number} read
 * @property {(bytes: Uint8Array) => void} write
 * @property {(position: number) => void} seek
 * @property {() => number} tell
 * @property {() => number} size
 * @property {() => void} sync
 * @property {() => void} close
 *
 * @typedef {object} Files
 * @property {(name: string) => File | undefined} open
 * @property {(name: string) => File | undefined} create
 * @property {(name: string) => number | undefined} size
 * @property {(from: string, to: string) => boolean} rename
 * @property {(name: string) => boolean} remove
 */

/** @param {string} directory @returns {Files} */
export function filesIn(directory) {
  for (const name of fs.readdirSync(directory)) if (TEMPORARY.test(name)) fs.rmSync(path.join(directory, name))
  /** @param {string} name */
  const at = (name) => path.join(directory, name)
  /** @param {string} name */
  const allowed = (name) => name === SNAPSHOT || TEMPORARY.test(name)
  return {
    open: (name) => (allowed(name) && fs.existsSync(at(name)) ? new DiskFile(fs.openSync(at(name), "r")) : undefined),
    create: (name) => (TEMPORARY.test(name) ? new DiskFile(fs.openSync(at(name), "w", 0o600)) : undefined),
    size: (name) => (allowed(name) ? fs.statSync(at(name), { throwIfNoEntry: false })?.size : undefined),
    rename(from, to) {
      if (!TEMPORARY.test(from) || to !== SNAPSHOT) return false
      fs.renameSync(at(from), at(to))
      syncDirectory(directory)
      return true
    },
    remove(name) {
      if (!TEMPORARY.test(name)) return false
      fs.rmSync(at(name), { force: true })
      return true
    },
  }
}

/** Directories cannot be opened on Windows, where the rename itself is durable enough.
 * @param {string} directory */
function syncDirectory(directory) {
  if (process.platform === "win32") return
  const fd = fs.openSync(directory, "r")
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** The C library writes a kilobyte at a time: gather. */
class DiskFile {
  #fd
  #position = 0
  #buffer = Buffer.allocUnsafeSlow(BUFFER)
  #used = 0

  /** @param {number} fd */
  constructor(fd) {
    this.#fd = fd
  }

  /** @param {Uint8Array} into */
  read(into) {
    this.#flush()
    const count = fs.readSync(this.#fd, into, 0, into.length, this.#position)
    this.#position += count
    return count
  }

  /** @param {Uint8Array} bytes */
  write(bytes) {
    if (this.#used + bytes.length > BUFFER) this.#flush()
    if (bytes.length > BUFFER) return this.#writeAll(bytes)
    this.#buffer.set(bytes, this.#used)
    this.#used += bytes.length
  }

  /** @param {number} position */
  seek(position) {
    this.#flush()
    this.#position = position
  }

  tell() {
    return this.#position + this.#used
  }

  size() {
    this.#flush()
    return fs.fstatSync(this.#fd).size
  }

  sync() {
    this.#flush()
    fs.fsyncSync(this.#fd)
  }

  close() {
    this.#flush()
    fs.closeSync(this.#fd)
  }

  #flush() {
    if (this.#used === 0) return
    const used = this.#used
    this.#used = 0
    this.#writeAll(this.#buffer.subarray(0, used))
  }

  /** @param {Uint8Array} bytes */
  #writeAll(bytes) {
    for (let done = 0; done < bytes.length;) {
      const count = fs.writeSync(this.#fd, bytes, done, bytes.length - done, this.#position)
      this.#position += count
      done += count
    }
  }
}

/** A snapshot that lives in the program that started the engine, not in a folder.
 * @param {Uint8Array<ArrayBuffer> | undefined} snapshot
 * @param {(snapshot: Uint8Array<ArrayBuffer>) => void} keep gets each new snapshot
 * @returns {Files} */
export function filesInMemory(snapshot, keep) {
  /** @type {Map<string, MemoryFile>} */
  const files = new Map()
  if (snapshot) files.set(SNAPSHOT, new MemoryFile(snapshot))
  return {
    open(name) {
      files.get(name)?.seek(0)
      return files.get(name)
    },
    create(name) {
      if (!TEMPORARY.test(name)) return undefined
      const file = new MemoryFile(new Uint8Array(0))
      files.set(name, file)
      return file
    },
    size: (name) => files.get(name)?.size(),
    rename(from, to) {
      const file = files.get(from)
      if (!file || to !== SNAPSHOT) return false
      files.clear()
      keep(file.content())
      return true
    },
    remove: (name) => TEMPORARY.test(name) && files.delete(name),
  }
}

class MemoryFile {
  #bytes
  #size
  #position = 0

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#size = bytes.length
  }

  content() {
    return this.#bytes.slice(0, this.#size)
  }

  /** @param {Uint8Array} into */
  read(into) {
    const part = this.#bytes.subarray(this.#position, Math.min(this.#position + into.length, this.#size))
    into.set(part)
    this.#position += part.length
    return part.length
  }

  /** @param {Uint8Array} bytes */
  write(bytes) {
    const end = this.#position + bytes.length
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length * 2, 65_536))
      larger.set(this.#bytes.subarray(0, this.#size))
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#position)
    this.#position = end
    this.#size = Math.max(this.#size, end)
  }

  /** @param {number} position */
  seek(position) {
    this.#position = position
  }

  tell() {
    return this.#position
  }

  size() {
    return this.#size
  }

  sync() {}

  close() {}
}
