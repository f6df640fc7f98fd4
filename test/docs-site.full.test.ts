/* The documentation site on a phone: every page of it, as it is built, in a real browser. Building takes a
 * minute, so only in the full run. */

import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { chromium, type Browser, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs, pathOf } from "./needs.ts"

const root = new URL("..", import.meta.url).pathname
const site = join(root, "docs/.vitepress/dist")
const phone = { width: 390, height: 844 }
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url!, "http://site")
  const asked = join(site, decodeURIComponent(pathname))
  const file = [asked, `${asked}.html`, join(asked, "index.html")].find((path) => extname(path) && existsSync(path))
  if (file === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
  response.end(await readFile(file))
})

const pagesOfSite = () =>
  readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html") && path !== "404.html")
    .map((path) => `/${path.replace(/(?:index)?\.html$/, "")}`)
    .sort()

describe.runIf(needs("chromium"))("the documentation site at 390 pixels", () => {
  let browser: Browser
  let page: Page
  let origin: string

  beforeAll(async () => {
    await promisify(execFile)("node", ["scripts/docs.mjs", "--build"], { cwd: root })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []
    browser = await chromium.launch({ executablePath: pathOf("chromium")!, args })
    page = await browser.newPage({ viewport: phone })
  }, 600_000)

  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })

  it("has no page that scrolls sideways or throws an error", async () => {
    const wrongs: string[] = []
    page.on("pageerror", (error) => wrongs.push(`${page.url()}: ${error.message}`))
    const paths = pagesOfSite()
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) {
      await page.goto(origin + path)
      const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      if (over > 0) wrongs.push(`${path} is ${over} pixels too wide`)
    }
    expect(wrongs).toEqual([])
  })

  it("finds a page by its search, without asking any other server", async () => {
    const elsewhere: string[] = []
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== origin && !request.url().startsWith("data:")) elsewhere.push(request.url())
    })
    await page.goto(`${origin}/guide/first-ten-minutes`)
    await page.getByRole("button", { name: "Search" }).click()
    await page.locator("#localsearch-input").fill("leaderboard")
    await page.locator("#localsearch-list a").first().waitFor()
    expect(elsewhere).toEqual([])
  })
})
