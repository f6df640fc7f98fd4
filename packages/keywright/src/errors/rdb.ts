/* What can be wrong with an RDB file. Every error says at which byte of the file the
 * reader was; `details.offset` holds the same number for programs. */

import { KeywrightError } from "./error.ts"
import { reasonOf } from "./failed-at.ts"

/** The source could not be opened or read. */
export const rdbUnreadable = (path: string, cause: unknown): KeywrightError =>
  new KeywrightError("RDB.UNREADABLE", `the RDB file ${path} cannot be read: ${reasonOf(cause)}`, {
    fix: "Check the path and the permissions of the file.",
    cause,
  })

/** The first bytes are not those of an RDB file. */
export const rdbNotRdb = (found: Uint8Array): KeywrightError =>
  new KeywrightError("RDB.NOT_RDB", `not an RDB file: it begins with ${hex(found)}`, {
    why: 'An RDB file begins with "REDIS" or "VALKEY" and the version of its format.',
    fix: "Give the dump.rdb that the server writes on SAVE or BGSAVE (unpacked, if it was compressed).",
    details: { offset: 0 },
  })

/** The format is of a version that this reader does not know. */
export const rdbUnknownVersion = (magic: string, version: number): KeywrightError =>
  new KeywrightError("RDB.UNKNOWN_VERSION", `${magic} RDB version ${version} is not known`, {
    why: "The reader knows REDIS versions 1 to 12 and VALKEY versions 80 to 89.",
    fix: "Pass { anyVersion: true } to try; types that are not known will then be refused one by one.",
    details: { offset: 0, magic, version },
  })

/** A type of value or an opcode that this reader does not know; what follows cannot be found. */
export const rdbUnknownType = (offset: number, code: number): KeywrightError =>
  new KeywrightError("RDB.UNKNOWN_TYPE", `unknown type or opcode ${code} at byte ${offset}`, {
    why: "The file is damaged before this byte, or was written by a newer or a pre-release server.",
    fix: "Check the file with redis-check-rdb or valkey-check-rdb of the server that wrote it.",
    details: { offset, code },
  })

/** The file ends before its end marker. */
export const rdbTruncated = (offset: number, missing: string): KeywrightError =>
  new KeywrightError("RDB.TRUNCATED", `the file ends too early: ${missing} at byte ${offset} is incomplete`, {
    why: "The file was cut short, or it is damaged before this byte.",
    fix: "Copy the file again, after the server has finished saving.",
    details: { offset },
  })

/** The bytes contradict the format. */
export const rdbCorrupt = (offset: number, found: string): KeywrightError =>
  new KeywrightError("RDB.CORRUPT", `the file is damaged at byte ${offset}: ${found}`, {
    why: "It was cut off or changed after it was written, or is not an RDB file.",
    fix: "Check the file with redis-check-rdb, and copy it again.",
    details: { offset },
  })

/** The file continues behind its end. */
export const rdbContinues = (offset: number): KeywrightError =>
  new KeywrightError("RDB.CONTINUES", `the file continues after its end at byte ${offset}`, {
    why: "An append-only file can begin with an RDB file. What was written later follows it, and cannot be read here.",
    fix: "Load the file into a server and look at that; or copy the file again, if it is not an append-only file.",
    details: { offset },
  })

/** The file is well-formed, but holds more in one place than is plausible, or than fits into memory. */
export const rdbTooLarge = (offset: number, found: string): KeywrightError =>
  new KeywrightError("RDB.TOO_LARGE", `the file has ${found} at byte ${offset}: that is too much to read`, {
    why: "Compressed values expand to 88 times their size, and each element takes memory: a small file could take all of it.",
    fix: "Load the file into a server and look at that, if you trust its author.",
    details: { offset },
  })

/** All was read, but the checksum at the end shows that some byte has changed. */
export const rdbChecksum = (offset: number, expected: string, found: string): KeywrightError =>
  new KeywrightError(
    "RDB.CHECKSUM",
    `the checksum at byte ${offset} is ${expected}, but the content before it gives ${found}`,
    {
      why: "At least one byte has changed since the server wrote the file.",
      fix: "Copy the file again, or pass { checksum: false } to read it anyway.",
      details: { offset, expected, found },
    },
  )

/** A file answers what reads, and only what the toolkit asks. */
export const rdbReadOnly = (what: string, where: string): KeywrightError =>
  new KeywrightError("RDB.READ_ONLY", `${where} cannot carry out ${what}`, {
    why: "An RDB file can only be read, by the commands that look at keys and values.",
    fix: "Load the file into a server and use that.",
  })

function hex(bytes: Uint8Array): string {
  return bytes.length === 0 ? "nothing" : Buffer.from(bytes).toString("hex")
}
