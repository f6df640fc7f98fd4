import path from "node:path"
import { bootFailed, crashed, type EngineError, outOfMemory, shutDown, snapshotUnreadable } from "./errors.ts"
import type { EndedMessage } from "./protocol.ts"

/** The error for an engine that ended by itself, from its last words. */
export function endReason(
  ended: EndedMessage,
  setup: { readonly directory: string | undefined },
  booted: boolean,
): EngineError {
  if (ended.log.some((line) => line.includes("Out Of Memory allocating"))) return outOfMemory(ended.log)
  if (booted) return ended.how === "exit" ? shutDown(ended.log) : crashed(ended.what, ended.log)
  const loading = ended.log.some((line) => /RDB|loading the DB/i.test(line))
  if (setup.directory && loading) return snapshotUnreadable(path.join(setup.directory, "dump.rdb"), ended.log)
  return bootFailed(ended.what, ended.log)
}
