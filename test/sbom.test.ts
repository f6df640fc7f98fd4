/* The bill of materials of the published packages says what is really in them. Needs the build. */

import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8")
const json = <T>(path: string): T => JSON.parse(read(path)) as T

interface Component {
  readonly "bom-ref": string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)
const bundledIn = (bom: Bom, place: string): string[] =>
  bom.components
    .filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === "keywright:bundled-in" && value === place),
    )
    .map(nameOf)
    .sort()

/** esbuild says above each module where it is from. */
const packagesNamedIn = (files: readonly string[]): string[] => {
  const named = files.flatMap((file) => [
    ...read(file).matchAll(/^\s*\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
  ])
  return [...new Set(named.map(([, name]) => name!))].sort()
}

describe.each(["keywright", "embedded"])("the bill of materials of packages/%s", (folder) => {
  const bom = json<Bom>(`packages/${folder}/dist/sbom.cdx.json`)
  const own = json<Manifest>(`packages/${folder}/package.json`)

  test("is CycloneDX 1.6 of this package", () => {
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 })
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect([nameOf(bom.metadata.component), bom.metadata.component.version]).toEqual([own.name, own.version])
  })

  test("names each part once, with the version and the licence that are installed", () => {
    const refs = bom.components.map((one) => one["bom-ref"])
    expect(new Set(refs).size).toBe(refs.length)
    for (const one of bom.components) {
      const place = one.group === "@keywright" ? `packages/${one.name}` : `node_modules/${nameOf(one)}`
      const { name, version, license } = json<Manifest>(`${place}/package.json`)
      expect([nameOf(one), one.version]).toEqual([name, version])
      expect(one.purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`)
      expect(one.licenses.map((licence) => licence.license?.id ?? licence.expression)).toEqual([license])
    }
  })

  test("lists what is installed with the package", () => {
    const names = bom.components.map(nameOf)
    expect(names).toEqual(expect.arrayContaining(Object.keys(own.dependencies ?? {})))
    const [first] = bom.dependencies
    expect(first?.dependsOn).toEqual(bom.components.map((one) => one["bom-ref"]))
  })

  test("is among the files that are published, with the licences of what is bundled", () => {
    const { files = [] } = own
    expect(files).toContain("dist")
    const left = files.filter((pattern) => pattern.startsWith("!dist")).map((pattern) => pattern.slice(1))
    expect(left.filter((pattern) => /sbom|licences|^dist\/bin|^dist\/studio\/\*/.test(pattern))).toEqual([])
  })
})

describe("what is bundled into keywright", () => {
  const bom = json<Bom>("packages/keywright/dist/sbom.cdx.json")
  const dist = "packages/keywright/dist"

  test("is exactly what the command line's files say they hold", () => {
    const files = readdirSync(`${root}${dist}/bin`).filter((name) => name.endsWith(".js"))
    const found = packagesNamedIn(files.map((name) => `${dist}/bin/${name}`))
    expect(found).toContain("commander")
    expect(bundledIn(bom, "dist/bin")).toEqual(found)
  })

  test("is exactly what the studio's server says it holds", () => {
    const found = packagesNamedIn([`${dist}/studio/server.js`])
    expect(found).toContain("hono")
    expect(bundledIn(bom, "dist/studio/server.js")).toEqual(found)
  })

  test("is what the studio's page imports, and what that needs", () => {
    const app = "packages/keywright/src/studio/app"
    const sources = readdirSync(`${root}${app}`, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\./.test(name),
    )
    const imported = sources.flatMap((name) => [
      ...read(`${app}/${name}`).matchAll(/^import (?!type)[^"]*"((?:@[^/"]+\/)?[^./"][^/"]*)(?:\/[^"]*)?"/gm),
    ])
    const direct = [...new Set(imported.map(([, name]) => name!))]
    const needed = new Set(direct)
    for (const name of needed)
      for (const more of Object.keys(json<Manifest>(`node_modules/${name}/package.json`).dependencies ?? {}))
        needed.add(more)
    const listed = bundledIn(bom, "dist/studio/app.js")
    expect(direct).toContain("preact")
    expect(listed).toEqual(expect.arrayContaining(direct))
    expect(listed.filter((name) => !needed.has(name))).toEqual([])
  })

  test("has its licence beside it", () => {
    for (const [place, file] of Object.entries({
      "dist/bin": "bin/licences.txt",
      "dist/studio/server.js": "studio/server.js.licences.txt",
      "dist/studio/app.js": "studio/licences.txt",
    })) {
      const text = read(`${dist}/${file}`)
      for (const name of bundledIn(bom, place))
        expect(text, file).toMatch(new RegExp(`^${name} \\d[^\\n]*\\n\\n\\S`, "m"))
    }
  })
})
