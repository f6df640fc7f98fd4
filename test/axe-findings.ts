/* What axe-core finds on the page that a browser shows. */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** Only what is judged here: the rest of axe-core's results costs more than finding them. */
const RUN = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`

/** Its serious findings, a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  const violations = (await page.evaluate(
    `globalThis.axe === undefined && (0, eval)(${JSON.stringify(axe)}); ${RUN}`,
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
}
