/* What must hold of every page. */

import type { Page } from "playwright-core"
import { expect } from "vitest"
import { axeFindings } from "../../test/axe-findings.ts"

/** No serious finding of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
}

/** The page does not scroll sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
  expect(over).toBeLessThanOrEqual(0)
}

/** Nothing that somebody wrote has become a part of the page. */
export async function expectOnlyText(page: Page): Promise<void> {
  expect(await page.locator("img, iframe, object, embed, body script, main b[onclick]").count()).toBe(0)
}

/** Markup, an event, and a character that turns the text around. */
export const HOSTILE = `<img src=x onerror=alert(1)><script>alert(2)</script>\u202e`
/** As pages show it. */
export const SHOWN = "<img src=x onerror=alert(1)><script>alert(2)</script>\\u{202e}"
