import path from "node:path"
import { bootFailed, crashed, type EngineError, portTaken, shutDown, snapshotUnreadable } from "./errors.ts"
import type { FromWorker, WorkerSetup } from "./protocol.ts"

type Ended = Extract<FromWorker, { kind: "ended" }>

/** The error for an engine that ended by itself, from its last words. */
export function endReason(ended: Ended, setup: Omit<WorkerSetup, "signals">, booted: boolean): EngineError {
  if (ended.how === "listen") return portTaken(setup.port ?? 0, ended.what)
  if (booted) return ended.how === "exit" ? shutDown(ended.log) : crashed(ended.what, ended.log)
  const loading = ended.log.some((line) => /RDB|loading the DB/i.test(line))
  if (setup.directory && loading) return snapshotUnreadable(path.join(setup.directory, "dump.rdb"), ended.log)
  return bootFailed(ended.what, ended.log)
}
