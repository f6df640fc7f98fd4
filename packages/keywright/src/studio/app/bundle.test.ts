/* What a browser loads first, and that nothing in it needs more than its own origin. */

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
// @ts-expect-error: a script of the repository, in plain JavaScript
import { buildStudio } from "../../../../../scripts/build-studio.mjs"

const LIMIT = 250_000

describe("the built page", () => {
  let folder: string
  let files: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keywright-bundle-"))
    await (buildStudio as (into: string) => Promise<void>)(folder)
    const names = (await readdir(folder)).filter((name) => !name.endsWith(".txt"))
    files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
    )
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("is four files", () => {
    expect(Object.keys(files).sort()).toEqual(["app.css", "app.js", "icon.svg", "index.html"])
  })

  it(`loads in under ${LIMIT / 1000} kB compressed`, () => {
    const bytes = Object.values(files).map((text) => gzipSync(text, { level: 9 }).length)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(LIMIT)
  })

  it("has no inline script or style, which the policy refuses", () => {
    const html = files["index.html"] ?? ""
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/i)
  })

  it("asks nobody but its own origin, and evaluates no text", () => {
    const [js, css, html] = [files["app.js"] ?? "", files["app.css"] ?? "", files["index.html"] ?? ""]
    const elsewhere = `${js}${css}${html}`.match(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]{2,}[^"'\s)]*/gi) ?? []
    expect(elsewhere.filter((url) => !url.includes("www.w3.org/"))).toEqual([])
    expect(/\beval\(|new Function\(|document\.write|insertAdjacentHTML/.test(js)).toBe(false)
  })

  it("draws text as text: no source hands markup to the browser", async () => {
    const own = new URL(".", import.meta.url)
    const sources = (await readdir(own, { recursive: true })).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\./.test(name),
    )
    const texts = await Promise.all(sources.map((name) => readFile(new URL(name, own), "utf8")))
    expect(sources.filter((_, i) => /innerHTML|outerHTML|dangerously/i.test(texts[i] ?? ""))).toEqual([])
  })
})
