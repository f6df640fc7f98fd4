/* The five systems with people in them, and one browser, for the tests of their pages. The
 * pages are built from the sources. What a page must never do is noted while it is open. */

import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start, type Engine } from "@keywright/embedded"
import { type Browser, chromium, type Locator, type Page } from "playwright-core"
import { expect } from "vitest"
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

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 400, height: 800 }

export interface Pages {
  readonly url: string
  readonly engine: Engine
  readonly access: DemoAccess
  /** A separate window, as of another person. */
  open(path: string, options?: { size?: typeof WIDE; dark?: boolean; beside?: Page }): Promise<Page>
  /** Calls a route as the administrator. */
  admin(request: string, body?: unknown): Promise<Response>
  /** Ends the server; `back` starts it again on the same port and the same data. */
  away(): Promise<{ back(): Promise<void> }>
  /** What pages did that they must not, since it was asked last. */
  wrongs(): string[]
  /** Closes the windows of a test. */
  tidy(): Promise<void>
  close(): Promise<void>
}

const names = Object.keys(catalog)
const access: DemoAccess = {
  adminToken: "admin-token-of-the-page-tests",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-page-tests",
}

export async function openPages(): Promise<Pages> {
  const folder = await mkdtemp(join(tmpdir(), "keywright-pages-"))
  const [engine, browser, port] = await Promise.all([start(), openBrowser(), freePort(0), buildPages(folder)])
  const url = `http://127.0.0.1:${port}`
  const log = openLog(() => undefined)
  const serve = async (): Promise<Server> => {
    const database = ["--database", `sqlite:${join(folder, "source.db")}`]
    const args = [names.join(), "--port", String(port), ...database, ...demoArgs(names, access, url)]
    const plan = await readOptions(args, catalog)
    return startServer({
      ...plan,
      known,
      engine,
      log,
      pagesFolder: folder,
      demoPages: {
        access: () => pageAccess(access),
        add: (app, servePage) => addSandbox(app, servePage, access, url + prefixOf(names, "restaurant")),
      },
    })
  }
  let server = await serve()
  await fillSystems(names, { url, ...access, log })
  const wrongs: string[] = []
  /** The browser notes each connection that was refused. */
  let wasAway = false
  const windows: { close(): Promise<void> }[] = []
  return {
    url,
    engine,
    access,
    wrongs() {
      const isAbsence = (text: string) => wasAway && /ERR_(CONNECTION|EMPTY|INCOMPLETE)/.test(text)
      const found = wrongs.splice(0).filter((text) => !isAbsence(text))
      wasAway = false
      return found
    },
    async open(path, { size = WIDE, dark = false, beside } = {}) {
      const context =
        beside?.context() ?? (await browser.newContext({ viewport: size, colorScheme: dark ? "dark" : "light" }))
      if (beside === undefined) windows.push(context)
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      await watchPage(page, url, wrongs)
      await page.goto(url + path)
      return page
    },
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
      return { back: async () => void (server = await serve()) }
    },
    async tidy() {
      for (const one of windows.splice(0)) await one.close()
    },
    async close() {
      await browser.close()
      await server.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function openBrowser(): Promise<Browser> {
  const executablePath = pathOf("chromium") as string
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
}

/** How many elements Tab stops at between here and there, as far as that can be found out without pressing it. */
const STOPS = `(target) => {
  const stops = [...document.querySelectorAll("a[href],button,input,select,textarea,summary,[tabindex='0']")].filter(
    (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }),
  )
  const [from, to] = [stops.indexOf(document.activeElement), stops.indexOf(target)]
  return to > from ? to - from : stops.length - from + to
}`

/** Goes there by Tab alone, and presses a key. */
export async function byKeyboard(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await target.waitFor()
  const isThere = () => target.evaluate((element) => element.matches(":focus"))
  const count = (await target.evaluate(`(element) => (${STOPS})(element)`)) as number
  for (let i = 0; i < count - 3; i++) await page.keyboard.press("Tab")
  for (let i = 0; i < 250; i++) {
    if (await isThere()) {
      await page.keyboard.press(key)
      return
    }
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab does not get to ${target}`)
}

/** Puts a text into a field that Tab leads to. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await byKeyboard(page, target, "ControlOrMeta+a")
  await page.keyboard.type(text)
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** No serious finding of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(`${axe};undefined`)
  const found = await page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    ).axe.run()
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  })
  expect(found).toEqual([])
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The page does not scroll sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
  expect(over).toBeLessThanOrEqual(0)
}

/** What the drawer says of the action with this title. */
export async function inDrawer(page: Page, title: string): Promise<string> {
  const toggle = page.getByRole("button", { name: /^In Redis/ })
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click()
  const action = page.locator(".action", { hasText: title }).first()
  const details = action.locator("> details")
  if ((await details.getAttribute("open")) === null) await action.locator("> details > summary").click()
  await action.locator(".action-body").waitFor()
  return action.innerText()
}
