/* What must hold of every page. */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { expect } from "vitest"

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** Only what is judged here: the rest of axe-core's results costs more than finding them. */
const RUN = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`

/** No serious finding of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = (await page.evaluate(
    `globalThis.axe === undefined && (0, eval)(${JSON.stringify(axe)}); ${RUN}`,
  )) as Violation[]
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  expect(found).toEqual([])
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
