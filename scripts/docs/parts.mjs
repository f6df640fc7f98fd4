/* The parts of the documentation that are made from the sources. Where a page has
 *
 *   <!-- generated: methods client/kinds/zset.ts ZsetHandle -->
 *
 * the site shows the table. Nothing of it is stored, so nothing of it can be out of date. */

import { commandsPart, findingsPart } from "./commands.mjs"
import { errorsPart } from "./errors.mjs"
import { declarationsPart, methodsPart, optionsPart } from "./methods.mjs"
import { filesBelow } from "./read-source.mjs"

const part = /<!-- generated: (\w+)((?: \S+)*) -->/g

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
  return page.replace(part, (_, name, args) => {
    const words = args.trim() === "" ? [] : args.trim().split(" ")
    return make[name](...words)
  })
}

/** The pages of the site, as paths below docs/. */
export const pages = () =>
  filesBelow("docs", ".md")
    .map((path) => path.slice("docs/".length))
    .filter((page) => !/^(api|\.vitepress)\//.test(page))
