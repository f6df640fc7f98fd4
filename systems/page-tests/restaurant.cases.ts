import type { Page } from "playwright-core"
import { HOSTILE, SHOWN } from "./expect-page.cases.ts"
import type { Hands } from "./hands.cases.ts"
import type { Story } from "./story.cases.ts"

const idIn = (text: string): string => /\d+/.exec(text)![0]

async function logIn({ page, type, submit }: Hands, name: string): Promise<void> {
  await type(page.getByLabel("E-mail"), `${name}@example.com`)
  await submit(page.getByLabel("Password"), `demo-${name}-2024`)
}

export const restaurant: Story = {
  label: "the restaurant",
  path: "/restaurant",
  does: "a soup is ordered in cash, and the kitchen delivers it",
  async tell(hands, device) {
    const { page, press } = hands
    await logIn(hands, device === "desk" ? "ben" : "cleo")
    await press(page.getByRole("button", { name: /^Add.* Pho bo to the cart$/ }))
    await press(page.getByRole("button", { name: "Order", exact: true }))
    const notice = page.getByText(/^Order \d+ is on its way to the kitchen/)
    await notice.waitFor()
    const id = idIn(await notice.innerText())
    await press(page.getByRole("button", { name: "Go into the kitchen" }))
    for (const step of ["Confirm", "Send out", "Mark delivered"])
      await press(page.getByRole("button", { name: `${step} order ${id}` }))
    const mine = page.locator(".orders li", { hasText: `Order ${id}` })
    await mine.locator("[aria-current=step]", { hasText: "delivered" }).waitFor()
    await mine.getByText("paid", { exact: true }).waitFor()
  },
  told: { "Ordered, to be paid in cash": ["order:{id}", "user:{userId}:orders", "Đơn hàng", "RST-22", "INCR"] },
  async seesOthers(one, other) {
    await one.getByRole("button", { name: /^Add.* Tra da to the cart$/ }).click()
    await other.locator(".cart li", { hasText: "Tra da" }).waitFor()
    await other.getByRole("button", { name: "Order", exact: true }).click()
    await one.getByText("Choose something from the menu.").waitFor()
  },
  async showsHostile(page) {
    await page.getByRole("button", { name: /^Add.* Tra da to the cart$/ }).click()
    await page.getByLabel("Name").fill(HOSTILE)
    await page.getByRole("button", { name: "Order", exact: true }).click()
    await page.getByText(SHOWN).first().waitFor()
  },
  /** Somebody else has the cookie, and logs out with it. */
  async expires(page, { url }) {
    const cookies = await page.context().cookies(`${url}/restaurant/refresh`)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`${url}/restaurant${path}`, { method: "POST", headers })
    const { accessToken } = (await (await post("/refresh", { cookie })).json()) as { accessToken: string }
    await post("/logout", { authorization: `Bearer ${accessToken}` })
    await page.getByText("Your session has ended").waitFor()
  },
  async enter(page) {
    await page.getByLabel("E-mail").fill("eva@example.com")
    await page.getByLabel("Password").fill("demo-eva-2024")
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByRole("heading", { name: "Soups" }).waitFor()
  },
  async acts(page) {
    await page.getByRole("button", { name: /^Add.* Nuoc mia to the cart$/ }).click()
    await page.locator(".cart li", { hasText: "Nuoc mia" }).waitFor()
  },
}

/** By VNPay: the first attempt is cancelled, the second one is paid. Leaves the page with a paid order. */
export async function payByVnPay(hands: Hands, onPayment: (page: Page) => Promise<void>): Promise<void> {
  const { page, press } = hands
  const soup = page.getByRole("button", { name: /^Add.* Canh chua to the cart$/ })
  const login = page.getByLabel("E-mail")
  await login.or(soup).first().waitFor()
  if (await login.isVisible()) await logIn(hands, "cleo")
  await press(soup)
  await press(page.getByLabel("In cash"), "ArrowRight")
  await press(page.getByRole("button", { name: "Order", exact: true }))
  await page.getByRole("heading", { name: "VNPay sandbox" }).waitFor()
  await onPayment(page)
  await press(page.getByRole("button", { name: "Cancel" }))
  await press(page.getByRole("button", { name: /^Pay order \d+/ }).first())
  await press(page.getByRole("button", { name: "Pay", exact: true }))
  await page.getByText(/^Order \d+ is paid/).waitFor()
  await page.locator(".orders li").first().getByText("paid", { exact: true }).waitFor()
}
