/* npm run build: compiles the packages, then bundles the command line and the studio's page. */

import { buildStudio } from "./build-studio.mjs"
import { bundleCli } from "./bundle-cli.mjs"
import { bundleStudio } from "./bundle-studio.mjs"
import { run } from "./step.mjs"

const { code, output } = await run("tsc", ["-b"])
if (code !== 0) {
  console.error(output)
  process.exit(1)
}
await Promise.all([bundleCli(), bundleStudio(), buildStudio()])
