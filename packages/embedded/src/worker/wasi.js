/* As much of WASI preview 1 as Valkey asks for: time, randomness, a log, and the
 * files of files.js under a root that holds nothing else. Node's own node:wasi
 * would print a warning, and would need a real folder for a root. */

import { randomFillSync } from "node:crypto"

/**
 * @import { Clock } from "./clock.js"
 * @import { File, Files } from "./files.js"
 */

const errno = { ok: 0, access: 2, badf: 8, inval: 28, io: 29, noent: 44, nospc: 51, nosys: 52, spipe: 70 }
const fileType = { characters: 2, directory: 3, file: 4 }
const openFlag = { create: 1 }
const ROOT = 3

/** Thrown through WebAssembly when the server calls exit(). */
export class Exit extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`exit status ${status}`)
    this.status = status
  }
}

/** Thrown through WebAssembly when the other thread has asked for it. */
export class Interrupted extends Error {}

/** What cannot be written, and is open only to be synced or read from.
 * @param {(into: Uint8Array) => number} read
 * @returns {File} */
const source = (read) => ({
  read,
  write() {},
  seek() {},
  tell: () => 0,
  size: () => 0,
  sync() {},
  close() {},
})

const randomness = source((into) => randomFillSync(into).length)
/** The server syncs it after a rename; files.js has done so already. */
const root = source(() => 0)
const special = new Map([
  ["", root],
  ["dev/urandom", randomness],
])

/**
 * @param {object} world
 * @param {{ readonly bytes: Buffer, readonly view: DataView }} world.memory always the current views
 * @param {Clock} world.clock
 * @param {Files} world.files
 * @param {(bytes: Uint8Array) => void} world.log
 * @param {() => void} world.moved
 * @param {() => boolean} world.interrupted
 */
