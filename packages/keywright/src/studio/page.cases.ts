/* The studio in a real browser, for its tests: built from the sources into a separate
 * folder, opened with the printed link. Whatever a page must never do is noted while it
 * is open, and expected to be nothing when it closes. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

type Options = StartStudioOptions & { readonly context?: BrowserContextOptions }

/** Starts studios and opens them; closes everything after each test. */
export function usePages(): (options: Options) => Promise<OpenPage> {
  let [browser, folder]: [Browser | undefined, string] = [undefined, ""]
  const open: { close(): Promise<void> }[] = []
  const wrongs: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keywright-page-"))
    await buildStudio(folder)
    const executablePath = pathOf("chromium") as string
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
  })
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close()
    expect(wrongs.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  return async ({ context: contextOptions, ...options }) => {
    const note = (error: unknown) => wrongs.push(`the studio made a mistake: ${String(error)}`)
    const studio = await startStudio({ page: folder, onError: note, ...options })
    open.push(studio)
    const viewport = { width: 1280, height: 800 }
    const context = await browser!.newContext({ viewport, ...contextOptions })
    open.push(context)
    // A page on a busy machine takes its time.
    context.setDefaultTimeout(40_000)
    const page = await context.newPage()
    await watchPage(page, new URL(studio.url).origin, wrongs)
    await page.goto(studio.url)
    return {
      page,
      studio,
      go: async (hash) => void (await page.goto(`${new URL(studio.url).origin}/${hash}`)),
      row: (text) => page.locator("tr", { hasText: text }).first(),
    }
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
