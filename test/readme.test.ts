/* Every example of the pages that a newcomer reads first is compiled or run:
 * see examples-read.ts for how a page says what is expected. */

import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"
import { checkExamples } from "./examples-check.ts"

for (const page of ["README.md", "packages/keywright/README.md", "packages/embedded/README.md"]) {
  const file = fileURLToPath(new URL(`../${page}`, import.meta.url))
  if (existsSync(file)) checkExamples(page, readFileSync(file, "utf8"))
  else describe.skip(page, () => it("is not written yet", () => undefined))
}
