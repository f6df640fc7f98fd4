/* npm run build: compiles the packages, bundles the command line, the studio and the systems' pages,
 * and lists what is in the packages. */

import { join } from "node:path"
import { buildPages } from "./build-pages.mjs"
import { buildStudio } from "./build-studio.mjs"
import { bundleCli } from "./bundle-cli.mjs"
import { bundleServe } from "./bundle-serve.mjs"
import { bundleStudio } from "./bundle-studio.mjs"
import { writeSbom } from "./sbom.mjs"
import { root, run } from "./step.mjs"

const { code, output } = await run("tsc", ["-b"])
if (code !== 0) {
  console.error(output)
  process.exit(1)
}
const [cli, server, page] = await Promise.all([bundleCli(), bundleStudio(), buildStudio(), buildPages()])
// After the build: it bundles the modules in dist.
await bundleServe()
await writeSbom(join(root, "packages/keywright"), {
  "dist/bin": cli,
  "dist/studio/server.js": server,
  "dist/studio/app.js": page,
})
await writeSbom(join(root, "packages/embedded"), {})
