/* `npm ci` works on every platform: it refuses a lock file that lacks what another platform would install. */

import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8")
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Readonly<Record<string, Locked>> }

/** Where `name` is found from a package in `place`, as Node looks for it. */
function found(place: string, name: string): Locked | undefined {
  for (let from = place; ; from = from.slice(0, Math.max(0, from.lastIndexOf("node_modules/") - 1))) {
    const own = packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`]
    if (own !== undefined || from === "") return own
  }
}

test("it lists the binaries of every platform", () => {
  const asked = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [place, name] as const),
  )
  expect(asked.filter(([place, name]) => found(place, name) === undefined)).toEqual([])
  for (const name of ["oxfmt", "oxlint", "oxc-parser", "rolldown", "msgpackr-extract", "esbuild"])
    for (const platform of ["darwin", "linux", "win32"])
      expect(
        asked.some(([place, one]) => place.endsWith(`/${name}`) && one.includes(platform)),
        `${name} on ${platform}`,
      ).toBe(true)
})

test("what it lists has one version and a digest, and no address", () => {
  for (const [place, { version, integrity, resolved, link }] of Object.entries(packages)) {
    if (!place.includes("node_modules/")) continue
    if (link === true) expect(resolved, place).toMatch(/^[\w/-]+$/)
    else
      expect({ place, version, integrity, resolved }).toMatchObject({
        version: expect.any(String),
        integrity: expect.stringMatching(/^sha\d+-/),
        resolved: undefined,
      })
  }
})

test("continuous integration installs from it", () => {
  expect(read(".ci/run")).toMatch(/^npm ci$/m)
})
