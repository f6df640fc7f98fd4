/* The most memory that a process takes which does one thing only: the bench itself, started once more. */

import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** In MB; `bench` is the `import.meta.url` of the file that calls `ifForMemory`. */
export async function memoryOf(bench: string, source: string): Promise<number> {
  const child = fork(fileURLToPath(bench), ["--memory-of", source])
  const [[bytes]] = (await Promise.all([once(child, "message"), once(child, "exit")])) as [[number], unknown]
  return bytes / 1024 / 1024
}

/** In the process that was started for it: does the work, and says how much memory that took. */
export async function ifForMemory(work: (source: string) => Promise<void>): Promise<void> {
  if (process.argv[2] !== "--memory-of" || process.send === undefined) return
  await work(process.argv[3]!)
  process.send(process.resourceUsage().maxRSS * 1024)
}
