import { expect, it } from "vitest"
import type { Pages } from "./open-pages.cases.ts"
import { byKeyboard, expectAccessible, expectNoOverflow, inDrawer, PHONE, typeInto } from "./open-pages.cases.ts"

export function cartoStory(pages: () => Pages): void {
  const enter = async (name: string, options: Parameters<Pages["open"]>[1] = {}) => {
    const page = await pages().open("/carto", options)
    await page.getByLabel("User name").fill(name)
    await page.getByLabel("User name").press("Enter")
    await page.getByRole("heading", { name: `Maps of ${name}` }).waitFor()
    return page
  }

  it("is told by keyboard alone: views as a chart, queries against a threshold, and a rename", async () => {
    const page = await pages().open("/carto")
    await typeInto(page, page.getByLabel("User name"), "dev")
    await page.keyboard.press("Enter")
    await page.getByRole("img", { name: /Map views by day, \d{2,}/ }).waitFor()
    await byKeyboard(page, page.getByRole("button", { name: "Look at the map parks" }))
    await byKeyboard(page, page.getByRole("button", { name: "Chart of parks" }))
    await page.getByRole("img", { name: "Map views by day, 1 in 30 days" }).waitFor()
    await typeInto(page, page.getByLabel("SQL to run"), "select 1; delete from parks")
    await page.keyboard.press("Enter")
    await typeInto(page, page.getByLabel("Threshold of a month"), "2")
    await page.getByText("Over the threshold").waitFor()
    await typeInto(page, page.getByLabel("New user name"), "dev-of-maps")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Maps of dev-of-maps" }).waitFor()
    const told = await inDrawer(page, "Renamed dev to dev-of-maps")
    for (const part of ["CDB-6", "user:{username}:mapviews:global", "go from their subdomain"])
      expect(told).toContain(part)
    expect(await inDrawer(page, "Ran select 1")).toContain("which can be increased by INCR command")
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it("works on a phone, another window sees a view, and a user who is gone leads back", async () => {
    const one = await enter("ana", { size: PHONE, dark: true })
    const other = await enter("ana", { beside: one })
    await one.getByRole("button", { name: "Look at the map routes" }).click()
    await other.getByRole("img", { name: "Map views by day, 1 in 30 days" }).waitFor()
    await expectAccessible(one)
    await expectNoOverflow(one)
    await pages().admin("DELETE /carto/users/ana")
    await one.getByText("There is no such user any more").waitFor()
  })

  it("shows hostile names as text", async () => {
    const page = await enter("otto")
    const id = "<img src=x onerror=alert(1)>"
    await page.getByLabel("SQL to run").fill(id)
    await page.getByLabel("SQL to run").press("Enter")
    expect(await inDrawer(page, `Ran ${id}`)).toContain(id)
    expect(await page.locator("main img, aside img").count()).toBe(0)
  })
}
