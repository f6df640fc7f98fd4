/* The command line as its users have it: the bundle, as a process of its own. */

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../../../", import.meta.url))
const program = fileURLToPath(new URL("../../bin/keywright.js", import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Bundles the sources as they are now: the tests are never about yesterday's. */
export async function freshBundle(): Promise<void> {
  // A script of the repository, in JavaScript.
  const { bundleCli } = (await import(new URL("../../../../scripts/bundle-cli.mjs", import.meta.url).href)) as {
    bundleCli: () => Promise<void>
  }
  await bundleCli()
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Interrupts it when this stands in its standard output. */
  readonly interruptAt?: string
  /** What is typed, at a terminal. Ask needs("script") first. */
  readonly typed?: string
  /** What comes through a pipe, which stays open. */
  readonly piped?: string
}

/** `keywright("check", "--config", "systems/shop")`, from the root of the repository. */
export const keywright = (...args: string[]): Promise<Ran> => runCli(args)

export function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = root, env = {}, interruptAt, typed, piped } = options
  const { REDIS_URL: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env
  const own = [process.execPath, program, ...args] as const
  const [command, ...words] =
    typed === undefined ? own : (["script", "-qec", own.map((word) => `'${word}'`).join(" "), "/dev/null"] as const)
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, env: { ...inherited, ...env } })
    child.stdin.write(typed ?? piped ?? "")
    let [stdout, stderr, interrupted] = ["", "", false]
    child.stdout.on("data", (text: Buffer) => {
      stdout += text.toString()
      if (interruptAt === undefined || interrupted || !stdout.includes(interruptAt)) return
      interrupted = child.kill("SIGINT")
    })
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })
}
