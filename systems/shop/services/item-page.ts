/* The HTML of an item's page. Everything that was not written here is escaped. */

import type { Row } from "../schema.ts"

export function itemPage(item: string | null, row: Row | undefined): string {
  const title = typeof row?.["name"] === "string" ? row["name"] : (item ?? "The shop")
  const facts = Object.entries(row ?? {}).map(
    ([name, value]) =>
      `<dt>${escape(name)}</dt><dd>${escape(typeof value === "string" ? value : JSON.stringify(value))}</dd>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body>
<h1>${escape(title)}</h1>
${item === null ? "<p>Choose an item.</p>" : `<p>Item <code>${escape(item)}</code></p>`}
${facts.length > 0 ? `<dl>${facts.join("")}</dl>` : ""}
</body>
</html>
`
}

const NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => NAMES[char]!)
