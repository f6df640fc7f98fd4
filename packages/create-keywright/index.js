#!/usr/bin/env node
/* npm create keywright <folder>: copies the template and installs what it needs. Asks nothing. */

import { spawnSync } from "node:child_process"
import { cpSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder as it is printed, and may be pasted into a shell. */
const quoted = (text) =>
  /^[\w./@+-]+$/.test(text) ? text : `'${text.replace(/\p{C}/gu, "?").replaceAll("'", String.raw`'\''`)}'`
const refuse = (why) => {
  console.error(`${why}. Name another folder: npm create keywright my-shop`)
  process.exit(1)
}

const words = process.argv.slice(2)
const install = !words.includes("--no-install")
const given = words.find((word) => !word.startsWith("-")) ?? "my-keyspace"
const folder = resolve(given)
const name = basename(folder)
  .toLowerCase()
  .replace(/[^a-z0-9-]+/g, "-")
  .replace(/^-+|-+$/g, "")

try {
  // A link that leads nowhere is there, too.
  if (lstatSync(folder, { throwIfNoEntry: false }) && readdirSync(folder).length > 0)
    refuse(`${quoted(given)} is not empty`)
  cpSync(fileURLToPath(new URL("template", import.meta.url)), folder, { recursive: true })
} catch (error) {
  refuse(`${quoted(given)} cannot be made (${error.code})`)
}
renameSync(join(folder, "gitignore"), join(folder, ".gitignore")) // npm leaves out files of that name
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify({ ...manifest, name: name || "my-keyspace" }, undefined, 2)}\n`,
)

if (install) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  const { status } = spawnSync(npm, ["install"], { cwd: folder, stdio: "inherit", shell: process.platform === "win32" })
  if (status !== 0) {
    console.error(`npm install failed. Try it again in ${quoted(given)}.`)
    process.exit(1)
  }
}
console.log(`
Made ${quoted(given)}. Next:

  cd ${quoted(given)}${install ? "" : "\n  npm install"}
  npm start        # runs src/main.ts, on a Valkey inside the process
  npm test         # tests with a clock that they move
  npm run check    # what Keywright says of the schema
`)
