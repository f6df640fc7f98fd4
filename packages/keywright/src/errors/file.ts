/* What can be wrong with a file that a call names. */

import { withoutPasswords } from "./without-passwords.ts"
import { KeywrightError } from "./error.ts"
import { reasonOf } from "./failed-at.ts"

export const fileOfOtherKind = (path: string, kind: string): KeywrightError =>
  new KeywrightError("FILE.KIND", `${path} is ${kind}, not a file`, {
    why: "A pipe may wait forever, and a device may never end.",
    fix: "Name an ordinary file; write the output of a pipe into a file first.",
  })

export const fileTooLarge = (path: string, most: number): KeywrightError =>
  new KeywrightError("FILE.TOO_LARGE", `${path} has more than ${most} bytes`, {
    why: "It is read into memory as a whole.",
    fix: "Check that it is the right file.",
  })

export const fileUnreadable = (path: string, cause: unknown): KeywrightError =>
  new KeywrightError("FILE.UNREADABLE", `${path} cannot be read: ${reasonOf(cause)}`, {
    fix: "Check the path and the permissions of the file.",
    cause,
  })

export const fileUnwritable = (path: string, cause: unknown): KeywrightError =>
  new KeywrightError("FILE.UNWRITABLE", withoutPasswords(`${path} cannot be written: ${reasonOf(cause)}`), {
    fix: "Name another path, or remove what is there.",
    cause,
  })
