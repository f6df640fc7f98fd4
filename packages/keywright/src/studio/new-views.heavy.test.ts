/* The grid, the console and a proposal in a real Chromium. */

import { readFile } from "node:fs/promises"
import { beforeAll, describe, expect, test } from "vitest"
import type { Download, Page } from "playwright-core"
import { needs } from "../../../../test/needs.ts"
import { infer } from "../inspect/infer/infer.ts"
import { fromJson } from "../schema/json/from-json.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { usePages } from "./page.cases.ts"
import { fillRestaurant, PASSWORD, restaurant } from "./server/studio-data.cases.ts"
import { redisForSuite } from "../driver/redis-for-suite.cases.ts"

describe.runIf(needs("redis-server") && needs("chromium"))("in the page", { timeout: 180_000 }, () => {
  const openPage = usePages()
  const suite = redisForSuite()
  beforeAll(async () => {
    await fillRestaurant(suite.redis.url)
  }, 60_000)
  const system = () => ({ keyspace: restaurant, server: suite.redis.url })

  test("keys are a grid with decoded fields, found by an index, followed from a cell, and exported as shown", async () => {
    const { page, go, row } = await openPage({ systems: [system()] })
    await go("#/browse/restaurant/dish")
    await page.getByRole("columnheader", { name: "categoryId" }).waitFor()
    await page.evaluate(typingAtOnce("{categoryId}", "2"))
    await page.getByLabel("By index").selectOption({ label: "category (set)" })
    await page.getByText("1–10").waitFor()
    const rows = await textOf(page, () => page.getByRole("button", { name: "JSON" }).click())
    const shown = JSON.parse(rows) as { key: string; categoryId: string }[]
    expect(new Set(shown.map(({ categoryId }) => categoryId))).toEqual(new Set(["2"]))
    const csv = await textOf(page, () => page.getByRole("button", { name: "CSV" }).click())
    expect(csv.split("\r\n")).toHaveLength(12)
    await row("dish:1").getByRole("link", { name: "2", exact: true }).click()
    await page.getByRole("heading", { name: "category:2" }).waitFor()
    await go("#/browse/restaurant/user")
    await page.getByRole("columnheader", { name: "email" }).waitFor()
    expect(await page.content()).not.toContain(PASSWORD)
  })

  test("the console completes, reads, asks before it writes, and sends records to the editor", async () => {
    const { page, go } = await openPage({ systems: [system()], write: true })
    await go("#/console")
    const input = page.getByRole("combobox", { name: "Command" })
    const log = page.getByRole("list", { name: /What was run/ })
    await input.pressSequentially("strl")
    await page.getByRole("option", { name: /STRLEN/ }).waitFor()
    await page.keyboard.press("Tab")
    await page.getByText("STRLEN key · reads").waitFor()
    await input.pressSequentially("dish:7")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await log.getByText("STRLEN dish:7").waitFor()
    await log.getByText("read", { exact: true }).waitFor()
    await input.fill("CONFIG GET *")
    await page.keyboard.press("Enter")
    await log.getByText("the console does not run CONFIG").waitFor()
    await input.fill("DEL dish:7")
    await page.keyboard.press("Enter")
    await log.getByRole("link", { name: "Open" }).click()
    await page.getByRole("heading", { name: "dish:7" }).waitFor()
    await page.goBack()
    await input.fill("UNLINK leftover:17")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByText("UNLINK leftover:", { exact: false }).first().waitFor()
    expect(await suite.driver.send(["EXISTS", "leftover:17"])).toBe(1)
    await page.getByRole("dialog").getByRole("button", { name: "Run" }).click()
    await log.getByText("write", { exact: true }).waitFor()
    expect(await suite.driver.send(["EXISTS", "leftover:17"])).toBe(0)
    expect(await suite.driver.send(["EXISTS", "dish:7"])).toBe(1)
  })

  test("a server without a schema is shown by a proposal, which can be taken along", async () => {
    const inference = await infer(suite.driver)
    const keyspace = fromJson(inference.form) as Keyspace
    const { page, go } = await openPage({ systems: [{ name: "found", keyspace, server: suite.redis.url, inference }] })
    await page.getByText("No schema was given.").waitFor()
    const source = await textOf(page, () => page.getByRole("button", { name: "Save as schema.ts" }).click())
    expect(source).toContain('from "keywright"')
    await go("#/live")
    await page.getByRole("heading", { name: "Slow commands by pattern: found" }).waitFor()
  })
})

/** The text of the file that a click saves. */
async function textOf(page: Page, click: () => Promise<void>): Promise<string> {
  const [file] = (await Promise.all([page.waitForEvent("download"), click()])) as [Download, void]
  return readFile(await file.path(), "utf8")
}

/** For the page: types into a field in the moment that it appears, before it is painted, and presses Enter. */
const typingAtOnce = (label: string, text: string): string => `new MutationObserver((_, observer) => {
  const all = [...document.querySelectorAll("label")]
  const input = all.find((one) => one.textContent.includes(${JSON.stringify(label)}))?.querySelector("input")
  if (!input) return
  observer.disconnect()
  input.value = ${JSON.stringify(text)}
  input.dispatchEvent(new Event("input", { bubbles: true }))
  setTimeout(() => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })))
}).observe(document.body, { childList: true, subtree: true })`
