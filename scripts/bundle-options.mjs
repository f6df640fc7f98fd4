/* What the bundles have in common, for esbuild: pages for browsers, programs for Node. */

const common = { write: false, bundle: true, metafile: true, logLevel: "error" }

export const pageBundle = {
  ...common,
  minify: true,
  format: "iife",
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "none",
}

export const nodeBundle = { ...common, format: "esm", platform: "node", target: "node20", legalComments: "linked" }

/** Some of what is bundled is CommonJS and asks for Node's own modules. */
export const requireBanner = {
  js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
}
