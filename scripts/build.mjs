/* npm run build: compiles the packages, bundles the command line and the studio, and lists what is
 * in them. */

import { join } from "node:path"
import { buildStudio } from "./build-studio.mjs"
import { bundleCli } from "./bundle-cli.mjs"
import { bundleStudio } from "./bundle-studio.mjs"
import { writeSbom } from "./sbom.mjs"
import { root, run } from "./step.mjs"

const { code, output } = await run("tsc", ["-b"])
if (code !== 0) {
  console.error(output)
  process.exit(1)
}
const [cli, server, page] = await Promise.all([bundleCli(), bundleStudio(), buildStudio()])
await writeSbom(join(root, "packages/keywright"), {
  "dist/bin": cli,
  "dist/studio/server.js": server,
  "dist/studio/app.js": page,
})
await writeSbom(join(root, "packages/embedded"), {})
