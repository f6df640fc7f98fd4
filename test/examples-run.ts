/* Carrying out the examples of a page, as a reader would: in a separate folder where the
 * packages are installed, on the build and not on the sources. */

import { spawn } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Command, Program } from "./examples-read.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

export interface Outcome {
  readonly code: number
  readonly printed: string
}

const compilerOptions = {
  strict: true,
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  rootDir: ".",
  outDir: ".js",
}

/** Makes the folder with one file per program; `remove` it afterwards. */
export async function folderOf(programs: readonly Program[]) {
  const folder = await mkdtemp(join(tmpdir(), "keywright-examples-"))
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "example", type: "module" }))
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }))
  for (const { file, text } of programs) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text, { flag: "wx" })
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Compiles all programs of the folder at once; returns what the compiler says, by file and line. */
export async function compile(folder: string): Promise<Map<string, Map<number, string>>> {
  const { printed } = await spawned("tsc", ["-p", folder, "--pretty", "false"], folder)
  const messages = new Map<string, Map<number, string>>()
  let last: [Map<number, string>, number] | undefined
  for (const line of printed.split("\n")) {
    const match = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(line)
    if (match !== null) {
      const [, file, number, message] = match as unknown as [string, string, string, string]
      const own = messages.get(file) ?? new Map<number, string>()
      messages.set(file, own.set(Number(number), `${own.get(Number(number)) ?? ""}${message}\n`))
      last = [own, Number(number)]
    } else if (last !== undefined && line.trim() !== "") {
      last[0].set(last[1], `${last[0].get(last[1])}${line}\n`)
    } else if (line.startsWith("error ")) throw new Error(printed)
  }
  return messages
}

/* Imports the programs that it is given, one after another, and writes what each printed as one line of JSON. */
const runner = `
import { appendFileSync } from "node:fs"
import { inspect } from "node:util"
const [, , results, ...files] = process.argv
let printed = ""
process.stdout.write = process.stderr.write = (chunk) => ((printed += chunk.toString()), true)
for (const file of files) {
  printed = ""
  let code = 0
  try {
    await import(new URL(file.replace(/\\.ts$/, ".js"), new URL(".js/", import.meta.url)))
  } catch (error) {
    code = 1
    printed += inspect(error)
  }
  appendFileSync(results, JSON.stringify({ file, code, printed }) + "\\n")
}
process.exit(0)
`

/** Runs compiled programs in one process: what each printed, by its file. */
export async function runPrograms(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  const results = join(folder, "results.ndjson")
  await writeFile(results, "")
  await writeFile(join(folder, "run-all.mjs"), runner)
  const { printed } = await spawned(process.execPath, ["run-all.mjs", results, ...files], folder)
  const lines = (await readFile(results, "utf8")).split("\n").filter(Boolean)
  const outcomes = new Map(
    lines.map((line) => JSON.parse(line) as Outcome & { file: string }).map((one) => [one.file, one]),
  )
  const lost = { code: 1, printed: `not run: the process ended before it. ${printed}` }
  return new Map(files.map((file) => [file, outcomes.get(file) ?? lost]))
}

/* Commands about the machine or the clone, which a test cannot repeat. */
const notRepeatable = /^(npm (install|i|ci|add)|npx playwright|git clone|cd|apt-get|sudo|docker|brew)\b/
const script = /^npm (?:run ([\w:-]+)|(test|start))\b/

/** Runs a command in the folder. A script of the clone is not run, but must exist: undefined then. */
export async function runCommand(folder: string, { command }: Command): Promise<Outcome | undefined> {
  if (notRepeatable.test(command)) return undefined
  const [, named, plain] = script.exec(command) ?? []
  const name = named ?? plain
  if (name === undefined) return spawned("bash", ["-c", command], folder)
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>
  }
  if (scripts[name] === undefined) throw new Error(`package.json has no script "${name}"`)
  return undefined
}

function spawned(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const { NODE_ENV: _, FORCE_COLOR: __, ...inherited } = process.env
  const path = join(root, "node_modules/.bin") + delimiter + process.env["PATH"]
  const env = { ...inherited, PATH: path, NO_COLOR: "1" }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 })
    let printed = ""
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
    child.on("error", reject)
    child.on("close", (code, signal) =>
      resolve({ code: code ?? 1, printed: signal === null ? printed : `${printed}\n${signal}` }),
    )
  })
}
