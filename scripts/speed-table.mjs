/* npm run speed: the table "How fast" of the README, from a run of `bench -- client` on this
 * machine, with the machine, the date and the versions. Run it on an idle machine: other
 * work on the machine distorts the figures. */

import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { root } from "./step.mjs"

const bench = execFileSync(process.execPath, [join(root, "scripts/bench.mjs"), "client", "--json"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  maxBuffer: 64 * 1024 * 1024,
})
const { ratios } = JSON.parse(bench.trim().split("\n").at(-1))

const version = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version
const server = /v=(\S+)/.exec(execFileSync("redis-server", ["--version"], { encoding: "utf8" }))[1]
const rounded = (value) => (value >= 1.1 ? value.toFixed(1) : value.toFixed(2))
const cell = (command, against) => rounded(ratios[`${command}, against ${against}`].value)
const row = (title, against) =>
  `| ${[title, cell("GET", against), cell("ZADD", against), `${cell("JSON GET", against)} / ${cell("JSON SET", against)}`, cell("HGETALL", against)].join(" | ")} |`

const table = [
  "| Keywright's typed client against | GET | ZADD | JSON document GET / SET | HGETALL |",
  "|---|---|---|---|---|",
  row("node-redis 6 with its timer turned off", "node-redis 6 without its timer"),
  row("node-redis 6 with default settings", "node-redis 6 as it comes"),
  row("ioredis 6", "ioredis 6"),
  row("hand-written calls on its own connection, with the same codecs", "driver.send by hand"),
].join("\n")
const processor = cpus()[0].model.replace(/\s+/g, " ").trim()
const made = `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${processor}), Node ${process.versions.node}, Redis ${server}, node-redis ${version("redis")}, ioredis ${version("ioredis")}.`

const file = join(root, "README.md")
const [before, after] = ["<!-- made by npm run speed -->", "<!-- end -->"]
const text = readFileSync(file, "utf8")
const [from, to] = [text.indexOf(before), text.indexOf(after)]
if (from < 0 || to < from) throw new Error(`README.md has no part between ${before} and ${after}`)
writeFileSync(file, `${text.slice(0, from + before.length)}\n\n${table}\n\n${made}\n\n${text.slice(to)}`)
console.log(`${table}\n\n${made}`)
