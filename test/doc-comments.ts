/* The examples in the doc comments of everything that is exported, as a page of which each block is a program. */

import { readFileSync } from "node:fs"
import { asProgram, publishedExports } from "../scripts/docs/exports.mjs"

export interface PublishedName {
  readonly name: string
  readonly from: string
  readonly isType: boolean
  readonly file: string
  readonly prose: string
  readonly example: string
}

export const published: readonly PublishedName[] = publishedExports()

const context = readFileSync(new URL("doc-comments.context.ts", import.meta.url), "utf8")
const contextNames = new Set(
  [...context.matchAll(/^export (?:const (\w+)|\{ ([^}]+) \})/gm)].flatMap(([, one, several]) =>
    one === undefined ? several!.split(", ") : [one],
  ),
)

/** `keywright/operate` and its type `Finding` → `keywright-operate-type-Finding.ts` */
const fileOf = ({ from, isType, name }: PublishedName) =>
  `${from.replace("@", "").replaceAll("/", "-")}-${isType ? "type-" : ""}${name}.ts`

const block = (file: string, program: string) => `\`\`\`ts\n// ${file}\n${program}\n\`\`\`\n`

export const docCommentsPage = {
  page: "doc comments",
  markdown: [
    block("context.ts", context),
    ...published
      .filter(({ example }) => example !== "")
      .map((one) => block(fileOf(one), asProgram(one, published, contextNames))),
  ].join("\n"),
}
