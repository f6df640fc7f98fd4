/* Every example of the READMEs, of the documentation site and of doc comments is compiled, and run where it says
 * what it prints: see examples-read.ts for how a page says what is expected. */

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { pages } from "../scripts/docs/parts.mjs"
import { docCommentsPage } from "./doc-comments.ts"
import { checkExamples } from "./examples-check.ts"

const readmes = ["README.md", "packages/keywright/README.md", "packages/embedded/README.md"]
checkExamples([
  docCommentsPage,
  ...[...readmes, ...pages().map((page) => `docs/${page}`)].map((page) => {
    const file = fileURLToPath(new URL(`../${page}`, import.meta.url))
    return { page, markdown: readFileSync(file, "utf8") }
  }),
])
