import { expect, it } from "vitest"
import type { Page } from "playwright-core"
import type { Pages } from "./open-pages.cases.ts"
import { byKeyboard, expectAccessible, expectNoOverflow, inDrawer, PHONE, typeInto } from "./open-pages.cases.ts"

export function messengerStory(pages: () => Pages): void {
  const enter = async (options: Parameters<Pages["open"]>[1], ...names: string[]) => {
    const page = await pages().open("/messaging", options)
    for (const [i, label] of ["Name on the left", "Name on the right"].entries()) {
      if (names[i] === undefined) continue
      await page.getByLabel(label).fill(names[i])
      await page.getByLabel(label).press("Enter")
      await paneOf(page, names[i]).waitFor()
    }
    return page
  }
  const paneOf = (page: Page, name: string) => page.getByRole("region", { name: `The messenger of ${name}` })

  it("is told by keyboard alone: two people, a channel, an invitation, and a message that arrives", async () => {
    const page = await pages().open("/messaging")
    for (const [label, name] of [
      ["Name on the left", "ada"],
      ["Name on the right", "eva"],
    ] as const) {
      await typeInto(page, page.getByLabel(label), name)
      await page.keyboard.press("Enter")
      await paneOf(page, name).waitFor()
    }
    const [ada, eva] = [paneOf(page, "ada"), paneOf(page, "eva")]
    await typeInto(page, ada.getByLabel("New channel of ada"), "Lunch")
    await page.keyboard.press("Enter")
    await byKeyboard(page, ada.getByRole("button", { name: "# Lunch" }))
    await byKeyboard(page, ada.getByText("Invite or ban"))
    await typeInto(page, ada.getByLabel(/^Invite to .*, by ada$/), "eva")
    await page.keyboard.press("Enter")
    await byKeyboard(page, eva.getByRole("button", { name: "Accept" }))
    await byKeyboard(page, eva.getByRole("button", { name: "# Lunch" }))
    await typeInto(page, ada.getByLabel("Message of ada"), "Soup at noon?")
    await page.keyboard.press("Enter")
    await eva.locator(".messages", { hasText: "Soup at noon?" }).waitFor()
    const told = await inDrawer(page, "ada wrote to")
    expect(told).toContain("MSG-29")
    expect(told).toContain("St:{user}")
    expect(told).toContain("Absence of this key means the user is or has become offline.")
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("shows presence and a ban as they happen, on a phone, in two windows", async () => {
    const one = await enter({ size: PHONE, dark: true }, "ben")
    const other = await enter({ size: PHONE }, "cleo")
    const [ben, cleo] = [paneOf(one, "ben"), paneOf(other, "cleo")]
    if ((await ben.getByRole("button", { name: /^cleo/ }).count()) === 0) {
      await ben.getByLabel("New contact of ben").fill("cleo")
      await ben.getByLabel("New contact of ben").press("Enter")
    }
    await ben.getByRole("button", { name: /^cleo.*online$/ }).waitFor()
    await cleo.getByLabel("Status of cleo").selectOption("idle")
    await ben.getByRole("button", { name: /^cleo.*idle$/ }).waitFor()

    await ben.getByLabel("New channel of ben").fill("Board")
    await ben.getByLabel("New channel of ben").press("Enter")
    await ben.getByRole("button", { name: "# Board" }).click()
    await ben.getByText("Invite or ban").click()
    await ben.getByLabel(/^Invite to .*, by ben$/).fill("cleo")
    await ben.getByLabel(/^Invite to .*, by ben$/).press("Enter")
    await cleo.getByRole("button", { name: "Accept" }).click()
    await cleo.getByRole("button", { name: "# Board" }).waitFor()
    await ben.getByRole("button", { name: "Ban cleo" }).click()
    await cleo.getByRole("button", { name: "# Board" }).waitFor({ state: "detached" })
    expect(await inDrawer(one, "ben banned cleo")).toContain("MSG-26")
    await expectAccessible(one)
    await expectNoOverflow(one)
  })

  it("shows hostile messages as text, and leads back when a token has ended", async () => {
    const page = await enter({}, "dan")
    const dan = paneOf(page, "dan")
    const text = `<img src=x onerror=alert(1)>\u202e<script>alert(2)</script>`
    await dan.getByLabel("Message of dan").fill(text)
    await dan.getByLabel("Message of dan").press("Enter")
    await dan.locator(".messages p", { hasText: "<img src=x onerror=alert(1)>\\u{202e}" }).first().waitFor()
    expect(await page.locator("main img, main script").count()).toBe(0)
    await pages().admin("DELETE /messaging/v1/saas/tokens?project=456&service=789&user=dan")
    await page.getByText("The token of dan has ended").waitFor()
  })
}
