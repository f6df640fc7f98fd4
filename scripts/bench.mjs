/* npm run bench -- <name> [--json] [--full] [--workers n]
 *
 * Builds, then runs bench/src/<name>.ts as compiled JavaScript: nothing is
 * transformed while it is measured. Without a name: the list. With --json the
 * table goes to standard error and standard output is one line of JSON. */

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compile } from "./bench-compile.mjs"
import { build, root } from "./step.mjs"

const args = process.argv.slice(2)
const json = args.includes("--json")
const full = args.includes("--full")
const at = args.indexOf("--workers")
const workers = at < 0 ? 1 : Number(args.splice(at, 2)[1])
const [name, ...more] = args.filter((arg) => !arg.startsWith("--"))
const unknown =
  workers > 0 ? args.find((arg) => arg.startsWith("--") && arg !== "--json" && arg !== "--full") : "--workers"
const print = json ? console.error : console.log

const benches = await list()
if (unknown !== undefined || more.length > 0) {
  console.error(
    `usage: npm run bench -- <name> [--json] [--full] [--workers n]; not understood: ${unknown ?? more.join(" ")}`,
  )
  process.exit(2)
}
if (name === undefined) {
  const width = Math.max(...benches.map((bench) => bench.name.length))
  for (const bench of benches) console.log(`npm run bench -- ${bench.name.padEnd(width)}   ${bench.about}`)
  process.exit(0)
}
if (!benches.some((bench) => bench.name === name)) {
  console.error(`no bench "${name}": there are ${benches.map((bench) => bench.name).join(", ") || "none yet"}`)
  process.exit(2)
}

const built = await build()
if (built.code !== 0) {
  console.error(built.output)
  process.exit(1)
}

const compiled = await compile([name, "harness", "harness-table"])
const { createBench } = await compiled("harness")
const { table } = await compiled("harness-table")
const { bench, results } = createBench({ full, workers, print })
const started = performance.now()
const { default: run } = await compiled(name)
if (typeof run !== "function") throw new TypeError(`bench/src/${name}.ts has no default function (bench: Bench)`)
await run(bench)
print(`\n${table(results)}\n\n${name}: ${Math.round((performance.now() - started) / 1000)} s`)
if (json) console.log(JSON.stringify(results))
process.exit(0)

/** Every file of bench/src that is neither harness nor test; the first line of its header says what it is about. */
async function list() {
  const files = (await readdir(join(root, "bench/src"))).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("harness") && !file.endsWith(".test.ts"),
  )
  return Promise.all(
    files.sort().map(async (file) => {
      const source = await readFile(join(root, "bench/src", file), "utf8")
      return { name: file.slice(0, -3), about: /^\/\* (.*)$/m.exec(source)?.[1]?.replace(" */", "") ?? "" }
    }),
  )
}
