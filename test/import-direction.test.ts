/* Data flows one way. Each layer of packages/keywright/src may import the layers
 * listed for it and what it calls to be outside of the package; this table is
 * the rule, and reading it from top to bottom is reading the architecture. */

import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { importsOf, type Import } from "./imports.ts"

interface Rule {
  /** Layers it may import. */
  readonly from: readonly string[]
  /** Layers of which it may import types only. */
  readonly types?: readonly string[]
  /** Packages it may import; Node's own modules are `node:*`. */
  readonly packages?: readonly string[]
  /** Packages of which it may import types only, or that it may load when they are needed. */
  readonly typesOf?: readonly string[]
  readonly lazily?: readonly string[]
}

const layers: Record<string, Rule> = {
  errors: { from: [], typesOf: ["@standard-schema/spec"] },
  files: { from: ["errors"], packages: ["node:*"] },
  slots: { from: [] },
  schema: {
    from: ["errors", "slots"],
    typesOf: ["@standard-schema/spec"],
    packages: ["node:zlib", "@cfworker/json-schema"],
  },
  driver: { from: ["errors", "slots"], packages: ["node:*"], lazily: ["@keywright/embedded"] },
  client: { from: ["errors", "schema", "driver"], packages: ["node:*"] },
  inspect: { from: ["errors", "files", "schema", "driver", "client"], packages: ["node:*"] },
  change: { from: ["errors", "files", "schema", "driver", "client", "inspect"], packages: ["node:*"] },
  render: { from: ["errors", "schema"], types: ["inspect", "change"], packages: ["node:*"] },
  testing: { from: ["errors", "schema", "driver", "client", "inspect"], packages: ["*"] },
  cli: { from: ["*"], packages: ["*"] },
  studio: { from: ["*"], packages: ["*"] },
}

/** Within a layer: folders, and files, in reading order. Each may import those before it; types may come from anywhere. */
const folders: Record<string, readonly string[]> = {
  client: [
    "lua",
    "observe",
    "call",
    "plan",
    "cache",
    "kinds",
    "entity",
    "transaction",
    "steps",
    "fences",
    "jobs",
    "shards",
  ],
  inspect: ["walk", "rdb", "snapshot", "model", "check", "stats", "audit", "infer", "doctor"],
  "inspect/infer": ["thresholds.ts", "values", "known", "mine", "structure", "propose"],
}

/* Files beside the layers (src/index.ts, src/testing.ts) are entry points: they
 * choose what is public, and may not reach into the two programs. */
const entry: Rule = { from: Object.keys(layers).filter((layer) => layer !== "cli" && layer !== "studio") }

const root = fileURLToPath(new URL("..", import.meta.url))
const src = join(root, "packages/keywright/src")

const allowed = (list: readonly string[] | undefined, name: string) =>
  (list ?? []).some((one) => one === "*" || one === name || (one.endsWith(":*") && name.startsWith(one.slice(0, -1))))

/** Why a layer may not have this import; undefined when it may. */
function objection(layer: string, file: string, { specifier, typesOnly, lazy }: Import): string | undefined {
  const rule = layer === "" ? (layers[entryLayer(file)] ?? entry) : layers[layer]
  if (rule === undefined) return `src/${layer}/ is not in the table of layers`
  if (!specifier.startsWith(".")) {
    const name = specifier.startsWith("node:") ? specifier : packageOf(specifier)
    if (allowed(rule.packages, name)) return undefined
    if ((typesOnly || lazy) && allowed(rule.lazily, name)) return undefined
    return typesOnly && allowed(rule.typesOf, name) ? undefined : `may not import the package ${name}`
  }
  const target = relative(src, resolve(dirname(file), specifier))
  if (target.startsWith("..")) return `may not reach out of the package: ${specifier}`
  const other = target.includes("/") ? (target.split("/")[0] as string) : ""
  if (other === layer) return undefined
  if (other === "") return layer === "cli" || layer === "studio" ? undefined : "may not import an entry point"
  if (allowed(rule.from, other)) return undefined
  if (typesOnly && allowed(rule.types, other)) return undefined
  return `${layer || "an entry point"} may not import ${other}`
}

function layerOf(file: string): string {
  const path = relative(src, file)
  return path.includes("/") ? (path.split("/")[0] as string) : ""
}

/** src/testing.ts represents the layer of its name. */
const entryLayer = (file: string) => relative(src, file).replace(/\.ts$/, "")

const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

const isTest = (file: string) => /\.(test|test-d|cases)\.ts$/.test(file)

function sources(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[jt]sx?$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => join(folder, file))
}

const importsIn = (file: string) => importsOf(readFileSync(file, "utf8"))

