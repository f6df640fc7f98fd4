/* `npm run serve` as a separate process, on the build: for what only a whole process can
 * show, such as what kill -9 leaves behind. */

import { spawn, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../dist/bin/serve.js", import.meta.url))

export interface ServeProcess {
  readonly process: ChildProcess
  readonly url: string
  readonly stdout: () => string
  readonly stderr: () => string
  /** Its exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** SIGTERM, and waits. */
  stop(): Promise<number | null>
  /** SIGKILL, and waits. */
  kill9(): Promise<void>
}

/** Resolves when it is ready; rejects with what it said when it ends before. */
export async function serveProcess(...args: string[]): Promise<ServeProcess> {
  const run = runServe(...args)
  const url = await new Promise<string>((resolve, reject) => {
    run.process.stdout!.on("data", () => {
      const found = /^ready (\S+)\n/m.exec(run.stdout())
      if (found) resolve(found[1]!)
    })
    void run.ended.then((code) => reject(new Error(`it ended with ${code}:\n${run.stderr()}`)))
  })
  return {
    ...run,
    url,
    stop() {
      run.process.kill("SIGTERM")
      return run.ended
    },
    async kill9() {
      run.process.kill("SIGKILL")
      await run.ended
    },
  }
}

export function runServe(...args: string[]): Omit<ServeProcess, "url" | "stop" | "kill9"> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, REDIS_URL: "redis://127.0.0.1:1" },
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()))
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()))
  const kill = () => child.kill("SIGKILL")
  process.on("exit", kill)
  child.once("close", () => process.off("exit", kill))
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: new Promise((resolve) => child.once("close", resolve)),
  }
}
