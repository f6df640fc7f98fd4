/* Running a tool as one line: its name, how long it took, and its output only
 * when it failed. Tools are run from node_modules/.bin, without npx. */

import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

const env = { ...process.env, PATH: join(root, "node_modules/.bin") + delimiter + process.env.PATH }

/** Runs a command with its output collected: `{ code, output, ms }`. */
export function run(command, args, options = {}) {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], ...options })
    const chunks = []
    child.stdout?.on("data", (chunk) => chunks.push(chunk))
    child.stderr?.on("data", (chunk) => chunks.push(chunk))
    const done = (code, more = "") =>
      resolve({ code, output: Buffer.concat(chunks).toString() + more, ms: performance.now() - started })
    child.on("error", (error) => done(127, `${command}: ${error.message}\n`))
    child.on("close", (code) => done(code ?? 1))
  })
}

/** Does `work` (which returns `{ code, output }`) and prints one line about it; true when it succeeded. */
export async function step(name, work) {
  const started = performance.now()
  const { code, output } = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
  console.log(`${code === 0 ? "✓" : "✗"} ${name.padEnd(44)} ${seconds} s`)
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, "    ") + "\n")
  return code === 0
}

/** Brings the build up to date: quick when nothing changed. */
export const build = () => run("node", ["scripts/build.mjs"])
