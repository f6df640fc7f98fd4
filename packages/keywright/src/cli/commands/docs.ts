import { existsSync, mkdirSync } from "node:fs"
import { join, relative } from "node:path"
import { usageRefused } from "../../errors/cli.ts"
import { fileUnwritable } from "../../errors/file.ts"
import { readText, writeText } from "../../files/ordinary-file.ts"
import { diagramOf } from "../../render/page/diagram.ts"
import { diagramSvg } from "../../render/page/diagram-svg.ts"
import { html } from "../../render/page/html.ts"
import { markdown } from "../../render/page/markdown.ts"
import { mermaid } from "../../render/page/mermaid.ts"
import { printable } from "../../render/printable.ts"
import { replacePart } from "../../render/replace-part.ts"
import { changelogMarkdown } from "../../render/schema-changelog.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { type Invocation, type Handler, textOption } from "../command.ts"
import { dagreLayout } from "../diagram-layout.ts"
import { readPage } from "../named-file.ts"
import { schemaChangelog } from "../schema-changelog.ts"
import { schemaFor } from "../schema-for.ts"

interface Wanted {
  readonly file: string
  readonly text: string
}

export const run: Handler = async (call) => {
  const { keyspace } = await schemaFor(call)
  if (call.options["changelog"] === true) {
    const chapters = await schemaChangelog(call)
    if (call.out.json) call.out.document({ schemaVersion: 1, schema: schemaOf(keyspace), chapters })
    else call.out.text(changelogMarkdown(keyspace.name ?? "", printable(chapters)))
    return 0
  }
  const files = wantedFiles(call, keyspace)
  const { out } = call
  if (files.length === 0) {
    if (call.options["check"] === true)
      throw usageRefused("--check compares files, and none were named", "Add --out or --into.")
    const text = printed(keyspace, textOption(call, "format") ?? "markdown")
    if (out.json) out.document({ schemaVersion: 1, schema: schemaOf(keyspace), text })
    else out.text(text)
    return 0
  }
  const stale = files.filter(({ file, text }) => !existsSync(file) || readText(file) !== text)
  if (call.options["check"] !== true) {
    for (const { file, text } of stale) writeText(file, text)
  }
  const report = files.map(({ file }) => ({
    file: relative(process.cwd(), file),
    current: !stale.some((one) => one.file === file),
  }))
  if (out.json) out.document({ schemaVersion: 1, schema: schemaOf(keyspace), files: report })
  else for (const { file, current } of report) out.line(`${file}: ${sentence(current, call.options["check"] === true)}`)
  return call.options["check"] === true && stale.length > 0 ? 1 : 0
}

const sentence = (current: boolean, check: boolean): string =>
  current ? "up to date" : check ? "out of date; run keywright docs without --check" : "written"

const schemaOf = (keyspace: Keyspace) => ({ name: keyspace.name ?? null, fingerprint: fingerprint(keyspace) })

/** What --out and --into should hold. */
function wantedFiles(call: Invocation, keyspace: Keyspace): Wanted[] {
  const [folder, into] = [textOption(call, "out"), textOption(call, "into")]
  const name = (keyspace.name ?? "keyspace").replace(/[^\w.-]+/g, "-")
  const files: Wanted[] = []
  if (folder !== undefined) {
    if (call.options["check"] !== true) makeFolder(folder)
    files.push({ file: join(folder, `${name}.md`), text: markdown(keyspace) })
    files.push({ file: join(folder, `${name}.html`), text: printed(keyspace, "html") })
  }
  if (into !== undefined) {
    const { text } = readPage(into)
    const replaced = replacePart(text, markdown(keyspace, { level: 2 }))
    if (replaced === undefined) {
      throw usageRefused(
        `${into} has no part for the page`,
        "Put <!-- keywright:begin --> and <!-- keywright:end --> where it goes.",
      )
    }
    files.push({ file: into, text: replaced })
  }
  return files
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw fileUnwritable(path, error)
  }
}

function printed(keyspace: Keyspace, format: string): string {
  if (format === "html") return html(keyspace, dagreLayout, fingerprint(keyspace))
  if (format === "mermaid") return mermaid(keyspace)
  if (format === "markdown") return markdown(keyspace)
  const svg = diagramSvg(diagramOf(keyspace), dagreLayout)
  if (svg === undefined) throw usageRefused("nothing in this schema is related to anything", "Use another --format.")
  return svg
}
