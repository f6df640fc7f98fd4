/* npm run screenshots: pictures of every view of the studio and of the systems' pages, in
 * light and dark, from the demo as `npm start` shows it, into docs/screenshots/. Needs the
 * build and Chromium. With `-- pages`, of the pages alone. */

import { spawn } from "node:child_process"
import { mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { pagePictures } from "./page-pictures.mjs"
import { root } from "./step.mjs"

const into = join(root, "docs/screenshots")
const MOST_BYTES = 200_000
const size = { width: 1280, height: 800 }

/** Each view: where it is, and what to do before the picture. */
const views = {
  overview: { at: "#/overview", wait: ".tree-map .box" },
  system: { at: "#/overview/restaurant", wait: ".tree-map .box" },
  browse: { at: "#/browse/restaurant/dish", wait: ".keys-table td" },
  key: { at: "#/browse/restaurant/order", wait: ".keys-table td", act: openKey },
  schema: { at: "#/schema/restaurant", wait: ".diagram .box" },
  pattern: { at: "#/schema/messaging/people.status", wait: "h1" },
  search: { at: "#/schema/restaurant", wait: ".diagram .box", act: search },
  audit: { at: "#/audit/restaurant", wait: ".findings-table td", act: plan },
  live: { at: "#/live", wait: ".stream td", act: (page) => page.waitForTimeout(40_000) },
  console: { at: "#/console/restaurant", wait: ".console-line", act: ask },
  edit: { at: "#/edit/restaurant/dish", wait: ".form", act: fillForm },
  changes: { at: "#/edit/restaurant/category", wait: ".form", act: create },
}

const demo = await startDemo()
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
try {
  await mkdir(into, { recursive: true })
  if (!process.argv.includes("pages")) {
    // One tab for both: the session is the tab's own.
    const context = await browser.newContext({ viewport: size })
    const page = await enter(context, demo.link)
    for (const theme of ["light", "dark"]) await pictures(page, theme)
  }
  await pagePictures(browser, demo.url, into)
} finally {
  await browser.close()
  demo.stop()
}

for (const name of await readdir(into)) {
  const { size: bytes } = await stat(join(into, name))
  if (bytes > MOST_BYTES) throw new Error(`${name} has ${bytes} bytes: more than ${MOST_BYTES}`)
}

/** The audit is run, so that there is something to see. */
async function enter(context, link) {
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole("button", { name: "Run the audit" }).click()
  await page.getByText("See what is wrong").waitFor()
  // Growth is worth a look only after a while.
  await page.waitForTimeout(20_000)
  return page
}

async function pictures(page, theme) {
  await page.emulateMedia({ colorScheme: theme })
  for (const [name, { at, wait, act }] of Object.entries(views)) {
    await page.goto(new URL(at, demo.link).href.replace(/\?token=[^#]*/, ""))
    await page.locator(wait).first().waitFor()
    // What was clicked for the last picture would have a ring.
    await page.evaluate(() => document.activeElement?.blur())
    await act?.(page)
    await page.waitForTimeout(700)
    await page.screenshot({ path: join(into, `${name}-${theme}.png`) })
    await page.keyboard.press("Escape")
  }
}

async function openKey(page) {
  await page.locator(".keys-table .key-cell a").nth(2).click()
  await page.locator(".relations").waitFor()
}

async function search(page) {
  await page.keyboard.press("/")
  await page.getByRole("combobox").fill("order")
  await page.getByRole("option").nth(3).waitFor()
}

async function plan(page) {
  await page.getByRole("button", { name: "Make a plan" }).click()
  await page.locator(".plan-table td").first().waitFor()
}

async function ask(page) {
  for (const line of ["GET dish:3", "SMEMBERS user:1:orders"]) {
    await page.getByRole("combobox", { name: "Command" }).fill(line)
    await page.keyboard.press("Enter")
    await page.getByText(line).first().waitFor()
  }
  await page.getByRole("combobox", { name: "Command" }).fill("GET order:")
  await page.getByRole("option").first().waitFor()
}

async function fillForm(page) {
  await page.getByLabel("name string").fill("Ramen of the day")
  await page.getByLabel("price number").fill("12.5")
  await page.getByLabel("categoryId string").fill("2")
  await page.getByRole("button", { name: "Create…" }).click()
  await page.getByText("What is sent").waitFor()
}

async function create(page) {
  await page.getByLabel("name string").fill("Noodles")
  await page.getByRole("button", { name: "Create…" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
  await page.getByRole("heading", { name: /^category:/ }).waitFor()
  await page.getByRole("link", { name: "Changes" }).click()
  await page.locator("tbody tr").first().waitFor()
}

/** The demo on free ports; resolves with the studio's link once people are in. */
function startDemo() {
  const child = spawn("node", ["systems/dist/demo/main.js", "--port", "0", "--studio-port", "0"], { cwd: root })
  return new Promise((resolve, reject) => {
    let text = ""
    const read = (chunk) => {
      text += chunk
      const [link] = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(text) ?? []
      const [, url] = /^ready (\S+)$/m.exec(text) ?? []
      if (link !== undefined) resolve({ link, url, stop: () => child.kill() })
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.on("exit", () => reject(new Error(`the demo ended:\n${text}`)))
  })
}
