/* An append-only file cut at every byte of its end, each cut loaded by a separate server.
 * Servers are started as barely as possible, a few at a time; what one holds is looked at
 * whenever its digest is one that was not seen before. */

import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Reply } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"

type Raw = (...command: string[]) => Promise<Reply>

const AT_A_TIME = 4

export interface Cuts {
  /** The folder of the server that wrote it, which is not running. */
  readonly directory: string
  /** The file in it, and all that it held. */
  readonly file: string
  readonly whole: Buffer
  readonly from: number
}

/** Calls `look` for every state that some cut leaves; returns how many cuts there were, and how many states. */
export async function loadEveryCut(
  { directory, file, whole, from }: Cuts,
  look: (raw: Raw) => Promise<void>,
): Promise<{ places: number; states: number }> {
  const states = new Set<string>()
  let at = from
  const loader = async () => {
    const own = mkdtempSync(join(tmpdir(), "keywright-aof-"))
    cpSync(join(directory, "appendonlydir"), join(own, "appendonlydir"), { recursive: true })
    const cut = join(own, file.slice(directory.length))
    while (at <= whole.length) {
      writeFileSync(cut, whole.subarray(0, at++))
      await withServer(own, async (raw) => {
        const digest = String(await raw("DEBUG", "DIGEST"))
        if (states.has(digest)) return
        states.add(digest)
        await look(raw)
      })
    }
    rmSync(own, { recursive: true, force: true })
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, loader))
  return { places: at - from, states: states.size }
}

async function withServer(directory: string, work: (raw: Raw) => Promise<void>): Promise<void> {
  const socket = join(directory, "redis.sock")
  const args = [
    "--port",
    "0",
    "--unixsocket",
    socket,
    "--dir",
    directory,
    "--save",
    "",
    "--enable-debug-command",
    "yes",
  ]
  const server = spawn("redis-server", [...args, "--appendonly", "yes", "--aof-load-truncated", "yes"])
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    server.stdout.on("data", (text: Buffer) => {
      said += text.toString()
      if (said.includes("ready to accept connections at")) resolve()
    })
    void ended.then(() => reject(new Error(`the server ended:\n${said}`)))
  })
  const driver = openResp(`unix://${socket}`, { timeoutMs: 30_000 })
  try {
    await work((...command) => driver.send(command))
  } finally {
    server.kill("SIGKILL")
    await driver.close()
    await ended
  }
}
