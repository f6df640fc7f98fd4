/* What can go wrong while a server writes its snapshot. */

import { KeywrightError } from "./error.ts"

export const saveFailed = (why: string) =>
  new KeywrightError("BACKUP.FAILED", "the server could not write its snapshot", {
    why,
    fix: "See the server's log; check the free space and the permissions of its directory.",
  })

export const saveTimedOut = (seconds: number) =>
  new KeywrightError("BACKUP.PARTIAL", `the snapshot was not finished within ${seconds} s`, {
    why: "The server is still writing it; this call has stopped waiting.",
    fix: "Wait longer with --timeout, or check LASTSAVE.",
  })
