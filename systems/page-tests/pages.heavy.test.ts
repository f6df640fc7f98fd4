/* Every page in a real browser: its story, what it shows of Redis, and what it must
 * withstand. One browser and one set of servers for all of them. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { expectAccessible, expectNoOverflow, openPages, PHONE, type Pages } from "./open-pages.cases.ts"
import { cartoStory } from "./carto.cases.ts"
import { messengerStory } from "./messaging.cases.ts"
import { recommenderStory } from "./recommender.cases.ts"
import { restaurantStory } from "./restaurant.cases.ts"
import { shopStory } from "./shop.cases.ts"

describe.runIf(needs("chromium"))("the pages", () => {
  let opened: Pages
  const pages = () => opened
  beforeAll(async () => void (opened = await openPages()))
  afterEach(async () => {
    await opened.tidy()
    expect(opened.wrongs()).toEqual([])
  })
  afterAll(() => opened?.close())

  describe("the front", () => {
    it("says what runs, how it is doing, and leads to each system", async () => {
      const page = await opened.open("/", { size: PHONE })
      await page.getByText("All is well").waitFor()
      await page
        .getByText(/requests\/s/)
        .first()
        .waitFor()
      await expectAccessible(page)
      await expectNoOverflow(page)
      await page.getByRole("link", { name: "Open the Shop" }).click()
      await page.getByRole("heading", { name: "The shop" }).waitFor()
    })
  })

  describe("the API explorer", () => {
    it("shows every system, with the demonstration's credentials filled in", async () => {
      const page = await opened.open("/docs")
      await page.getByRole("heading", { name: /^messaging/ }).waitFor()
      await page.getByRole("button", { name: "Authorize", exact: true }).click()
      await expect
        .poll(() => page.getByRole("button", { name: /^(Remove authorization|Logout)$/ }).count())
        .toBeGreaterThan(4)
      expect(await page.evaluate("document.querySelectorAll('script:not([src])').length")).toBe(0)
    })
  })

  describe("the shop", () => shopStory(pages))
  describe("the messenger", () => messengerStory(pages))
  describe("the restaurant", () => restaurantStory(pages))
  describe("the recommender", () => recommenderStory(pages))
  describe("the maps", () => cartoStory(pages))
})
