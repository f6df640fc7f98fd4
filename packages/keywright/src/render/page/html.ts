/* A schema page as one HTML file: no network, works from a disk, in light and dark,
 * on paper and with a keyboard. The same data as the Markdown page. */

import type { Keyspace } from "../../schema/keyspace.ts"
import { type Diagram, diagramOf } from "./diagram.ts"
import { diagramSvg, type Layout } from "./diagram-svg.ts"
import { type DocKey, type DocPage, type DocSection, shownPage } from "./doc-model.ts"
import { escapeHtml as e } from "./escape-html.ts"
import { fieldsTable, keyAnchor, keyCard, keyRow, marks, patternHtml } from "./html-keys.ts"
import { script } from "./html-script.ts"
import { style } from "./html-style.ts"
import { inlineMarkdown } from "./inline-markdown.ts"
import { mermaid } from "./mermaid.ts"
import { sectionTitle, throughText } from "../titles.ts"

/** The whole document. `layout` places the boxes of the diagram; `fingerprint` says which schema it was made from. */
export function html(keyspace: Keyspace, layout: Layout, fingerprint: string): string {
  const page = shownPage(keyspace)
  const diagram = diagramOf(keyspace, page)
  const svg = diagramSvg(diagram, layout)
  const title = e(page.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="keywright docs">
<title>${title}: Redis keys</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body class="page">
<a class="skip" href="#main">Skip to the keys</a>
${navigation(page, svg !== undefined)}
<main id="main">
<header class="hero">
<p class="eyebrow">Redis keyspace</p>
<h1>${title}</h1>
${page.doc === undefined ? "" : `<p class="lead">${inlineMarkdown(page.doc)}</p>`}
${facts(page)}
</header>
${svg === undefined ? "" : diagramHtml(keyspace, diagram, svg)}
${page.sections.map(sectionHtml).join("\n")}
${relationsHtml(page)}
${rulesHtml(page)}
${stepsHtml(page)}
${toolkitHtml(page)}
<p class="nothing" hidden>No key matches. <button type="button" class="link" id="clear">Clear the search</button></p>
<footer>Made from the schema by <code>keywright docs</code>. Fingerprint <code>${e(fingerprint)}</code>.</footer>
</main>
<script>${script}</script>
</body>
</html>
`
}

/** With so few groups, the contents name their keys as well. */
const FEW = 2

const keyItems = ({ keys }: DocSection): string =>
  keys
    .map(({ name, pattern }) => `<li class="sub"><a href="#${keyAnchor(name)}"><code>${e(pattern)}</code></a></li>`)
    .join("")

const anchor = (name: string): string => `s-${name.replace(/[^\w-]+/g, "-") || "keys"}`

function navigation({ title, sections, relations, invariants, steps }: DocPage, drawn: boolean): string {
  const item = (href: string, text: string, count?: number) =>
    `<li><a href="#${href}"><span>${e(text)}</span>${count === undefined ? "" : `<small>${count}</small>`}</a></li>`
  const more = [
    ...(relations.length > 0 ? [item("relations", "Relations")] : []),
    ...(invariants.length > 0 ? [item("rules", "What must hold")] : []),
    ...(steps.length > 0 ? [item("steps", "Atomic steps")] : []),
    item("toolkit", "Keywright’s own keys"),
  ]
  return `<nav aria-label="Contents">
<a class="brand" href="#main">${e(title)}</a>
<div class="search"><input id="search" type="search" placeholder="Search keys…" aria-label="Search keys" autocomplete="off" spellcheck="false"><kbd>/</kbd></div>
<ul>${drawn ? item("diagram", "Diagram") : ""}${sections.map((section) => item(anchor(section.name), sectionTitle(section), section.keys.length) + (sections.length > FEW ? "" : keyItems(section))).join("")}</ul>
<ul class="more">${more.join("")}</ul>
<button type="button" id="theme" class="theme" aria-label="Switch between light and dark">◐ <span>Theme</span></button>
</nav>`
}

function facts({ sections, invariants }: DocPage): string {
  const keys = sections.flatMap((section) => section.keys)
  const entities = sections.filter(({ kind }) => kind === "entity").length
  const databases = new Set(sections.map(({ db }) => db)).size
  const expiring = keys.filter(({ ttl }) => ttl !== "never expires" && ttl !== "undecided").length
  const shown: [number, string, string][] = [
    [keys.length, "key pattern", "key patterns"],
    [entities, "entity", "entities"],
    [databases > 1 ? databases : 0, "database", "databases"],
    [expiring, "with a TTL", "with a TTL"],
    [keys.filter(({ deprecated }) => deprecated !== undefined).length, "deprecated", "deprecated"],
    [invariants.length, "invariant", "invariants"],
  ]
  const cells = shown
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `<li><b>${count}</b> ${count === 1 ? one : many}</li>`)
  return `<ul class="facts">${cells.join("")}</ul>`
}

const diagramHtml = (keyspace: Keyspace, { kind }: Diagram, svg: string): string => `<section id="diagram">
<h2>${kind === "entities" ? "Entities" : "Ids and what connects them"}</h2>
<figure class="figure"><div class="scroll">${svg}</div>
<figcaption>${kind === "entities" ? "Each box is an entity with the fields of its record; lines are relations." : "Each box is a named id with the keys that concern it alone; a line is a key that leads from one id to others."}</figcaption></figure>
<details class="source"><summary>The same as Mermaid text</summary><pre><code>${e(mermaid(keyspace))}</code></pre></details>
</section>`

function sectionHtml(section: DocSection): string {
  const { name, kind, doc, deprecated, when, keys } = section
  const badge = { entity: "entity", family: "family", database: "", keys: "" }[kind]
  const notes = [
    deprecated === undefined ? "" : `<p class="callout warn"><b>Deprecated.</b> ${inlineMarkdown(deprecated)}</p>`,
    when === undefined ? "" : `<p class="callout">Only when ${inlineMarkdown(when)}.</p>`,
    kind === "family" ? `<p class="callout">These keys live and die together: one deadline for all.</p>` : "",
  ]
  const inherited = { deprecated, when }
  const body = kind === "entity" ? entityHtml(keys) : keys.map((key) => keyCard(key, inherited)).join("")
  return `<section id="${anchor(name)}" class="group">
<h2>${e(sectionTitle(section))}${badge === "" ? "" : ` <span class="badge">${badge}</span>`}</h2>
${doc === undefined ? "" : `<p class="about">${inlineMarkdown(doc)}</p>`}
${notes.join("")}
${keys.length === 0 ? `<p class="callout">Nothing is kept here.</p>` : body}
</section>`
}

function entityHtml(keys: readonly DocKey[]): string {
  const record = keys.find(({ role }) => role === "the record")
  const table = `<div class="scroll"><table class="keys"><thead><tr><th>Key</th><th>Type</th><th>Holds</th><th>TTL</th></tr></thead><tbody>${keys.map(keyRow).join("")}</tbody></table></div>`
  if (!record) return table
  return `<article class="card entity" id="${keyAnchor(record.name)}" data-search="${e(
    keys
      .map(({ pattern, name }) => `${pattern} ${name}`)
      .join(" ")
      .toLowerCase(),
  )}">
