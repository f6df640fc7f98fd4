import { SHOWN, HOSTILE } from "./expect-page.cases.ts"
import type { Story } from "./story.cases.ts"

export const shop: Story = {
  label: "the shop",
  path: "/shop",
  does: "look at an item, put it into the cart, and see what Redis has of it, and since when",
  async tell({ page, press, submit }) {
    await submit(page.getByLabel("Your name"), "ada")
    await press(page.getByRole("button", { name: /^Tablet.*in stock/ }))
    const panel = page.locator(".item-panel")
    await panel.getByRole("heading", { name: "Tablet" }).waitFor()
    await press(panel.getByRole("button", { name: "Put it into the cart" }))
    await page.locator(".cart li", { hasText: "Tablet" }).waitFor()
    await press(panel.getByRole("button", { name: "Open it again" }))
    await panel
      .getByText(/\d+ s old/)
      .first()
      .waitFor()
    if ((await panel.getByText("copied every 5 s").count()) === 0)
      await press(panel.getByRole("button", { name: "Keep its row in Redis" }))
    await panel.getByText("copied every 5 s").waitFor()
  },
  told: {
    "Put 1 × Tablet into the cart": ["setInCart", "cart:{token}", "maps an item ID to the quantity", "SHOP-7"],
    "Looked at Tablet": ["viewed:{token}"],
  },
  async enter(page) {
    await page.getByRole("button", { name: "Log in" }).click()
    await page.locator(".item").first().waitFor()
  },
  async seesOthers(one, other) {
    await one.getByRole("button", { name: "Add to cart Teapot" }).click()
    await other.locator(".cart li", { hasText: "Teapot" }).waitFor()
    await other.getByRole("button", { name: "One Teapot more" }).click()
    await one.locator(".cart li", { hasText: "2" }).waitFor()
  },
  async showsHostile(page, pages) {
    await pages.admin("PUT /shop/source/rows/900", { qty: 3, name: HOSTILE, description: `</p><iframe src="//evil">` })
    // One that no row can be called, and one that every object has.
    const items = ["900", "a:b", "constructor"]
    await page.evaluate(`Promise.all(Array.from({ length: 180 }, (_, i) => fetch("/shop/views", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ item: ${JSON.stringify(items)}[i % 3] }),
    }))).then(() => undefined)`)
    await page.getByRole("button", { name: "Add to cart constructor" }).click()
    await page.locator(".cart li", { hasText: "constructor" }).waitFor()
    await page.locator(".item-look", { hasText: "a:b" }).click()
    await page.locator(".item-panel h2", { hasText: "a:b" }).waitFor()
    const item = page.locator(".item-look", { hasText: "<img src=x" })
    await item.click()
    await page.locator(".item-panel h2", { hasText: SHOWN }).waitFor()
    await page.locator(".item-panel p", { hasText: `</p><iframe src="//evil">` }).waitFor()
  },
  async expires(page) {
    await page.evaluate(() => fetch("/shop/session", { method: "DELETE" }).then(() => undefined))
    await page.getByText("Your session has ended").waitFor()
  },
  async acts(page) {
    await page.getByRole("button", { name: /^Add .*Kettle$/ }).click()
    await page.locator(".cart li", { hasText: "Kettle" }).waitFor()
  },
}
