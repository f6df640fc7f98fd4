/* Every page in a real browser: its story, what it shows of Redis, and what it must stand.
 * One browser, one set of servers, and the same tests for all of them. */

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { needs } from "../../test/needs.ts"
import { maps } from "./carto.cases.ts"
import { expectAccessible, expectNoOverflow, expectOnlyText } from "./expect-page.cases.ts"
import { handsOf } from "./hands.cases.ts"
import { messenger } from "./messaging.cases.ts"
import { devices, openPages, type Pages } from "./open-pages.cases.ts"
import { recommender } from "./recommender.cases.ts"
import { payByVnPay, restaurant } from "./restaurant.cases.ts"
import { shop } from "./shop.cases.ts"

const stories = [shop, messenger, maps, recommender, restaurant]

describe.runIf(needs("chromium"))("the pages", () => {
  let pages: Pages
  beforeAll(async () => void (pages = await openPages()))
  afterEach(() => expect(pages.wrongs()).toEqual([]))
  afterAll(() => pages?.close())

  it("the front says what runs, how it is doing, and leads to each system", async () => {
    const page = await pages.open("phone", "/")
    await page.getByText("All is well").waitFor()
    await page
      .getByText(/requests\/s/)
      .first()
      .waitFor()
    await expectInBothColours(page)
    await expectNoOverflow(page)
    await handsOf(page).press(page.getByRole("link", { name: "Open the Shop" }))
    await page.getByRole("button", { name: "Log in" }).waitFor()
  })

  it("the API explorer shows every system, with the demonstration's credentials filled in", async () => {
    const page = await pages.open("desk", "/docs")
    await page.getByRole("heading", { name: /^messaging/ }).waitFor()
    await expectInBothColours(page)
    await page.getByRole("button", { name: "Authorize", exact: true }).click()
    await expect
      .poll(() => page.getByRole("button", { name: /^(Remove authorization|Logout)$/ }).count())
      .toBeGreaterThan(4)
    expect(await page.evaluate("document.querySelectorAll('script:not([src])').length")).toBe(0)
    expect(pages.refusals()).toEqual([])
  })

  describe.each(stories)("$label", ({ path, tell, told, does, seesOthers, showsHostile, expires }) => {
    let desk: Page
    // A page that was left open goes on asking, and what it is refused would be held against the next one.
    afterAll(async () => void (desk && (await pages.leave(desk))))

    it.each(isFull ? (["phone", "desk"] as const) : (["desk"] as const))(
      `by keyboard alone, on a %s: ${does}`,
      async (device) => {
        pages.refusals()
        const hands = handsOf(await pages.open(device, path))
        await tell(hands, device)
        for (const [title, parts] of Object.entries(told)) {
          const text = await hands.inDrawer(title)
          for (const part of parts) expect(text).toContain(part)
        }
        await expectAccessible(hands.page)
        for (const one of ["phone", "desk"] as const) {
          await hands.page.setViewportSize(devices[one].viewport)
          await expectNoOverflow(hands.page)
        }
        expect(pages.refusals()).toEqual([])
        desk = hands.page
      },
    )

    it("two windows see each other's changes", async () => {
      const other = await pages.open("desk", path, 1)
      await seesOthers(desk, other)
      await pages.leave(other)
    })

    it("hostile names and texts are shown as text", async () => {
      await showsHostile(desk, pages)
      await expectOnlyText(desk)
    })

    if (expires)
      it("when the session has ended, the page says so and leads to the way in", async () => {
        await expires!(desk, pages)
        await desk.locator(".login").first().waitFor()
      })
  })

  it("a soup is paid by VNPay on a phone, by keyboard alone, after a first attempt that was cancelled", async () => {
    const hands = handsOf(await pages.open("phone", "/restaurant"))
    await payByVnPay(hands, async (payment) => {
      await expectInBothColours(payment)
      await expectNoOverflow(payment)
    })
    // The way to the payment page and back loses nothing of what was done before.
    expect(await hands.inDrawer("VNPay reported the payment: paid")).toContain("order:index:paymentRef:{paymentRef}")
    expect(await hands.inDrawer("Ordered, to be paid by VNPay")).toContain("order:{id}")
  })

  it("a link that names an order as paid is not believed", async () => {
    const page = await pages.open("desk", "/restaurant?orderId=4711&status=PAID", 2)
    await page.getByLabel("E-mail").waitFor()
    expect(new URL(page.url()).search).toBe("")
    expect(await page.getByText("Order 4711").count()).toBe(0)
    await pages.leave(page)
  })

  it("when the server is away, every page says so, and continues when it is back", async () => {
    const opened: Page[] = []
    for (const [i, { path, enter }] of stories.entries()) {
      opened.push(await pages.open("desk", path, i))
      await enter(opened[i]!)
    }
    const banners = opened.map((page) => page.getByText("The server does not answer"))
    const { back } = await pages.away()
    for (const banner of banners) await banner.waitFor()
    await back()
    for (const banner of banners) await banner.waitFor({ state: "detached" })
    for (const [i, { acts }] of stories.entries()) await acts(opened[i]!)
  })
})

async function expectInBothColours(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    // The page hears of it a frame later, and colours may take a moment to change.
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" })
    await page.evaluate(
      "Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)",
    )
    await expectAccessible(page)
  }
}
