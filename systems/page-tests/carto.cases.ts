import type { Page } from "playwright-core"
import { HOSTILE, SHOWN } from "./expect-page.cases.ts"
import type { Story } from "./story.cases.ts"

async function open(page: Page, name: string): Promise<void> {
  await page.getByLabel("User name").fill(name)
  await page.getByLabel("User name").press("Enter")
  await page.getByRole("heading", { name: `Maps of ${name}` }).waitFor()
}

export const maps: Story = {
  label: "the maps",
  path: "/carto",
  does: "views as a chart, queries against a threshold, and a rename",
  async tell({ page, press, submit, type }, device) {
    const name = device === "desk" ? "dev" : "ana"
    await submit(page.getByLabel("User name"), name)
    await page.getByRole("img", { name: /^Map views by day/ }).waitFor()
    await press(page.getByRole("button", { name: "View the map parks" }))
    await press(page.getByRole("button", { name: "Chart of parks" }))
    await page.getByRole("img", { name: "Map views by day, 1 in 30 days" }).waitFor()
    await submit(page.getByLabel("SQL to run"), "select 1; delete from parks")
    await type(page.getByLabel("Monthly threshold"), "2")
    await page.getByText("Over the threshold").waitFor()
    await submit(page.getByLabel("New user name"), `${name}-of-maps`)
    await page.getByRole("heading", { name: `Maps of ${name}-of-maps` }).waitFor()
  },
  told: {
    Renamed: ["CDB-6", "user:{username}:mapviews:global", "go from their subdomain", "database_name"],
    "Ran select 1": ["which can be increased by INCR command"],
  },
  async seesOthers(one, other) {
    await open(other, "dev-of-maps")
    await one.getByRole("button", { name: "All maps" }).click()
    const views = async () =>
      Number(await other.locator(".numbers div", { hasText: "today" }).first().locator("dd").innerText())
    const before = await views()
    await one.getByRole("button", { name: "View the map routes" }).click()
    await other
      .locator(".numbers div", { hasText: "today" })
      .first()
      .locator("dd", { hasText: String(before + 1) })
      .waitFor()
  },
  async showsHostile(page) {
    await page.getByLabel("SQL to run").fill(HOSTILE)
    await page.getByLabel("SQL to run").press("Enter")
    await page.locator(".action", { hasText: SHOWN.slice(0, 30) }).waitFor()
  },
  async expires(page, pages) {
    await pages.admin("DELETE /carto/users/dev-of-maps")
    await page.getByText("There is no longer a user of that name").waitFor()
  },
  enter: (page) => open(page, "paula"),
  async acts(page) {
    const routes = page.locator(".action", { hasText: "Somebody viewed the map routes" })
    const before = await routes.count()
    await page.getByRole("button", { name: "View the map routes" }).click()
    await routes.nth(before).waitFor()
  },
}
