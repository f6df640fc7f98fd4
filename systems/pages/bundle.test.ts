/* What a browser loads for each page, and that nothing in it needs more than its own origin. */

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readPageFiles, type PageFiles } from "../platform/pages/page-files.ts"
import { pageHtml } from "../platform/pages/page-html.ts"
// @ts-ignore: a script of the repository, in plain JavaScript
import { buildPages } from "../../scripts/build-pages.mjs"

const LIMIT = 60_000
const names = ["front", "shop", "messaging", "carto", "recommender", "restaurant", "vnpay"]

describe("the built pages", () => {
  let folder: string
  let files: PageFiles
  const textsOf = (name: string): string[] => {
    const { scripts, styles } = files.pages[name]!
    const html = pageHtml({ title: name, parts: files.pages[name]!, icon: undefined, base: `/${name}` })
    return [html, ...[...scripts, ...styles].map((file) => Buffer.from(files.file(file)!.bytes).toString())]
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keywright-pages-"))
    await (buildPages as (into: string) => Promise<void>)(folder)
    files = readPageFiles(folder)!
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(names)(`%s loads in under ${LIMIT / 1000} kB compressed`, (name) => {
    const bytes = textsOf(name).map((text) => gzipSync(text, { level: 9 }).length)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(LIMIT)
  })

  it.each(names)("%s asks nobody but its own origin, and evaluates no text", (name) => {
    const all = textsOf(name).join("\n")
    const elsewhere = all.match(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]{2,}[^"'\s)]*/gi) ?? []
    expect(elsewhere.filter((url) => !url.includes("www.w3.org/"))).toEqual([])
    expect(/\beval\(|new Function\(|document\.write|insertAdjacentHTML/.test(all)).toBe(false)
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
