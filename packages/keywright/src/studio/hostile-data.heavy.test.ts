/* Keys, fields, members and values made of hostile texts: everywhere shown as what they
 * are, text. That nothing runs, opens, asks or is refused is expected by usePages. */

import { beforeEach, describe, expect, test } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { onAnyServer } from "../client/servers.cases.ts"
import type { Driver } from "../driver/driver.ts"
import { float } from "../schema/codec/number.ts"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { hash, list, map, set, stream, string, zset } from "../schema/define.ts"
import { keyspace } from "../schema/keyspace.ts"
import { z } from "zod"
import { textPieces } from "./app/parts/text-pieces.ts"
import { type OpenPage, usePages, withTraffic } from "./page.cases.ts"
import { payloads } from "./xss-payloads.cases.ts"

const hostile = keyspace(
  {
    tags: set("tags", text),
    board: zset("board", text, { score: float }),
    log: list("log", text),
    names: map("names", text, text),
    events: stream("events", { message: text }),
    record: hash("record:{id}", { title: text }),
    note: string("note:{id}", text),
    document: string("document:{id}", json(z.record(z.string(), z.json()))),
  },
  { name: "hostile", ttl: "never", doc: `Made of <b>${payloads[1]}</b>.` },
)

/** As the page shows a text: what would not be seen by its number. */
const shown = (given: string): string =>
  textPieces(given)
    .map((piece) => piece.text)
    .join("")
/** Spaces and breaks aside: those are the layout's. */
const flat = (given: string): string => given.replaceAll(/\s+/g, " ").trim()

async function fill(driver: Driver): Promise<void> {
  const all = [...payloads]
  await driver.send(["SADD", "tags", ...all])
  await driver.send(["RPUSH", "log", ...all])
  await driver.send(["ZADD", "board", ...all.flatMap((one, i) => [String(i), one])])
  await driver.send(["HSET", "names", ...all.flatMap((one) => [one, one])])
  await driver.batch(all.map((one) => ["XADD", "events", "*", "message", one]))
  await driver.send(["HSET", "record:1", "title", all[0]!, ...all.slice(0, 60).flatMap((one) => [one, one])])
  await driver.batch(all.slice(0, 60).map((one, i) => ["SET", `note:${i}`, one]))
  await driver.send([
    "SET",
    "document:1",
    JSON.stringify(Object.fromEntries(all.map((one) => [one, [one, { a: one }]]))),
  ])
  // Keys that no pattern owns: named so, whatever they hold.
  await driver.batch(all.map((one) => ["SET", one, one]))
}

