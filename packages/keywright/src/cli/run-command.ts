/* A command of the user's, run by the shell, which ends with us: it has a process group of its
 * own, and a signal that ends us ends the whole group. */

import { type ChildProcess, spawn } from "node:child_process"
import { thenFailed } from "../errors/cli.ts"

/** What a command has to end by itself. */
const GRACE_MS = 3000

/** Its output goes to standard error: standard output is for the result. */
export function runCommand(command: string, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    stopping.throwIfAborted()
    const hasGroups = process.platform !== "win32"
    const child = spawn(command, {
      shell: true,
      detached: hasGroups,
      env: withoutAddresses(process.env),
      stdio: ["ignore", process.stderr, process.stderr],
    })
    let timer: NodeJS.Timeout | undefined
    const end = (signal: NodeJS.Signals) => endGroup(child, hasGroups, signal)
    const stop = () => {
      end("SIGTERM")
      timer = setTimeout(() => end("SIGKILL"), GRACE_MS)
    }
    stopping.addEventListener("abort", stop, { once: true })
    child.once("error", reject)
    child.once("exit", (code) => {
      clearTimeout(timer)
      stopping.removeEventListener("abort", stop)
      if (stopping.aborted) end("SIGKILL") // What the shell had started and did not wait for.
      if (stopping.aborted) reject(stopping.reason as Error)
      else if (code === 0) resolve()
      else reject(thenFailed(code))
    })
  })
}

/** The addresses of both servers, with their passwords, are ours alone; REDIS_URL is the user's. */
function withoutAddresses(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { KEYWRIGHT_FROM: _, KEYWRIGHT_TO: __, ...rest } = environment
  return rest
}

function endGroup({ pid }: ChildProcess, hasGroups: boolean, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    // It has ended.
  }
}
