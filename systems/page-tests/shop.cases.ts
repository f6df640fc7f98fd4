import { expect, it } from "vitest"
import type { Pages } from "./open-pages.cases.ts"
import { byKeyboard, expectAccessible, expectNoOverflow, inDrawer, PHONE, typeInto } from "./open-pages.cases.ts"

export function shopStory(pages: () => Pages): void {
  const enter = async (options: Parameters<Pages["open"]>[1] = {}, name = "ada") => {
    const page = await pages().open("/shop", options)
    await page.getByLabel("Your name").fill(name)
    await page.getByRole("button", { name: "Log in" }).click()
    await page.locator(".item").first().waitFor()
    return page
  }

  it("is told by keyboard alone: log in, look at an item, put it into the cart", async () => {
    const page = await pages().open("/shop")
    await typeInto(page, page.getByLabel("Your name"), "ada")
    await page.keyboard.press("Enter")
    await byKeyboard(page, page.getByRole("button", { name: /^Tablet/ }))
    await page.getByRole("heading", { name: "Tablet" }).waitFor()
    await byKeyboard(page, page.getByRole("button", { name: "Put it into the cart" }))
    await page.locator(".cart li", { hasText: "Tablet" }).waitFor()
    await page.getByText("You looked at").waitFor()
    const told = await inDrawer(page, "Put 1 × Tablet into the cart")
    expect(told).toContain("setInCart")
    expect(told).toContain("cart:{token}")
    expect(told).toContain("maps an item ID to the quantity")
    expect(told).toContain("SHOP-7")
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("works on a phone, in the dark, and shows what comes from Redis and how old it is", async () => {
    const page = await enter({ size: PHONE, dark: true })
    await page.getByRole("button", { name: /^Kettle/ }).click()
    const panel = page.locator(".item-panel")
    await panel.getByText("rendered now").waitFor()
    await panel.getByRole("button", { name: "Open it again" }).click()
    await panel.getByText(/\d+ s old/).waitFor()
    await panel.getByRole("button", { name: "Keep its row in Redis" }).click()
    await panel.getByText("copied every 5 s").waitFor()
    expect(await inDrawer(page, "Keep a copy of the row of Kettle")).toContain("schedule:")
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("shows hostile names as text", async () => {
    const name = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u202e`
    await pages().admin("PUT /shop/source/rows/900", { qty: 3, name, description: `</p><iframe src="//evil">` })
    const page = await enter({}, `<b onclick=alert(3)>eve</b>`)
    for (let i = 0; i < 60; i++)
      await page.evaluate(() =>
        fetch("/shop/views", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ item: "900" }),
        }).then(() => undefined),
      )
    await page
      .getByRole("button", { name: /img src=x/ })
      .first()
      .click()
    await page.locator(".item-panel h2", { hasText: "<script>alert(2)</script>\\u{202e}" }).waitFor()
    await page.locator(".account", { hasText: "<b onclick=alert(3)>eve</b>" }).waitFor()
    expect(await page.locator("img, iframe, main script").count()).toBe(0)
  })

  it("two windows see each other's changes", async () => {
    const one = await enter()
    const other = await pages().open("/shop", { beside: one })
    await other.locator(".item").first().waitFor()
    await one.getByRole("button", { name: "Add to cart Teapot" }).click()
    await other.locator(".cart li", { hasText: "Teapot" }).waitFor()
    await other.getByRole("button", { name: "One Teapot more" }).click()
    await one.locator(".cart li", { hasText: "2" }).waitFor()
  })

  it("leads back to the way in when the session has ended", async () => {
    const page = await enter()
    await page.evaluate(() => fetch("/shop/session", { method: "DELETE" }).then(() => undefined))
    await page.getByRole("button", { name: /^Add .*Kettle$/ }).click()
    await page.getByText("Your session has ended").waitFor()
    await page.getByRole("button", { name: "Log in" }).click()
    await page.locator(".item").first().waitFor()
  })

  it("says that the server is away, and goes on when it is back", async () => {
    const page = await enter()
    const kettle = page.getByRole("button", { name: /^Add .*Kettle$/ })
    await kettle.waitFor()
    const { back } = await pages().away()
    await kettle.click()
    await page.getByText("The server does not answer").waitFor()
    await back()
    await page.getByText("The server does not answer").waitFor({ state: "detached" })
    await kettle.click()
    await page.locator(".cart li", { hasText: "Kettle" }).waitFor()
  })
}
