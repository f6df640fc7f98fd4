/* Runs a small ES module in a separate process, on the build of the packages: Node 20
 * does not run TypeScript. For what only a whole process can show: that it exits, that it
 * stays, what kill -9 leaves behind. */

import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

export interface ChildProgram {
  readonly process: ChildProcess
  /** The lines that it has printed so far. */
  readonly lines: readonly string[]
  /** Resolves when it prints that line, or rejects with its errors when it ends before. */
  printed(line: string): Promise<void>
  /** Its exit status, null when a signal ended it. */
  readonly ended: Promise<number | null>
  readonly errors: () => string
}

const root = fileURLToPath(new URL("..", import.meta.url))

/** The source may import the workspace's packages by name. */
export function runProgram(source: string, args: readonly string[] = []): ChildProgram {
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, "--", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const lines: string[] = []
  let errors = ""
  let rest = ""
  let waiting: (() => void)[] = []
  child.stdout.on("data", (text: Buffer) => {
    const parts = (rest + text.toString()).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    for (const look of waiting) look()
  })
  child.stderr.on("data", (text: Buffer) => (errors += text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return {
    process: child,
    lines,
    ended,
    errors: () => errors,
    printed: (line) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!lines.includes(line)) return
          waiting = waiting.filter((other) => other !== look)
          resolve()
        }
        waiting.push(look)
        look()
        void ended.then(() => reject(new Error(`it ended before it printed "${line}":\n${errors}`)))
      }),
  }
}
