import { expect, it } from "vitest"
import type { Pages } from "./open-pages.cases.ts"
import { byKeyboard, expectAccessible, expectNoOverflow, inDrawer, PHONE, typeInto } from "./open-pages.cases.ts"

export function restaurantStory(pages: () => Pages): void {
  const enter = async (options: Parameters<Pages["open"]>[1] = {}, name = "ada") => {
    const page = await pages().open("/restaurant", options)
    await page.getByLabel("E-mail").fill(`${name}@example.com`)
    await page.getByLabel("Password").fill(`demo-${name}-2024`)
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByRole("heading", { name: "Soups" }).waitFor()
    return page
  }

  it("is told by keyboard alone: a soup is ordered in cash, and the kitchen moves it on", async () => {
    const page = await pages().open("/restaurant")
    await typeInto(page, page.getByLabel("E-mail"), "ben@example.com")
    await typeInto(page, page.getByLabel("Password"), "demo-ben-2024")
    await page.keyboard.press("Enter")
    await byKeyboard(page, page.getByRole("button", { name: "Add Pho bo to the cart" }))
    await byKeyboard(page, page.getByRole("button", { name: "Order", exact: true }))
    const notice = page.getByText(/^Order \d+ is on its way to the kitchen/)
    await notice.waitFor()
    const id = /\d+/.exec(await notice.innerText())![0]
    await byKeyboard(page, page.getByRole("button", { name: "Go into the kitchen" }))
    for (const step of ["confirmed", "delivering", "delivered"])
      await byKeyboard(page, page.getByRole("button", { name: `Order ${id}: ${step}` }))
    const mine = page.locator(".orders li", { hasText: `Order ${id}` })
    await mine.locator("[aria-current=step]", { hasText: "delivered" }).waitFor()
    await mine.getByText("paid", { exact: true }).waitFor()
    const told = await inDrawer(page, "Ordered, to be paid in cash")
    for (const part of ["order:{id}", "user:{userId}:orders", "Đơn hàng", "RST-22", "INCR"])
      expect(told).toContain(part)
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("is paid by VNPay on a phone, after a first attempt that was cancelled", async () => {
    const page = await enter({ size: PHONE, dark: true }, "cleo")
    await page.getByRole("button", { name: "Add Canh chua to the cart" }).click()
    await page.getByLabel("VNPay").check()
    await page.getByRole("button", { name: "Order", exact: true }).click()
    await page.getByRole("heading", { name: "VNPay sandbox" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Cancel the payment" }).click()
    const again = page.getByRole("button", { name: /^Pay order \d+/ }).first()
    await again.waitFor()
    await expectNoOverflow(page)
    await again.click()
    await page.getByRole("button", { name: "Pay", exact: true }).click()
    await page.getByText(/^Order \d+ is paid/).waitFor()
    await page.locator(".orders li").first().getByText("paid", { exact: true }).waitFor()
    await expectAccessible(page)
  })

  it("shows hostile names as text, in two windows that see each other's changes", async () => {
    const one = await enter({}, "dan")
    const other = await pages().open("/restaurant", { beside: one })
    await other.getByRole("heading", { name: "Soups" }).waitFor()
    await one.getByRole("button", { name: "Add Tra da to the cart" }).click()
    await other.locator(".cart li", { hasText: "Tra da" }).waitFor()
    await one.getByLabel("Name").fill(`<img src=x onerror=alert(1)>`)
    await one.getByRole("button", { name: "Order", exact: true }).click()
    await other.getByText("Choose something from the menu.").waitFor()
    await one.getByRole("button", { name: "Go into the kitchen" }).click()
    await one.getByText("<img src=x onerror=alert(1)>").first().waitFor()
    expect(await one.locator("main img").count()).toBe(0)
  })

  it("leads back to the way in when the session has ended elsewhere", async () => {
    const page = await enter({}, "eva")
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole("button", { name: "Log in" }).waitFor()
  })
}
