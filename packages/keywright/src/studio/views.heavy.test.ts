/* Every view in a real Chromium, on the restaurant: on a real server and on the
 * embedded engine. */

import { beforeEach, describe, expect, test } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { onAnyServer, type TestServer } from "../client/servers.cases.ts"
import { fillRestaurant, PASSWORD, restaurant, restaurantBefore } from "./server/studio-data.cases.ts"
import { type OpenPage, usePages, withTraffic } from "./page.cases.ts"

describe.runIf(needs("chromium"))("the page", () => {
  const openPage = usePages()

  onAnyServer("its views", (server) => {
    let opened: OpenPage
    const open = async (options: { write?: boolean; reveal?: boolean } = {}) => {
      opened = await openPage({ systems: [systemOn(server())], write: true, ...options })
      return opened
    }
    beforeEach(() => fillRestaurant(server().target))

    test("the overview says how much there is, where, and what is wrong", async () => {
      const { page } = await open()
      const facts = page.locator(".facts")
      await facts.getByText("that no pattern owns").waitFor()
      await page.getByRole("heading", { name: "Memory by pattern" }).waitFor()
      await page.locator(".tree-map a[title^='dish:{id}: ']").waitFor()
      await page.getByRole("button", { name: "Run the audit" }).click()
      await page.getByText("a value that its codec cannot read").first().waitFor()
      await page.getByRole("heading", { name: "Warnings from doctor" }).waitFor()
      await page.getByRole("img", { name: /Keys added/ }).waitFor()
      expect(await page.locator(".table").getByText("dish:index:category:{categoryId}").count()).toBe(1)
    })

    test("browsing leads from the tree to keys, values, related keys and back", async () => {
      const { page, row } = await open()
      await page.getByRole("link", { name: "Browse" }).first().click()
      await page.getByRole("treeitem", { name: /^dish ?\d/ }).click()
      await page.getByRole("heading", { name: "dish:{id}" }).waitFor()
      const filter = page.getByRole("combobox", { name: "{id}" })
      await filter.fill("3")
      await page.getByRole("option", { name: "30" }).click()
      await page.locator(".pager", { hasText: /^1–1(?!\d)/ }).waitFor()
      await row("dish:30").getByRole("link", { name: "dish:30" }).click()
      await page.getByRole("heading", { name: "dish:30" }).waitFor()
      await row("price").getByText("30", { exact: true }).waitFor()
      const related = page.locator(".relations")
      await related.getByRole("link", { name: "category:1", exact: true }).click()
      await page.getByRole("heading", { name: "category:1" }).waitFor()
      await related.getByText("dishes", { exact: false }).first().waitFor()
      await page.goBack()
      await page.goBack()
      await page.locator(".pager", { hasText: /^1–1(?!\d)/ }).waitFor()
    })

    test("secrets are hidden until they are asked for, and not at all when that is off", async () => {
      const { page, go, row } = await open()
      await openKey(opened, "user:7")
      await row("password").getByText("secret").waitFor()
      expect(await page.content()).not.toContain(PASSWORD)
      await page.getByRole("button", { name: "As stored" }).click()
      expect(await page.content()).not.toContain(PASSWORD)
      await page.getByRole("button", { name: "Decoded" }).click()
      await page.getByRole("button", { name: "Reveal secrets" }).click()
      await row("password").getByText(PASSWORD).waitFor()
      await go("#/changes")
      await page.locator("tr", { hasText: "user:7" }).waitFor()
      const closed = await openPage({ systems: [systemOn(server())], reveal: false })
      await openKey(closed, "user:7")
      await closed.row("password").getByText("secret").waitFor()
      expect(await closed.page.getByRole("button", { name: "Reveal secrets" }).count()).toBe(0)
    })

    test("bytes are shown as such, long values and collections part by part", async () => {
      await server().raw("SET", "cache:cart:1", `{"id":"${"x".repeat(200_000)}","items":[]}`)
      await server().raw("SADD", "role:2:permissions", ...Array.from({ length: 260 }, (_, i) => `p${i}`))
      const { page, go } = await open()
      await openKey(opened, "role:2:permissions")
      await page.getByText(/1–\d+ of 260/).waitFor()
      const first = await page.locator(".elements tbody tr").count()
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByText(`${first + 1}–`).waitFor()
      await openKey(opened, "cache:cart:1")
      await page.getByRole("button", { name: "As stored" }).click()
      await page.getByRole("button", { name: "Show more" }).click()
      await page.getByText(/64.0 kB of 195 kB/).waitFor()
      await go("#/browse/restaurant")
      await page.getByRole("treeitem", { name: /bytes/ }).click()
      await page.locator(".keys-table .key-cell a").first().click()
      await page.getByText("what it holds may be secret").waitFor()
      await page.getByRole("button", { name: "Reveal secrets" }).click()
      await page.getByText("binary, 3 B").first().waitFor()
      await page.getByText("01 02 ff").first().waitFor()
    })

    test("the schema has a diagram to move in, a page for each pattern, and a search", async () => {
      const { page, go } = await open()
      await go("#/schema/restaurant")
      const drawing = page.locator(".diagram > g")
      const before = await drawing.getAttribute("transform")
      await page.getByRole("button", { name: "Zoom in" }).click()
      const closer = await drawing.getAttribute("transform")
      expect(closer).not.toBe(before)
      const box = (await page.locator(".diagram-room").boundingBox())!
      await page.mouse.move(box.x + 8, box.y + box.height - 8)
      await page.mouse.down()
      await page.mouse.move(box.x + 90, box.y + box.height - 60, { steps: 4 })
      await page.mouse.up()
      expect(await drawing.getAttribute("transform")).not.toBe(closer)
      await page.getByRole("button", { name: "Fit the diagram" }).click()
      await page.locator(".diagram a[href='#/schema/restaurant/dish']").click()
      await page.getByRole("heading", { name: "dish:{id}" }).waitFor()
      await page.getByText("Written by hand").waitFor()
      await page.keyboard.press("/")
      await page.getByRole("combobox", { name: /^Search/ }).waitFor()
      await page.keyboard.type("soldToday")
      await page.getByRole("option", { name: /soldToday/ }).waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(/#\/schema\/restaurant\/dish$/)
    })

    test("what changed since another version of the schema: the worst first, who breaks, and where to look", async () => {
      const against = restaurantBefore()
      const { page } = await openPage({ systems: [{ ...systemOn(server()), against }] })
      await page.getByRole("link", { name: "Difference" }).click()
      await page.getByText("HEAD~1:schema.ts").waitFor()
      await page.getByText("Deploy all at once").waitFor()
      expect(await page.locator(".card h2").first().innerText()).toBe("Goes wrong silently")
      const moved = page.locator(".change", { hasText: "PATTERN.MOVED" })
      await moved.getByText("permissions:{roleId} → role:{roleId}:permissions").waitFor()
      expect(await moved.locator(".verdicts").innerText()).toMatch(/Old readers\s+silently wrong/)
      await page.locator(".change", { hasText: "coupon" }).getByText("keywright purge").waitFor()
      await moved.getByRole("link", { name: "rolePermissions" }).click()
      await page.getByRole("heading", { name: "role:{roleId}:permissions" }).waitFor()
    })

    test("an audit is run, read, planned, applied, and comes out cleaner", async () => {
      const { page, go } = await open()
      await go("#/audit/restaurant")
      await page.getByRole("button", { name: "Run the audit" }).click()
      await page.getByRole("link", { name: /an index entry without a record/ }).click()
      await page.locator(".findings-table").getByText("dish:index:category:1").waitFor()
      await page.getByRole("button", { name: "Make a plan" }).click()
      await page.getByText("SREM dish:index:category:1 999").waitFor()
      await page.getByRole("checkbox", { name: /keys that no pattern owns/ }).click()
      await page.getByText("UNLINK leftover:17").waitFor()
      await page.getByRole("button", { name: /^Apply \d+ actions/ }).click()
      await page
        .getByRole("dialog")
        .getByText(/to restaurant/)
        .waitFor()
      await page.getByRole("button", { name: "Apply", exact: true }).click()
      await page.getByText("No findings of this kind are left").waitFor()
      await page.getByRole("link", { name: "See all findings" }).click()
      await page.locator(".findings-table").getByText("VALUE.UNDECODABLE").first().waitFor()
      expect(await page.getByText("INDEX.DANGLING").count()).toBe(0)
      expect(await server().raw("EXISTS", "leftover:17")).toBe(0)
      expect(await server().raw("SISMEMBER", "dish:index:category:1", "999")).toBe(0)
    })

    test("live shows commands as they happen, can be paused and filtered", async () => {
      const { page, go } = await open()
      await go("#/live")
      await withTraffic(server().driver, [["GET", "dish:7"]], async () => {
        await page.locator(".live-list").getByText("dish:{id}").first().waitFor()
        await page.locator(".stream").getByText("dish:7").first().waitFor()
        await page.getByRole("button", { name: "Pause the stream" }).click()
        await page.getByText(/paused, [1-9]/).waitFor()
        await page.getByRole("searchbox", { name: /Filter the stream/ }).fill("nothing like it")
        await page.getByText("Nothing that passed fits the filter.").waitFor()
      })
    })

    test("a record is created, changed and deleted through its form, and its indexes follow", async () => {
      const { page, go, row } = await open()
      await go("#/edit/restaurant/dish")
      await page.getByRole("button", { name: "Create…" }).click()
      await page.getByText("a number is expected").waitFor()
      await page.getByLabel("name string").fill("Ramen")
      await page.getByLabel("price number").fill("-3")
      await page.getByLabel("categoryId string").fill("2")
      await page.getByRole("button", { name: "Create…" }).click()
      await page.locator(".form-error", { hasText: /./ }).waitFor()
      await page.getByLabel("price number").fill("12.5")
      await page.getByRole("button", { name: "Create…" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
      await page.getByRole("heading", { name: /^dish:\d+$/ }).waitFor()
      await row("price").getByText("12.5").waitFor()
      const key = (await page.getByRole("heading", { level: 1 }).innerText()).trim()
      const id = key.slice("dish:".length)
      expect(await server().raw("SISMEMBER", "category:2:dishes", id)).toBe(1)

      await page.getByRole("link", { name: "Edit" }).click()
      await page.getByLabel("categoryId string").fill("3")
      await page.getByRole("button", { name: "Save…" }).click()
      await page.getByRole("dialog").getByText(key).first().waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
      await row("categoryId").getByText("3", { exact: true }).waitFor()
      expect(await server().raw("SISMEMBER", "category:2:dishes", id)).toBe(0)
      expect(await server().raw("SISMEMBER", "category:3:dishes", id)).toBe(1)

      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByText(key).first().waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByText("There is no such key").waitFor()
      expect(await server().raw("SISMEMBER", "category:3:dishes", id)).toBe(0)
      await go("#/changes")
      expect(await page.locator("tbody tr").count()).toBe(3)
    })

    test("an element is added to a collection, and removed from it", async () => {
      const { page, row } = await open()
      await openKey(opened, "role:1:permissions")
      await page.getByRole("button", { name: "Add an element" }).click()
      await page.getByLabel(/^member/).fill("not an id!")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.locator(".form-error", { hasText: /./ }).waitFor()
      await page.getByLabel(/^member/).fill("77")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByRole("dialog").getByText("role:1:permissions").first().waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
      await row("77").waitFor()
      expect(await server().raw("SISMEMBER", "role:1:permissions", "77")).toBe(1)
      await row("77").getByRole("button", { name: "Remove this element" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByText("1–1 of 1").waitFor()
      expect(await server().raw("SISMEMBER", "role:1:permissions", "77")).toBe(0)
    })

    test("without --write nothing can be edited, and it says how", async () => {
      const { page, go } = await open({ write: false })
      await openKey(opened, "dish:7")
      expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0)
      expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0)
      await go("#/edit/restaurant/dish")
      await page.getByText("The studio is read-only").waitFor()
      await go("#/audit/restaurant")
      await page.getByRole("button", { name: "Run the audit" }).click()
      await page.getByRole("button", { name: "Make a plan" }).click()
      await page.getByText("to apply it, start the studio with").waitFor()
    })
  })
})

const systemOn = ({ target }: TestServer) => ({
  keyspace: restaurant,
  server: target as string,
})

/** Through the search: a key by its exact name. */
async function openKey({ page }: OpenPage, key: string): Promise<void> {
  await page.locator(".opener").click()
  await page.getByRole("combobox", { name: /^Search/ }).fill(key)
  await page.getByRole("option", { name: /^key/ }).first().click()
  await page.getByRole("heading", { name: key, exact: true }).waitFor()
}
