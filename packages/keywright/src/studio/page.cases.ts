/* The studio in a real browser, for its tests: built from the sources into a separate
 * folder, opened with the printed link. Whatever a page must never do is noted while it
 * is open, and expected to be nothing when it closes. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout } from "node:timers/promises"
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { buildStudio } from "../../../../scripts/build-studio.mjs"
import { pathOf } from "../../../../test/needs.ts"
import { watchPage } from "../../../../test/watch-page.ts"
import type { Command, Driver } from "../driver/driver.ts"
import { startStudio, type RunningStudio, type StartStudioOptions } from "./server/start-studio.ts"

export interface OpenPage {
  readonly page: Page
  readonly studio: RunningStudio
  /** Goes to `#/browse/…`. */
  go(hash: string): Promise<void>
  /** A row of the shown tables, by its text. */
  row(text: string): Locator
}

type Options = StartStudioOptions & { readonly context?: Pick<BrowserContextOptions, "viewport" | "colorScheme"> }

/** A tab of a browser profile of its own, and the port of the studio that it shows. */
interface Tab {
  readonly page: Page
  port: number
}

export interface UsePagesOptions {
  /** A new profile for every page, for tests of what a browser keeps. By default tabs are used again, at the same
   * address: a browser starts two processes for a new one, which takes longer than most tests. */
  readonly isFresh?: boolean
}

/** Starts studios and opens them; closes them after each test. */
export function usePages({ isFresh = false }: UsePagesOptions = {}): (options: Options) => Promise<OpenPage> {
  let [browser, folder]: [Browser | undefined, string] = [undefined, ""]
  const inUse: { readonly tab: Tab; readonly studio: RunningStudio }[] = []
  const unused: Tab[] = []
  const wrongs: string[] = []

  beforeAll(async () => {
    folder = await studioFolder()
    const executablePath = pathOf("chromium") as string
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
  })
  afterEach(async () => {
    for (const { tab, studio } of inUse.splice(0).toReversed()) {
      if (!isFresh && (await isCleared(tab))) unused.push(tab)
      else await tab.page.context().close()
      await studio.close()
    }
    expect(wrongs.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    if (folder !== BUILT) await rm(folder, { recursive: true, force: true })
  })

  const newTab = async (): Promise<Tab> => {
    const context = await browser!.newContext()
    // A page on a busy machine takes its time.
    context.setDefaultTimeout(40_000)
    return { page: await context.newPage(), port: 0 }
  }

  return async ({ context: { viewport, colorScheme } = {}, ...options }) => {
    const note = (error: unknown) => wrongs.push(`the studio failed with an internal error: ${String(error)}`)
    const tab = unused.pop() ?? (await newTab())
    const start = (port: number) => startStudio({ page: folder, onError: note, port, ...options })
    // Another process may have taken the port meanwhile.
    const studio = await start(tab.port).catch(() => start(0))
    inUse.push({ tab, studio })
    const { page } = tab
    const isNew = tab.port === 0
    tab.port = studio.port
    if (isNew) await watchPage(page, () => originOf(tab), wrongs)
    await page.setViewportSize(viewport ?? { width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: colorScheme ?? "light", reducedMotion: "reduce" })
    await page.goto(studio.url)
    return {
      page,
      studio,
      go: async (hash) => void (await page.goto(`${originOf(tab)}/${hash}`)),
      row: (text) => page.locator("tr", { hasText: text }).first(),
    }
  }
}

const originOf = ({ port }: Tab): string => `http://127.0.0.1:${port}`

const BUILT = fileURLToPath(new URL("../../dist/studio", import.meta.url))

/** The page as the sources have it now. `npm test` has built it already. */
async function studioFolder(): Promise<string> {
  if (process.env["KEYWRIGHT_BUILT"] === "1") return BUILT
  const folder = await mkdtemp(join(tmpdir(), "keywright-page-"))
  await buildStudio(folder)
  return folder
}

/** Leaves the page for a picture at the same address, with nothing kept; false when the studio is gone. */
async function isCleared(tab: Tab): Promise<boolean> {
  try {
    await tab.page.goto(`${originOf(tab)}/icon.svg`)
    await tab.page.evaluate("localStorage.clear(); sessionStorage.clear()")
    return true
  } catch {
    return false
  }
}

/** Sends one command after the other while `work` runs. */
export async function withTraffic(
  driver: Driver,
  commands: readonly Command[],
  work: () => Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const sending = (async () => {
    for (let at = 0; !done.signal.aborted; at++) {
      await driver.send(commands[at % commands.length]!)
      await setTimeout(10)
    }
  })()
  try {
    await work()
  } finally {
    done.abort()
    await sending
  }
}
