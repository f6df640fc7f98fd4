/* Runs the command line as often as it is asked to, one call after the other, in one process: starting
 * Node and loading the program for each of hundreds of calls would take minutes. What runs is the bundle,
 * from its first line: only its entry is evaluated once per call.
 *
 * A call that leaves something open would keep a separate process from ending: that is reported as `left`. Asked over
 * the channel to the parent process: `{ id, args, cwd, env }` → `{ id, code, stdout, stderr, left }`. */

import { createRequire } from "node:module"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"

const { cache } = createRequire(import.meta.url)
const entry = pathToFileURL(process.argv[2]).href
const home = process.cwd()
const environment = { ...process.env }
// Opened by being looked at, and open from then on.
const streams = [process.stdout, process.stderr]
const idle = open()

let calls = Promise.resolve()
process.on("message", (call) => (calls = calls.then(() => run(call))))

async function run({ id, args, cwd, env }) {
  const before = new Set(Object.keys(cache))
  const written = streams.map(() => [])
  const restore = streams.map((stream, i) => collect(stream, written[i]))
  process.argv = [process.execPath, process.argv[1], ...args]
  process.exitCode = undefined
  Object.assign(process.env, env)
  process.chdir(cwd)
  try {
    await import(`${entry}?call=${id}`)
  } catch (error) {
    written[1].push(Buffer.from(`${error.stack}\n`))
    process.exitCode = 1
  }
  const left = await untilClosed()
  for (const give of restore) give()
  process.chdir(home)
  for (const name of Object.keys(env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.removeAllListeners("SIGINT")
  process.removeAllListeners("SIGTERM")
  process.stdout.removeAllListeners("error")
  // The next call reads its schema again: a test may have changed it, though not one of the systems.
  for (const file of Object.keys(cache))
    if (!before.has(file) && !/\/(node_modules|systems)\//.test(file)) delete cache[file]
  const [stdout, stderr] = written.map((parts) => Buffer.concat(parts).toString())
  process.send({ id, code: process.exitCode ?? 0, stdout, stderr, left })
}

/** Captures what is written to the stream; returns a function that restores the stream. */
function collect(stream, parts) {
  const { write } = stream
  stream.write = (chunk, encoding, done) => {
    parts.push(Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8"))
    ;[encoding, done].find((one) => typeof one === "function")?.()
    return true
  }
  return () => (stream.write = write)
}

/** What keeps a process alive. */
function open() {
  return process.getActiveResourcesInfo().filter((name) => !/^(Immediate|TickObject|FSReq)/.test(name)).length
}

async function untilClosed() {
  for (let tries = 0; open() > idle; tries++) {
    if (tries > 500) return process.getActiveResourcesInfo()
    await pause(tries < 20 ? 0 : 10, undefined, { ref: false })
  }
  return undefined
}