export function wasi({ memory, clock, files, log, moved, interrupted }) {
  /** @type {Map<number, File>} */
  const open = new Map()
  let next = ROOT + 1

  /** @param {number} pointer @param {number} length */
  const text = (pointer, length) => memory.bytes.toString("utf8", pointer, pointer + length).replace(/^[./]+/, "")

  /** @param {() => number | void} act a system call that may throw as node:fs does */
  const attempt = (act) => {
    try {
      return act() ?? errno.ok
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined
      log(Buffer.from(`# ${error instanceof Error ? error.message : String(error)}\n`))
      if (code === "ENOSPC") return errno.nospc
      return code === "EACCES" || code === "EPERM" ? errno.access : errno.io
    }
  }

  /** @param {number} vectors @param {number} count @param {(part: Buffer) => number} each
   * @returns {number} bytes in all; ends early when one part is not filled */
  const gather = (vectors, count, each) => {
    let total = 0
    for (let index = 0; index < count; index++) {
      const start = memory.view.getUint32(vectors + index * 8, true)
      const length = memory.view.getUint32(vectors + index * 8 + 4, true)
      const done = each(memory.bytes.subarray(start, start + length))
      total += done
      if (done < length) break
    }
    return total
  }

  /** @param {number} pointer @param {number} kind @param {number} size */
  const writeStat = (pointer, kind, size) => {
    memory.bytes.fill(0, pointer, pointer + 64)
    memory.view.setUint8(pointer + 16, kind)
    memory.view.setUint32(pointer + 24, 1, true)
    memory.view.setBigUint64(pointer + 32, BigInt(size), true)
    return errno.ok
  }

  /** @param {number} fd @param {number} vectors @param {number} count @param {number} result */
  const read = (fd, vectors, count, result) => {
    const file = open.get(fd)
    if (!file) return errno.badf
    return attempt(() => {
      const total = gather(vectors, count, (part) => file.read(part))
      moved()
      memory.view.setUint32(result, total, true)
    })
  }

  return unsigned({
    /** @param {number} count @param {number} size */
    environ_sizes_get(count, size) {
      memory.view.setUint32(count, 0, true)
      memory.view.setUint32(size, 0, true)
      return errno.ok
    },
    environ_get: () => errno.ok,

    /** @param {number} id @param {bigint} _precision @param {number} result */
    clock_time_get(id, _precision, result) {
      // A script looks at the clock every now and then, however long it takes.
      if (interrupted()) throw new Interrupted("interrupted")
      clock.write(memory.view, result >>> 0, id === 1)
      return errno.ok
    },

    /** @param {number} fd */
    fd_close(fd) {
      const file = open.get(fd)
      if (!file) return errno.badf
      open.delete(fd)
      return attempt(() => file.close())
    },
    /** @param {number} fd @param {number} result */
    fd_fdstat_get(fd, result) {
      if (fd > ROOT && !open.has(fd)) return errno.badf
      const kind = fd === ROOT ? fileType.directory : fd < ROOT ? fileType.characters : fileType.file
      memory.bytes.fill(0, result, result + 8)
      memory.view.setUint8(result, kind)
      memory.bytes.fill(0xff, result + 8, result + 24)
      return errno.ok
    },
    fd_fdstat_set_flags: () => errno.ok,
    /** @param {number} fd @param {number} result */
    fd_filestat_get(fd, result) {
      if (fd === ROOT) return writeStat(result, fileType.directory, 0)
      if (fd < ROOT) return writeStat(result, fileType.characters, 0)
      const file = open.get(fd)
      return file ? attempt(() => writeStat(result, fileType.file, file.size())) : errno.badf
    },
    fd_filestat_set_size: () => errno.nosys,
    /** @param {number} fd @param {number} vectors @param {number} count @param {bigint} offset @param {number} result */
    fd_pread(fd, vectors, count, offset, result) {
      const file = open.get(fd)
      if (!file) return errno.badf
      const before = file.tell()
      file.seek(Number(offset))
      const outcome = read(fd, vectors, count, result)
      file.seek(before)
      return outcome
    },
    /** @param {number} fd @param {number} result */
    fd_prestat_get(fd, result) {
      if (fd !== ROOT) return errno.badf
      memory.view.setUint32(result, 0, true)
      memory.view.setUint32(result + 4, 1, true)
      return errno.ok
    },
    /** @param {number} fd @param {number} name */
    fd_prestat_dir_name(fd, name) {
      if (fd !== ROOT) return errno.badf
      memory.bytes.write("/", name)
      return errno.ok
    },
    fd_read: read,
    /** @param {number} _fd @param {number} _buffer @param {number} _length @param {bigint} _cookie @param {number} result */
    fd_readdir(_fd, _buffer, _length, _cookie, result) {
      memory.view.setUint32(result, 0, true)
      return errno.ok
    },
    fd_renumber: () => errno.nosys,
    /** @param {number} fd @param {bigint} offset @param {number} whence @param {number} result */
    fd_seek(fd, offset, whence, result) {
      if (fd < ROOT) return errno.spipe
      const file = open.get(fd)
      if (!file) return errno.badf
      return attempt(() => {
        const base = whence === 0 ? 0 : whence === 1 ? file.tell() : file.size()
        const position = base + Number(offset)
        if (position < 0) return errno.inval
        if (position !== file.tell()) file.seek(position)
        memory.view.setBigUint64(result, BigInt(position), true)
        return errno.ok
      })
    },
    /** @param {number} fd */
    fd_sync(fd) {
      return attempt(() => open.get(fd)?.sync())
    },
    /** @param {number} fd @param {number} vectors @param {number} count @param {number} result */
    fd_write(fd, vectors, count, result) {
      const file = open.get(fd)
      if (!file && fd >= ROOT) return errno.badf
      return attempt(() => {
        const total = gather(vectors, count, (part) => {
          if (file) file.write(part)
          else log(part)
          return part.length
        })
        // A line of the log is not progress: an endless script writes one too.
        if (file) moved()
        memory.view.setUint32(result, total, true)
      })
    },

    path_create_directory: () => errno.access,
    /** @param {number} _fd @param {number} _flags @param {number} name @param {number} length @param {number} result */
    path_filestat_get(_fd, _flags, name, length, result) {
      const path = text(name, length)
      if (path === "") return writeStat(result, fileType.directory, 0)
      return attempt(() => {
        const size = files.size(path)
        return size === undefined ? errno.noent : writeStat(result, fileType.file, size)
      })
    },
    /**
     * @param {number} _fd @param {number} _lookup @param {number} name @param {number} length @param {number} flags
     * @param {bigint} _rights @param {bigint} _inherited @param {number} _fdFlags @param {number} result
     */
    path_open(_fd, _lookup, name, length, flags, _rights, _inherited, _fdFlags, result) {
      const path = text(name, length)
      const creates = (flags & openFlag.create) !== 0
      return attempt(() => {
        const file = special.get(path) ?? (creates ? files.create(path) : files.open(path))
        if (!file) return creates ? errno.access : errno.noent
        open.set(next, file)
        memory.view.setUint32(result, next++, true)
        return errno.ok
      })
    },
    /** @param {number} _fd @param {number} from @param {number} fromLength @param {number} _to @param {number} to @param {number} toLength */
    path_rename(_fd, from, fromLength, _to, to, toLength) {
      return attempt(() => (files.rename(text(from, fromLength), text(to, toLength)) ? errno.ok : errno.noent))
    },
    /** @param {number} _fd @param {number} name @param {number} length */
    path_unlink_file(_fd, name, length) {
      return attempt(() => (files.remove(text(name, length)) ? errno.ok : errno.noent))
    },

    /** Only sleeps come here, and the server is never to sleep.
     * @param {number} subscriptions @param {number} events @param {number} count @param {number} result */
    poll_oneoff(subscriptions, events, count, result) {
      for (let index = 0; index < count; index++) {
        const event = events + index * 32
        memory.bytes.fill(0, event, event + 32)
        memory.bytes.copy(memory.bytes, event, subscriptions + index * 48, subscriptions + index * 48 + 8)
      }
      memory.view.setUint32(result, count, true)
      return errno.ok
    },
    /** @param {number} status @returns {never} */
    proc_exit(status) {
      throw new Exit(status)
    },
    sched_yield: () => errno.ok,
    sock_shutdown: () => errno.ok,
  })
}

/** Pointers beyond 2 GB arrive as negative numbers. The clock is asked too often for another call in between: it takes
 * care itself.
 * @template {Record<string, (...args: any[]) => number>} T
 * @param {T} calls
 * @returns {T} */
function unsigned(calls) {
  const wrapped = Object.entries(calls).map(([name, call]) => {
    /** @param {(number | bigint)[]} args */
    const taking = (...args) => call(...args.map((value) => (typeof value === "number" ? value >>> 0 : value)))
    return [name, name === "clock_time_get" ? call : taking]
  })
  return Object.fromEntries(wrapped)
}
