/* npm run docs: builds the documentation site and serves it.
 *
 *   npm run docs                 builds, then serves on http://localhost:4173
 *   npm run docs -- --build      only builds, into docs/.vitepress/dist
 *   npm run docs -- --dev        serves the Markdown as it is edited, without the API reference */

import { spawn } from "node:child_process"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build, root, run, step } from "./step.mjs"

const args = process.argv.slice(2)
const docs = join(root, "docs")

if (!args.includes("--dev")) {
  const done =
    (await step("build (tsc -b)", () => build())) &&
    (await step("pictures and diagrams", pictures)) &&
    (await step("API reference (typedoc)", () => run("node", ["node_modules/typedoc/bin/typedoc"], { cwd: docs }))) &&
    (await step("site (vitepress)", () => run("vitepress", ["build", docs])))
  if (!done) process.exit(1)
}
if (!args.includes("--build")) {
  const command = args.includes("--dev") ? "dev" : "preview"
  const port = args.find((arg) => /^\d+$/.test(arg)) ?? "4173"
  const child = spawn(join(root, "node_modules/.bin/vitepress"), [command, docs, "--port", port], { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code) => process.exit(code ?? 0))
}

/** The pictures that pages without their own folder refer to, and the diagram of each system. */
async function pictures() {
  const shown = join(docs, "public/screenshots")
  const drawn = join(docs, "public/diagrams")
  await mkdir(shown, { recursive: true })
  await mkdir(drawn, { recursive: true })
  for (const theme of ["light", "dark"])
    await cp(join(docs, `screenshots/overview-${theme}.png`), join(shown, `overview-${theme}.png`))
  for (const system of ["shop", "messaging", "carto", "recommender", "restaurant"]) {
    const command = ["packages/keywright/bin/keywright.js", "docs", "--config", `systems/${system}`, "--format", "svg"]
    const { code, output } = await run(process.execPath, command)
    if (code !== 0) return { code, output }
    await writeFile(join(drawn, `${system}.svg`), output)
  }
  return { code: 0, output: "" }
}
