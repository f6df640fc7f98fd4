/* Keys on the HTML page: as cards, and as rows of an entity's table. */

import type { DocField, DocKey } from "./doc-model.ts"
import { escapeHtml as e } from "./escape-html.ts"
import { inlineMarkdown } from "./inline-markdown.ts"

/** A pattern with its parameters set off, breakable after separators. */
export const patternHtml = (pattern: string): string =>
  `<code class="pattern">${e(pattern)
    .replace(/\{+\w+\}+/g, "<var>$&</var>")
    .replace(/([:_-])(?=.)/g, "$1<wbr>")}</code>`

export const keyAnchor = (name: string): string => `k-${name.replace(/[^\w-]+/g, "-")}`

/** What is said already of the whole group is not repeated on each key. */
export interface Inherited {
  readonly deprecated: string | undefined
  readonly when: string | undefined
}

export function keyCard(key: DocKey, inherited: Inherited): string {
  const { name, pattern, type, doc, params, parts, example, writes, reads } = key
  const fields = [...params.map((param) => ({ ...param, name: `{${param.name}}` })), ...parts]
  const words = [name, pattern, type, doc ?? "", ...fields.map((field) => field.name)].join(" ").toLowerCase()
  return `<article class="card${key.deprecated === undefined ? "" : " old"}" id="${keyAnchor(name)}" data-search="${e(words)}">
<header><h3>${patternHtml(pattern)}</h3>${marks(key)}</header>
${key.deprecated === undefined || key.deprecated === inherited.deprecated ? "" : `<p class="callout warn"><b>Deprecated.</b> ${inlineMarkdown(key.deprecated)}</p>`}
${doc === undefined ? "" : `<p>${inlineMarkdown(doc)}</p>`}
${key.when === undefined || key.when === inherited.when ? "" : `<p class="callout">Only when ${inlineMarkdown(key.when)}.</p>`}
${fieldsTable(fields, "Part")}
<pre class="example"><code>${e(example)}</code></pre>
${who("Written by", writes)}${who("Read by", reads)}
</article>`
}

/** Type, TTL and what else is worth a mark. */
export function marks({ name, type, kind, ttl, keep, evictable, params, parts, deprecated }: DocKey): string {
  const secret = [...params, ...parts].some((field) => field.secret)
  const shown = [
    `<li class="type t-${type}">${type}${kind === type ? "" : ` <small>${kind}</small>`}</li>`,
    `<li class="ttl${ttl === "never expires" ? "" : ttl === "undecided" ? " bad" : " on"}">${e(ttl)}</li>`,
    keep === undefined ? "" : `<li>newest ${keep} kept</li>`,
    evictable ? "<li>may be evicted</li>" : "",
    secret ? `<li class="secret">holds secrets</li>` : "",
    deprecated === undefined ? "" : `<li class="bad">deprecated</li>`,
  ]
  return `<ul class="marks"><li class="path"><a href="#${keyAnchor(name)}">${e(name)}</a></li>${shown.join("")}</ul>`
}

export function fieldsTable(fields: readonly DocField[], head: string): string {
  if (fields.length === 0) return ""
  const rows = fields.map(
    ({ name, type, optional, secret }) =>
      `<tr><td><code>${e(name)}</code></td><td>${e(type)}</td><td>${optional ? "<i>optional</i>" : ""}${optional && secret ? " " : ""}${secret ? `<b class="lock">secret</b>` : ""}</td></tr>`,
  )
  return `<div class="scroll"><table class="fields"><thead><tr><th>${head}</th><th>Value</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`
}

export const keyRow = ({ pattern, type, role, doc, ttl }: DocKey): string =>
  `<tr><td>${patternHtml(pattern)}</td><td><span class="type t-${type}">${type}</span></td><td>${inlineMarkdown(role ?? doc ?? "")}</td><td class="quiet">${e(ttl)}</td></tr>`

const who = (verb: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `<p class="who"><b>${verb}</b> ${names.map(e).join(", ")}</p>`
