/* The studio on a large server: the first view, a page of any pattern, its memory.
 *
 * The keys are those of `audit`, on a server of the bench's own; the studio runs in a
 * process of its own. The first view is timed twice: as the calls that it is made of,
 * and, where there is a Chromium, as the page that a person sees. Pages of patterns are
 * timed one after another, for every pattern, also while the first scan is still running. */

import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { KeyLink, KeysPage, Overview, Session } from "../../packages/keywright/src/studio/api.ts"
import { commands, usersFor } from "./audit/data.ts"
import { serverWith } from "./audit/server.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"
import { type BenchPage, enterPage } from "./studio/page.ts"
import { serveStudio } from "./studio/serve.ts"

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
)

export default async function (bench: Bench): Promise<void> {
  const keys = bench.full ? 1_000_000 : 100_000
  const first = await measure(bench, keys)
  const twice = await measure({ ...bench, report: () => undefined }, 2 * keys)
  bench.report(`memory of the studio, ${keys} keys`, first, "<300", "MB")
  bench.report(`memory of the studio, ${2 * keys} keys`, twice, "<300", "MB")
}

/** All figures of one size; the memory that the studio took, in MB. */
async function measure(bench: Bench, keys: number): Promise<number> {
  const server = await serverWith(commands(usersFor(keys)))
  const { child, url } = await started(server.url)
  try {
    const page = await enterPage(url)
    bench.report("first view, its calls", await firstView(page), "<2000", "ms")
    const during = await pages(page, 1)
    bench.report("a page of a pattern while the first scan runs, the slowest", Math.max(...during), "<200", "ms")
    const scanned = await untilScanned(page)
    bench.say(`${scanned.keys} keys scanned, ${scanned.perSecond}/s`)
    const after = await pages(page, 3)
    bench.report("a page of any pattern, median", median(after), undefined, "ms")
    bench.report("a page of any pattern, the slowest", Math.max(...after), "<200", "ms")
    bench.report("a key of any pattern, the slowest", Math.max(...(await details(page))), "<200", "ms")
    bench.report("a filter that fits one key, the slowest answer", await filtered(page), "<200", "ms")
    if (CHROMIUM === undefined) bench.say("no Chromium: the page itself was not timed")
    else bench.report("first view in Chromium, until it is usable", await inChromium(server.url), "<2000", "ms")
    return await memoryOf(child)
  } finally {
    child.kill()
    await server.stop()
  }
}

async function started(server: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(import.meta.url), ["--serve", server])
  const [{ url }] = (await once(child, "message")) as [{ url: string }]
  return { child, url }
}

async function memoryOf(child: ChildProcess): Promise<number> {
  child.send("memory")
  const [{ bytes }] = (await once(child, "message")) as [{ bytes: number }]
  return bytes / 1024 / 1024
}

/** What the page asks before it shows something. */
async function firstView(page: BenchPage): Promise<number> {
  const started = performance.now()
  const { json } = await page.get<Session>("/api/session")
  for (const { name } of json.systems)
    await Promise.all(["schema", "overview", "audit"].map((what) => page.get(`/api/systems/${name}/${what}`)))
  return performance.now() - started
}

const SYSTEM = "/api/systems/mixed"

async function patternsOf(page: BenchPage): Promise<string[]> {
  const { json } = await page.get<Overview>(`${SYSTEM}/overview`)
  return json.databases.flatMap(({ patterns, toolkit }) => [...patterns, ...toolkit].map(({ name }) => name))
}

/** The milliseconds of the first pages of every pattern. */
async function pages(page: BenchPage, most: number): Promise<number[]> {
  const took: number[] = []
  for (const name of await patternsOf(page)) {
    let cursor = ""
    for (let i = 0; i < most; i++) {
      const { json, ms } = await page.get<KeysPage>(`${SYSTEM}/keys?pattern=${encodeURIComponent(name)}${cursor}`)
      took.push(ms)
      if (json.next === undefined) break
      cursor = `&cursor=${json.next}`
    }
  }
  return took
}

async function details(page: BenchPage): Promise<number[]> {
  const took: number[] = []
  for (const name of await patternsOf(page)) {
    const { json } = await page.get<KeysPage>(`${SYSTEM}/keys?pattern=${encodeURIComponent(name)}&limit=3`)
    for (const { db, ref } of json.keys as readonly KeyLink[])
      took.push((await page.get(`${SYSTEM}/key?db=${db}&ref=${ref}`)).ms)
  }
  return took
}

/** Looks for one among many by how its id begins: page after page, each within its time. */
async function filtered(page: BenchPage): Promise<number> {
  let [slowest, cursor] = [0, ""]
  for (;;) {
    const { json, ms } = await page.get<KeysPage>(`${SYSTEM}/keys?pattern=order&p.id=4242*${cursor}`)
    slowest = Math.max(slowest, ms)
    if (json.next === undefined) return slowest
    cursor = `&cursor=${json.next}`
  }
}

async function untilScanned(page: BenchPage): Promise<Overview["scan"]> {
  for (;;) {
    const { json } = await page.get<Overview>(`${SYSTEM}/overview`)
    if (json.scan.state === "done") return json.scan
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** From the link to a page that shows the system and answers a click; a studio of its own, with its first scan running. */
async function inChromium(server: string): Promise<number> {
  const { chromium } = await import("playwright-core")
  const { child, url } = await started(server)
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage()
    await page.goto("about:blank")
    const started = performance.now()
    await page.goto(url)
    await page
      .getByRole("link", { name: /browse/i })
      .first()
      .waitFor()
    await page.locator("main table tbody tr, main dl dd").first().waitFor()
    return performance.now() - started
  } finally {
    await browser.close()
    child.kill()
  }
}

if (process.argv[2] === "--serve" && process.send !== undefined) await serveStudio(process.argv[3]!)
