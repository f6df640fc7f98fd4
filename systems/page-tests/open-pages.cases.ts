/* The five systems with people in them, and one browser, for the tests of their pages. The
 * pages are built from the sources. What a page must never do is noted while it is open. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { start } from "@keywright/embedded"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { buildPages } from "../../scripts/build-pages.mjs"
import { pathOf } from "../../test/needs.ts"
import { watchPage } from "../../test/watch-page.ts"
import { catalog, known } from "../catalog.ts"
import { demoArgs, pageAccess, prefixOf, type DemoAccess } from "../demo/access.ts"
import { fillSystems } from "../demo/demo.ts"
import { freePort } from "../demo/free-port.ts"
import { addSandbox } from "../demo/vnpay-sandbox.ts"
import { openLog } from "../platform/log.ts"
import { readOptions } from "../platform/options.ts"
import { startServer, type Server } from "../platform/server.ts"

export const devices = {
  desk: { viewport: { width: 1440, height: 900 }, colorScheme: "light", reducedMotion: "reduce" },
  phone: { viewport: { width: 400, height: 800 }, colorScheme: "dark", reducedMotion: "reduce" },
} as const
export type Device = keyof typeof devices

export interface Pages {
  readonly url: string
  /** The page in a tab of the desk (1440 pixels, light) or of the phone (400 pixels, dark). Tabs are used again, and
   * those of one device share what it remembers: a new browser for every page would take longer than the tests. */
  open(device: Device, path: string, tab?: number): Promise<Page>
  /** Leaves it for an answer that asks for nothing, at the same address: a browser starts a new process on every way
   * from about:blank to a page that refuses to share one. */
  leave(page: Page): Promise<void>
  /** Calls a route as the administrator. */
  admin(request: string, body?: unknown): Promise<Response>
  /** Ends the server; `back` starts it again on the same port and the same data, with another admin token. */
  away(): Promise<{ back(): Promise<void> }>
  /** What pages did that they must not, since it was asked last. */
  wrongs(): string[]
  /** What the server refused them, since it was asked last: pages of people who do nothing wrong are refused nothing. */
  refusals(): string[]
  close(): Promise<void>
}

const names = Object.keys(catalog)
let access: DemoAccess = {
  adminToken: "admin-token-of-the-page-tests",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-page-tests",
}

export async function openPages(): Promise<Pages> {
  const folder = await mkdtemp(join(tmpdir(), "keywright-pages-"))
  const made = Promise.all([start(), openBrowser(), freePort(0), pagesIn(join(folder, "pages"))])
  const [engine, browser, port, pagesFolder] = await made
  const url = `http://127.0.0.1:${port}`
  const log = openLog(() => undefined)
  const serve = async (): Promise<Server> => {
    const database = ["--database", `sqlite:${join(folder, "source.db")}`]
    // Sessions outlive a restart only where this is given.
    const lasting = ["--set", "restaurant.jwtSecret=a-secret-of-the-page-tests-that-stays"]
    const args = [names.join(), "--port", String(port), ...database, ...lasting, ...demoArgs(names, access, url)]
    const plan = await readOptions(args, catalog)
    return startServer({
      ...plan,
      known,
      engine,
      log,
      pagesFolder,
      demoPages: {
        access: () => pageAccess(access),
        add: (app, servePage) => addSandbox(app, servePage, access, url + prefixOf(names, "restaurant")),
      },
    })
  }
  let server = await serve()
  await fillSystems(names, { url, ...access, log })
  const wrongs: string[] = []
  const refusals: string[] = []
  /** The browser notes each connection that was refused. */
  let wasAway = false
  const contexts: Partial<Record<Device, BrowserContext>> = {}
  const tabs: Record<string, Page> = {}
  const newTab = async (device: Device): Promise<Page> => {
    const context = (contexts[device] ??= await browser.newContext(devices[device]))
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    await watchPage(page, () => url, wrongs)
    page.on("response", (answer) => {
      if (answer.status() >= 400) refusals.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`)
    })
    return page
  }
  return {
    url,
    refusals: () => refusals.splice(0),
    wrongs() {
      const isAbsence = (text: string) => wasAway && /ERR_(CONNECTION|EMPTY|INCOMPLETE)/.test(text)
      const found = wrongs.splice(0).filter((text) => !isAbsence(text))
      wasAway = false
      return found
    },
    async open(device, path, tab = 0) {
      const page = (tabs[`${device} ${tab}`] ??= await newTab(device))
      await page.goto(url + path)
      return page
    },
    leave: async (page) => void (await page.goto(`${url}/health`)),
    admin(request, body) {
      const [method = "", path = ""] = request.split(" ")
      return fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${access.adminToken}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    },
    async away() {
      wasAway = true
      await server.close()
      access = { ...access, adminToken: "another-token-of-the-page-tests" }
      return { back: async () => void (server = await serve()) }
    },
    async close() {
      await browser.close()
      await server.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The pages as the sources have them now, built into that folder. `npm test` has built them already. */
async function pagesIn(folder: string): Promise<string> {
  if (process.env["KEYWRIGHT_BUILT"] === "1") return fileURLToPath(new URL("../dist/pages", import.meta.url))
  await buildPages(folder)
  return folder
}

function openBrowser(): Promise<Browser> {
  const executablePath = pathOf("chromium") as string
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
}
