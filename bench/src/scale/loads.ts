/* Several processes that drive the shop's `view` step together: one could not keep three primaries busy. */

import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

// Beside the compiled bench, in the sources.
const program = fileURLToPath(new URL("../src/scale/load.mjs", import.meta.url))

export interface Loads {
  /** All of them at once: how many steps were carried out. */
  run(seconds: number): Promise<number>
  stop(): Promise<void>
}

export async function startLoads(processes: number, url: string, shards: number): Promise<Loads> {
  const all = await Promise.all(Array.from({ length: processes }, () => startLoad(url, shards)))
  return {
    run: async (seconds) =>
      (await Promise.all(all.map((one) => one.ask(String(seconds))))).reduce((sum, done) => sum + Number(done), 0),
    async stop() {
      await Promise.all(all.map((one) => one.stop()))
    },
  }
}

async function startLoad(url: string, shards: number) {
  const child = spawn(process.execPath, [program, url, String(shards), "2000", "100"], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error("a load ended")
    return value
  }
  await next()
  return {
    ask(line: string): Promise<string> {
      child.stdin.write(`${line}\n`)
      return next()
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
