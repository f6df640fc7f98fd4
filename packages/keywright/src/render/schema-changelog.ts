/* The changelog of a schema as Markdown. */

import type { Change } from "../change/diff/change.ts"
import { code, prose } from "./page/markdown-prose.ts"

export interface SchemaChapter {
  readonly commit: string
  readonly day: string
  readonly subject: string
  readonly changes: readonly Change[]
  /** The schema begins here, as far as the history goes. */
  readonly isFirst?: boolean
  /** Why it could not be compared. */
  readonly problem?: string
}

export function changelogMarkdown(title: string, chapters: readonly SchemaChapter[]): string {
  return `${[`# Changes of the schema ${prose(title)}`, ...chapters.map(chapterText)].join("\n\n")}\n`
}

function chapterText({ commit, day, subject, changes, isFirst, problem }: SchemaChapter): string {
  const head = `## ${day} ${prose(subject)} (${code(commit)})`
  if (isFirst) return `${head}\n\nThe schema begins here.`
  if (problem !== undefined) return `${head}\n\nNot compared: ${prose(problem)}`
  const rows = changes.map(
    ({ code: name, path, title, what, level, order }) =>
      `- ${code(name)} ${code(path)}: ${prose(title)} (${code(what)})${level === "harmless" ? "" : ` · **${level}**, ${order}`}`,
  )
  return `${head}\n\n${rows.join("\n")}`
}