<header><h3>${patternHtml(record.pattern)}</h3>${marks(record)}</header>
${table}
${fieldsTable(record.parts, "Field")}
<pre class="example"><code>${e(record.example)}</code></pre>
</article>`
}

function relationsHtml({ relations }: DocPage): string {
  if (relations.length === 0) return ""
  const rows = relations.map(({ entity, name, target, many, via, doc }) => {
    const through = throughText({ via, target: e(target) }, (word) => `<code>${e(word)}</code>`)
    return `<tr><td><code>${e(entity)}.${e(name)}</code></td><td>${many ? "many" : "one"} <a href="#${anchor(target)}">${e(target)}</a></td><td>${through}</td><td>${inlineMarkdown(doc ?? "")}</td></tr>`
  })
  return `<section id="relations"><h2>Relations</h2><div class="scroll"><table><thead><tr><th>Relation</th><th>Leads to</th><th>Through</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table></div></section>`
}

const rulesHtml = ({ invariants }: DocPage): string =>
  invariants.length === 0
    ? ""
    : `<section id="rules"><h2>What must hold</h2><ul class="rules">${invariants.map((rule) => `<li>${inlineMarkdown(rule)}</li>`).join("")}</ul></section>`

function stepsHtml({ steps }: DocPage): string {
  if (steps.length === 0) return ""
  const cards = steps.map(
    ({ name, doc, keys, args, once }) =>
      `<article class="card" data-search="${e(`${name} ${keys.join(" ")}`.toLowerCase())}"><header><h3><code class="pattern">${e(name)}(${e(args.join(", "))})</code></h3>${once ? `<ul class="marks"><li>once per operation id</li></ul>` : ""}</header>${doc === undefined ? "" : `<p>${inlineMarkdown(doc)}</p>`}<p class="touches">${keys.map(patternHtml).join(" ")}</p></article>`,
  )
  return `<section id="steps" class="group"><h2>Atomic steps</h2><p class="about">Scripts of the application’s own: each happens whole or not at all.</p>${cards.join("")}</section>`
}

const toolkitHtml = ({ toolkit }: DocPage): string =>
  `<section id="toolkit"><h2>Keywright’s own keys</h2><details><summary>What the toolkit itself may store beside these keys</summary><div class="scroll"><table class="keys"><thead><tr><th>Key</th><th>Type</th><th>What for</th><th>TTL</th></tr></thead><tbody>${toolkit.map(keyRow).join("")}</tbody></table></div></details></section>`
