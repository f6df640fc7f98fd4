/* Every example of the pages that a newcomer reads first is compiled or run:
 * see examples-read.ts for how a page says what is expected. */

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { checkExamples } from "./examples-check.ts"

for (const page of ["README.md", "packages/keywright/README.md", "packages/embedded/README.md"]) {
  const file = fileURLToPath(new URL(`../${page}`, import.meta.url))
  checkExamples(page, readFileSync(file, "utf8"))
}