describe.runIf(needs("chromium"))("hostile texts", () => {
  const openPage = usePages()

  onAnyServer("in the data", (server) => {
    beforeEach(() => fill(server().driver))
    const open = () => openPage({ systems: [{ keyspace: hostile, server: server().target as string }], write: true })

    test("are shown as text in every kind of value", async () => {
      const opened = await open()
      for (const name of ["tags", "board", "log", "names", "events"]) {
        await openFirstKey(opened, name)
        const seen = await everyPage(opened)
        expect(missing(seen), name).toEqual([])
        await opened.page.getByRole("button", { name: "As stored" }).click()
        await opened.page.locator(".elements td").first().waitFor()
        expect(await foreignElements(opened), name).toEqual([])
      }
      await openFirstKey(opened, "record")
      expect(missing(flat(await opened.page.locator(".fields").innerText()), payloads.slice(0, 60))).toEqual([])
      await openFirstKey(opened, "document")
      for (const form of ["Decoded", "As stored"]) {
        await opened.page.getByRole("button", { name: form }).click()
        expect(await foreignElements(opened)).toEqual([])
      }
    })

    test("are shown as text in names of keys: the tree, lists, search, links, the overview", async () => {
      const { page, go } = await open()
      await page.getByText("that no pattern owns").first().waitFor()
      await go("#/browse/hostile")
      await page.getByRole("treeitem", { name: /Not in the schema/ }).waitFor()
      expect(await foreignElements({ page })).toEqual([])
      for (const payload of payloads.filter((_, i) => i % (isFull ? 1 : 40) === 0)) {
        await page.locator(".opener").click()
        await page.getByRole("combobox", { name: /^Search/ }).fill(payload)
        await page.locator(".hits-none, .hits li").first().waitFor()
        await page.keyboard.press("Escape")
      }
      const leaves = await page.getByRole("treeitem", { level: 3 }).count()
      expect(leaves).toBeGreaterThan(5)
      for (let i = 0; i < leaves; i += Math.ceil(leaves / (isFull ? 40 : 6))) {
        await page.getByRole("treeitem", { level: 3 }).nth(i).click()
        await page.locator(".keys-table .key-cell a").first().click()
        await page.locator(".small-facts").waitFor()
        expect(await foreignElements({ page })).toEqual([])
        await go("#/browse/hostile")
      }
    })

    test("are shown as text by the audit, live, and in what an edit says", async () => {
      const { page, go } = await open()
      await go("#/audit/hostile")
      await page.getByRole("button", { name: "Run the audit" }).click()
      await page.locator(".findings-table tbody tr").nth(20).waitFor()
      await page.getByRole("button", { name: "Make a plan" }).click()
      await page.getByRole("checkbox").first().click()
      await page.getByText("UNLINK").first().waitFor()
      expect(await foreignElements({ page })).toEqual([])
      await go("#/live")
      const gets = payloads.map((one) => ["GET", one])
      await withTraffic(server().driver, gets, () => page.locator(".stream tbody tr").nth(30).waitFor())
      expect(await foreignElements({ page })).toEqual([])
      await go("#/edit/hostile/note")
      await page.getByLabel(/^id/).fill("new")
      await page.getByLabel(/^value/).fill(payloads[1]!)
      await page.getByRole("button", { name: "Create…" }).click()
      await page.getByRole("dialog").getByText("note:new").first().waitFor()
      expect(await foreignElements({ page })).toEqual([])
    })

    test("are shown as text where they are changed, removed and deleted, and change nothing else", async () => {
      const opened = await open()
      const { page } = opened
      const sizes = { tags: "SCARD", board: "ZCARD", log: "LLEN", names: "HLEN" }
      for (const [name, size] of Object.entries(sizes)) {
        await openFirstKey(opened, name)
        const before = Number(await server().raw(size, name))
        if (name === "names" || name === "board") {
          await page.getByRole("button", { name: "Change this element" }).first().click()
          await page.getByRole("button", { name: "Continue" }).waitFor()
          expect(await foreignElements(opened), name).toEqual([])
          await page.getByRole("button", { name: "Cancel" }).click()
        }
        await page.getByRole("button", { name: "Remove this element" }).first().click()
        const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove" })
        await confirm.waitFor()
        expect(await foreignElements(opened), name).toEqual([])
        await confirm.click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await expect.poll(() => server().raw(size, name)).toBe(before - 1)
      }
      await openFirstKey(opened, "note")
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).waitFor()
      expect(await foreignElements(opened)).toEqual([])
    })

    test("lose nothing in a form that does not show all of them", async () => {
      const [member, title] = ["x".repeat(6000), "one\ntwo"]
      await server().driver.send(["ZADD", "board", "-1", member])
      await server().driver.send(["HSET", "record:1", "title", title])
      const opened = await open()
      const { page } = opened
      await openFirstKey(opened, "board")
      await page.getByRole("button", { name: "Change this element" }).first().click()
      await page
        .getByRole("dialog")
        .getByLabel(/^score/)
        .fill("-2")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("it is not shown here").waitFor()
      expect(await server().raw("ZSCORE", "board", member)).toBe("-1")
      await openFirstKey(opened, "record")
      await page.getByRole("link", { name: "Edit" }).click()
      await page.getByLabel(/^title/).fill(`${title}\nthree`)
      await page.getByRole("button", { name: "Save…" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
      await expect.poll(() => server().raw("HGET", "record:1", "title")).toBe(`${title}\nthree`)
    })

    test("are shown as text by the console: commands, completions, replies and what is confirmed", async () => {
      const opened = await open()
      const { page, go } = opened
      await go("#/console")
      const input = page.getByRole("combobox", { name: "Command" })
      const log = page.getByRole("list", { name: /What was run/ })
      for (const line of ["SMEMBERS tags", "HGETALL names", "LRANGE log 0 -1", "SCAN 0 COUNT 1000"]) {
        await input.fill(line)
        await page.keyboard.press("Enter")
        await log.getByText(line).first().waitFor()
        expect(await foreignElements(opened), line).toEqual([])
      }
      for (const payload of payloads.filter((one, i) => i % (isFull ? 3 : 30) === 1 && !/["\\\s']/.test(one))) {
        await input.fill(`UNLINK ${payload}`)
        await page.keyboard.press("Enter")
        expect(await foreignElements(opened), payload).toEqual([])
        if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape")
      }
    })
  })
})

async function openFirstKey({ page, go }: OpenPage, pattern: string): Promise<void> {
  await go(`#/browse/hostile/${pattern}`)
  await page.locator(".keys-table .key-cell a").first().click()
  await page.locator(".small-facts").waitFor()
}

/** The texts of all pages of a collection. */
async function everyPage({ page }: OpenPage): Promise<string> {
  const label = page.locator(".pager > span").first()
  let seen = ""
  for (;;) {
    const before = await label.innerText()
    seen += ` ${(await page.locator(".elements tbody").allInnerTexts()).join(" ")}`
    const next = page.getByRole("button", { name: "Next" })
    if (await next.isDisabled()) return flat(seen)
    await next.click()
    const isTurned = async () => (await label.innerText()) !== before || (await next.isDisabled())
    await expect.poll(isTurned, { timeout: 10_000 }).toBe(true)
  }
}

const missing = (seen: string, wanted: readonly string[] = payloads): string[] =>
  wanted.filter((one) => !seen.includes(flat(shown(one))))

/** Elements that the page does not draw itself. */
const foreignElements = ({ page }: Pick<OpenPage, "page">): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("body *")].flatMap((e) =>
    /^(script|iframe|object|embed|video|audio|source|style|link|meta|base|form|marquee|math|template|xss|animate|isindex)$/i.test(e.localName)
    && !(e.localName === "form" && (e.className.includes("form") || e.querySelector(":scope > .dialog-body"))) || e.localName === "img" && e.getAttribute("src") !== "/icon.svg"
    || [...e.attributes].some(({ name }) => name.startsWith("on")) ? [e.outerHTML.slice(0, 200)] : [])`)