describe("the layers of packages/keywright/src", () => {
  for (const layer of new Set(["", ...sources(src).map(layerOf)])) {
    it(`${layer || "entry points"}: imports only what is above it`, () => {
      const own = sources(src).filter((file) => !isTest(file) && layerOf(file) === layer)
      const objections = own.flatMap((file) =>
        importsIn(file).flatMap((one) => {
          const reason = objection(layer, file, one)
          return reason === undefined ? [] : [`${relative(root, file)}: ${reason}`]
        }),
      )
      expect(objections).toEqual([])
    })
  }

  it("are told apart: the rules refuse what they should", () => {
    const file = (layer: string) => join(src, layer, "x.ts")
    const one = (specifier: string, more: Partial<Import> = {}): Import => ({
      specifier,
      typesOnly: false,
      lazy: false,
      ...more,
    })
    expect(objection("schema", file("schema"), one("../client/connect.ts"))).toBe("schema may not import client")
    expect(objection("schema", file("schema"), one("node:crypto"))).toBe("may not import the package node:crypto")
    expect(objection("errors", file("errors"), one("../schema/pattern.ts"))).toBe("errors may not import schema")
    expect(objection("client", file("client"), one("../cli/main.ts"))).toBe("client may not import cli")
    expect(objection("render", file("render"), one("../inspect/finding.ts"))).toBe("render may not import inspect")
    expect(objection("render", file("render"), one("../inspect/finding.ts", { typesOnly: true }))).toBeUndefined()
    expect(objection("driver", file("driver"), one("@keywright/embedded"))).toBe(
      "may not import the package @keywright/embedded",
    )
    expect(objection("driver", file("driver"), one("@keywright/embedded", { lazy: true }))).toBeUndefined()
    expect(objection("schema", file("schema"), one("../index.ts"))).toBe("may not import an entry point")
    expect(objection("client", file("client"), one("../../../embedded/src/index.ts"))).toContain("reach out")
    expect(objection("misc", file("misc"), one("../errors/error.ts"))).toContain("not in the table")
  })
})

describe("the folders of a layer", () => {
  /** The folder of a file within a layer; undefined for files beside the folders that are not in the list: they join the folders. */
  const folderOf = (layer: string, file: string) => {
    const path = relative(join(src, layer), file)
    return path.includes("/") || folders[layer]!.includes(path) ? path.split("/")[0] : undefined
  }
  const backward = (layer: string, file: string, { specifier, typesOnly }: Import) => {
    const order = folders[layer]!
    const target = resolve(dirname(file), specifier)
    if (typesOnly || !specifier.startsWith(".") || relative(join(src, layer), target).startsWith("..")) return false
    const [from, to] = [folderOf(layer, file), folderOf(layer, target)]
    return from !== undefined && (to === undefined || order.indexOf(to) > order.indexOf(from))
  }

  it.each(Object.keys(folders))("%s: each is in the list and imports only those before it", (layer) => {
    const own = sources(join(src, layer)).filter((file) => !isTest(file) && folderOf(layer, file) !== undefined)
    const used = new Set(own.map((file) => folderOf(layer, file)))
    expect([...used].filter((folder) => !folders[layer]!.includes(folder!))).toEqual([])
    const wrong = own.flatMap((file) =>
      importsIn(file)
        .filter((one) => backward(layer, file, one))
        .map(({ specifier }) => `${relative(root, file)}: ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  it("are told apart: an import against the order is found", () => {
    const one = (specifier: string, typesOnly = false): Import => ({ specifier, typesOnly, lazy: false })
    const file = join(src, "client/call/x.ts")
    expect(backward("client", file, one("../plan/plan.ts"))).toBe(true)
    expect(backward("client", file, one("../client.ts"))).toBe(true)
    expect(backward("client", file, one("../plan/plan.ts", true))).toBe(false)
    expect(backward("client", file, one("../observe/observe.ts"))).toBe(false)
    expect(backward("client", file, one("../../driver/driver.ts"))).toBe(false)
  })
})

describe("the packages beside it", () => {
  it("embedded knows nothing of keywright", () => {
    const folder = join(root, "packages/embedded/src")
    const reaching = sources(folder)
      .filter((file) => !isTest(file))
      .flatMap((file) => importsIn(file).map(({ specifier }) => ({ file: relative(root, file), specifier })))
      .filter(({ file, specifier }) => {
        const target = specifier.startsWith(".") ? resolve(root, dirname(file), specifier) : ""
        return packageOf(specifier) === "keywright" || (target !== "" && !target.startsWith(folder))
      })
    expect(reaching).toEqual([])
  })

  it("systems use keywright as its users do, never its sources", () => {
    const folder = join(root, "systems")
    const reaching = sources(folder)
      .flatMap((file) => importsIn(file).map(({ specifier }) => ({ file: relative(root, file), specifier })))
      .filter(({ file, specifier }) => {
        const target = specifier.startsWith(".") ? relative(root, resolve(root, dirname(file), specifier)) : ""
        return target.startsWith("packages/") || /^(keywright|@keywright\/\w+)\/(src|dist)\b/.test(specifier)
      })
    expect(reaching).toEqual([])
  })
})
