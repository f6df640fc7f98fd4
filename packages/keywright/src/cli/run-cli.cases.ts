/* The command line as its users have it: the bundle. A call with a terminal, a pipe or a signal is a
 * separate process; the others share one (test/cli-host.mjs). */

import { fork, spawn, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../../../", import.meta.url))
const program = fileURLToPath(new URL("../../bin/keywright.js", import.meta.url))
const bundle = fileURLToPath(new URL("../../dist/bin/keywright.js", import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Bundles the sources as they are now: the tests are never about yesterday's. `npm test` has done so already. */
export async function freshBundle(): Promise<void> {
  if (process.env["KEYWRIGHT_BUILT"] === "1") return
  // A script of the repository, in JavaScript.
  const { bundleCli } = (await import(new URL("../../../../scripts/bundle-cli.mjs", import.meta.url).href)) as {
    bundleCli: () => Promise<void>
  }
  await bundleCli()
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Interrupts it when this appears in its standard output. */
  readonly interruptAt?: string
  /** What is typed, at a terminal. Ask needs("script") first. */
  readonly typed?: string
  /** What comes through a pipe, which stays open. */
  readonly piped?: string
  /** In a separate process in any case. */
  readonly alone?: boolean
  /** No file may grow beyond so many blocks of 512 bytes, as where a disk is full: what fits is written. */
  readonly fullDisk?: number
  /** With `fullDisk`: the file that its standard output goes to. */
  readonly into?: string
}

/** `keywright("check", "--config", "systems/shop")`, from the root of the repository. */
export const keywright = (...args: string[]): Promise<Ran> => runCli(args)

export function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { interruptAt, typed, piped, alone = false, fullDisk } = options
  const isShared =
    !alone && fullDisk === undefined && interruptAt === undefined && typed === undefined && piped === undefined
  return isShared ? runShared(args, options) : runAlone(args, options)
}

/** What a user's settings would change. */
function environment(): NodeJS.ProcessEnv {
  const { REDIS_URL: _, NO_COLOR: __, FORCE_COLOR: ___, ...rest } = process.env
  return rest
}

function runAlone(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd = root, env = {}, interruptAt, typed, piped, fullDisk, into } = options
  const limit =
    fullDisk === undefined
      ? []
      : ["sh", "-c", `ulimit -f ${fullDisk}; exec "$@"${into === undefined ? "" : ' > "$0"'}`, into ?? "sh"]
  const own = [...limit, process.execPath, program, ...args] as [string, ...string[]]
  const [command, ...words] =
    typed === undefined ? own : (["script", "-qec", own.map((word) => `'${word}'`).join(" "), "/dev/null"] as const)
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, env: { ...environment(), ...env } })
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

let host: ChildProcess | undefined
let calls = 0

function runShared(args: readonly string[], { cwd = root, env = {} }: RunOptions): Promise<Ran> {
  const serving = (host ??= startHost())
  const id = ++calls
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`keywright ${args.join(" ")} ended the process that it shares`))
    const onMessage = ({ left, ...ran }: Ran & { readonly id: number; readonly left?: readonly string[] }) => {
      if (ran.id !== id) return
      serving.off("message", onMessage).off("exit", onExit)
      if (left === undefined) resolve({ code: ran.code, stdout: ran.stdout, stderr: ran.stderr })
      else reject(new Error(`keywright ${args.join(" ")} would not end: it leaves open ${left.join(", ")}`))
    }
    serving.on("message", onMessage).on("exit", onExit)
    serving.send({ id, args, cwd, env })
  })
}

/** It ends when this process does. */
function startHost(): ChildProcess {
  const child = fork(fileURLToPath(new URL("../../../../test/cli-host.mjs", import.meta.url)), [bundle], {
    cwd: root,
    env: environment(),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  child.setMaxListeners(100)
  child.once("exit", () => (host = undefined))
  child.unref()
  child.channel?.unref()
  return child
}
