/* The parts of the documentation that are made from the sources. On a page they stand between
 *
 *   <!-- generated: methods client/kinds/zset.ts ZsetHandle -->
 *   <!-- /generated -->
 *
 * `npm run generate` writes them; a test fails when one is out of date. */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../step.mjs"
import { commandsPart, findingsPart } from "./commands.mjs"
import { errorsPart } from "./errors.mjs"
import { declarationsPart, methodsPart, optionsPart } from "./methods.mjs"
import { filesBelow } from "./read-source.mjs"

const part = /(<!-- generated: (\w+)((?: \S+)*) -->\n)[\s\S]*?(<!-- \/generated -->)/g

/** `data`: the commands, their options and the finding codes, from the build or from the sources. */
export function withParts(page, { commands, optionsOf, findingCodes }) {
  const make = {
    methods: methodsPart,
    options: optionsPart,
    declarations: declarationsPart,
    errors: errorsPart,
    commands: () => commandsPart(commands, optionsOf),
    findings: () => findingsPart(findingCodes),
  }
  return page.replace(part, (_, begin, name, args, end) => {
    const words = args.trim() === "" ? [] : args.trim().split(" ")
    return `${begin}\n${make[name](...words)}\n\n${end}`
  })
}

/** The pages of the site, as paths below docs/. */
export const pages = () =>
  filesBelow("docs", ".md")
    .map((path) => path.slice("docs/".length))
    .filter((page) => !/^(api|\.vitepress)\//.test(page))

export function writeParts(data) {
  for (const page of pages()) {
    const path = join(root, "docs", page)
    const before = readFileSync(path, "utf8")
    const after = withParts(before, data)
    if (after !== before) writeFileSync(path, after)
  }
}
