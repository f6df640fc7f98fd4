/* The page without a mouse, for those who do not see it, and on a phone. */

import { beforeEach, describe, expect, test } from "vitest"
import { axeFindings } from "../../../../test/axe-findings.ts"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll } from "vitest"
import { fillRestaurant, restaurant, restaurantBefore } from "./server/studio-data.cases.ts"
import { type OpenPage, usePages } from "./page.cases.ts"

const hashes = [
  "#/overview",
  "#/browse",
  "#/browse/restaurant/dish",
  "#/schema/restaurant",
  "#/schema/restaurant/user",
  "#/difference/restaurant",
  "#/audit/restaurant",
  "#/live",
  "#/console",
  "#/edit/restaurant/dish",
  "#/changes",
]

describe.runIf(needs("chromium"))("the page", () => {
  const openPage = usePages()
  let engine: Engine
  let opened: OpenPage
  const open = async (context = {}, names = ["restaurant"]) => {
    const systems = names.map((name) => ({
      name,
      keyspace: restaurant,
      server: { engine },
      against: restaurantBefore(),
    }))
    opened = await openPage({ systems, write: true, context })
    await opened.page.getByText("that no pattern owns").first().waitFor()
    return opened
  }
  beforeAll(async () => {
    engine = await start()
    await fillRestaurant({ engine })
  })
  afterAll(() => engine?.stop())

  describe("with a keyboard", () => {
    beforeEach(() => open())

    test("goes to every view with two keys", async () => {
      const { page } = opened
      for (const [key, view] of Object.entries({
        b: "browse",
        s: "schema",
        d: "difference",
        a: "audit",
        l: "live",
        r: "console",
        c: "changes",
        o: "overview",
      })) {
        await page.keyboard.press("g")
        await page.keyboard.press(key)
        await page.waitForURL(new RegExp(`#/${view}`))
      }
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      const before = await page.locator("html").getAttribute("data-theme")
      await page.keyboard.press("t")
      await page.locator(`html:not([data-theme="${before}"])`).waitFor()
    })

    test("searches, chooses with arrows and follows", async () => {
      const { page } = opened
      await page.keyboard.press("/")
      const field = page.getByRole("combobox", { name: /^Search/ })
      await field.waitFor()
      await page.keyboard.type("dish")
      await page.getByRole("option").first().waitFor()
      await page.keyboard.press("ArrowDown")
      await page.locator('#hit-1[aria-selected="true"]').waitFor()
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("Enter")
      await page.waitForURL(/#\/schema\/restaurant/)
    })

    test("walks the tree and the tables", async () => {
      const { page, go } = opened
      await go("#/browse/restaurant")
      const rootRow = page.getByRole("treeitem", { level: 1 })
      await rootRow.focus()
      await page.keyboard.press("ArrowDown")
      expect(await focused(page)).toMatch(/^user/)
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("ArrowDown")
      expect(await focused(page)).toMatch(/^user:\{id\}/)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "user:{id}" }).waitFor()
      await page.keyboard.press("ArrowLeft")
      expect(await focused(page)).toMatch(/^user/)
      await page.keyboard.press("ArrowLeft")
      await page.locator('[role="treeitem"][aria-expanded="false"]:focus').waitFor()
      const rows = page.locator(".keys-table .key-cell a")
      await rows.first().focus()
      await page.keyboard.press("End")
      expect(await focused(page)).toBe(await rows.last().innerText())
      await page.keyboard.press("Home")
      await page.keyboard.press("ArrowDown")
      expect(await focused(page)).toBe(await rows.nth(1).innerText())
    })
  })

  test("has a name for every control, one main heading, and labels for every field", async () => {
    const { page, go } = await open()
    for (const hash of hashes) {
      await go(hash)
      await page.locator("main h1").first().waitFor()
      expect(await page.locator("h1").count(), hash).toBe(1)
      expect(await nameless(page), hash).toEqual([])
    }
  })

  test.each(isFull ? (["light", "dark"] as const) : (["light"] as const))(
    "has no serious finding of axe in any view, in the %s theme",
    async (theme) => {
      const { page, go } = await open({ colorScheme: theme })
      for (const hash of [...hashes, "#/browse/restaurant/user"]) {
        await go(hash)
        await page.locator("main h1").first().waitFor()
        await page.locator(".skeleton").first().waitFor({ state: "detached" })
        expect(await axeFindings(page), hash).toEqual([])
      }
    },
  )

  test("fits a phone: nothing is wider than the screen, and every view is reached", async () => {
    const several = ["restaurant", "a second restaurant", "a third restaurant", "a fourth one"]
    const { page, go } = await open({ viewport: { width: 390, height: 844 } }, several)
    for (const hash of hashes) {
      await go(hash)
      await page.locator("main h1").first().waitFor()
      expect(await page.evaluate("document.documentElement.scrollWidth"), hash).toBeLessThanOrEqual(390)
      expect(await page.evaluate('document.querySelector("main").scrollWidth'), hash).toBeLessThanOrEqual(390)
    }
  })

  test("does not jump while it fills", async () => {
    const { page, studio } = await open()
    await page.addInitScript(
      "new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifted = (window.shifted ?? 0) + e.value }).observe({ type: 'layout-shift', buffered: true })",
    )
    for (const hash of ["#/overview", "#/browse/restaurant/dish", "#/schema/restaurant", "#/live"]) {
      await page.goto("about:blank")
      await page.goto(`http://127.0.0.1:${studio.port}/${hash}`)
      await page.locator("main h1").first().waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "detached" })
      expect(Number(await page.evaluate("window.shifted ?? 0")), hash).toBeLessThan(0.1)
    }
  })

  test("says so when the studio is gone", async () => {
    const { page, studio } = await open()
    await studio.close()
    await page.getByText("The studio has stopped").waitFor()
  })

  test.runIf(needs("redis-server"))("says when its server is gone, keeps what it knows, and continues", async () => {
    const redis = await startRedis()
    try {
      await fillRestaurant(redis.url)
      const { page, go } = await openPage({ systems: [{ keyspace: restaurant, server: redis.url }] })
      await page.getByText("that no pattern owns").first().waitFor()
      await redis.kill9()
      await page
        .getByText(/no answer/)
        .first()
        .waitFor()
      expect(await page.locator(".tree-map .box").count()).toBeGreaterThan(5)
      await go("#/browse/restaurant/dish")
      await page.getByText("this page shows the last known state").waitFor()
      await redis.restart()
      await fillRestaurant(redis.url)
      await expect
        .poll(
          async () => {
            const again = page.getByRole("button", { name: /^(Try|Count) again$/ })
            if ((await again.count()) > 0) await again.first().click()
            return page.locator(".keys-table .key-cell a").count()
          },
          { timeout: 30_000, interval: 500 },
        )
        .toBeGreaterThan(5)
      await page.getByText("this page shows the last known state").waitFor({ state: "detached" })
    } finally {
      await redis.stop()
    }
  })
})

const focused = async (page: OpenPage["page"]): Promise<string> => (await page.locator(":focus").innerText()).trim()

/** Controls without a name, fields without a label, pictures without a text. */
const nameless = (page: OpenPage["page"]): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("a, button, input, select, textarea, [role=img], [role=treeitem], [role=progressbar]")]
    .filter((e) => e.getClientRects().length > 0)
    .filter((e) => !(e.innerText ?? e.textContent ?? "").trim() && !e.getAttribute("aria-label") && !(e.labels?.length > 0)
      && !e.querySelector("img[alt]:not([alt=''])"))
    .map((e) => e.outerHTML.slice(0, 200))`)
