/* The site: the Markdown of this folder, the pages of the five systems and ARCHITECTURE.md, and
 * the API reference that typedoc writes into api/. `npm run docs` builds it and serves it. */

import { posix } from "node:path"
import { defineConfig } from "vitepress"
import { withParts } from "../../scripts/docs/parts.mjs"
import { sidebar } from "./sidebar.ts"

/** From the build: `npm run docs` makes it first. */
const built = (file: string) => import(new URL(`../../packages/keywright/dist/${file}`, import.meta.url).href)
const { commands } = await built("cli/commands.js")
const { optionsOf } = await built("cli/program.js")
const { findingCodes } = await built("inspect/audit/finding-codes.js")

const source = "https://github.com/keywright/keywright/blob/main/"

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#b4331f"/>' +
    '<text x="8" y="12" font-family="sans-serif" font-size="11" font-weight="700" text-anchor="middle" fill="#fff">K</text></svg>',
)}`

export default defineConfig({
  title: "Keywright",
  description:
    "Declare your Redis keyspace once: typed, atomic access, indexes that stay true, and an audit of the running server.",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  cleanUrls: true,
  srcExclude: ["node_modules/**", "package.json"],
  rewrites: { "systems/README.md": "systems/index.md", "api/README.md": "api/index.md" },
  // What the reference links to beyond what is exported.
  ignoreDeadLinks: [/^\.?\/?api\//],
  vite: { build: { chunkSizeWarningLimit: 3000 }, publicDir: "public" },
  markdown: {
    languageAlias: { console: "shellsession", mermaid: "text" },
    config(md) {
      md.core.ruler.before("normalize", "generated-parts", (state) => {
        state.src = withParts(state.src, { commands, optionsOf, findingCodes })
      })
      md.core.ruler.push("outside-links", (state) => {
        for (const block of state.tokens)
          for (const token of block.children ?? []) {
            if (token.type !== "link_open") continue
            const href = token.attrGet("href") ?? ""
            const elsewhere = leaving(href, pageOf(state.env))
            if (elsewhere !== undefined) token.attrSet("href", elsewhere)
          }
      })
      // The diagrams of the systems are drawn by Keywright itself; on a code host they are Mermaid.
      const fence = md.renderer.rules.fence!
      md.renderer.rules.fence = (tokens, index, options, env, self) => {
        const system = /^five-systems\/(\w+)\.md$/.exec(pageOf(env) ?? "")?.[1]
        if (tokens[index]?.info.trim() !== "mermaid" || system === undefined)
          return fence(tokens, index, options, env, self)
        return `<img alt="How the keys of the ${system} belong together" src="/diagrams/${system}.svg" class="diagram">`
      }
    },
  },
  themeConfig: {
    // A word of the API is on dozens of its pages: the guide explains it.
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: { boostDocument: (id: string) => (id.startsWith("/api/") ? 0.2 : 1) } } },
    },
    outline: { level: [2, 3] },
    nav: [
      { text: "Guide", link: "/guide/first-ten-minutes" },
      { text: "Recipes", link: "/recipes/" },
      { text: "Reference", link: "/reference/errors" },
      { text: "API", link: "/api/" },
    ],
    sidebar: [...sidebar, { text: "API reference", link: "/api/" }],
    socialLinks: [{ icon: "github", link: "https://github.com/keywright/keywright" }],
    footer: { message: "MIT licence" },
  },
})

/** Where a link leads that leaves this folder: in the repository, or back into the site. */
function leaving(href: string, page: string | undefined): string | undefined {
  if (page === undefined || /^(\w+:|#|\/)/.test(href)) return undefined
  const target = posix.join("docs", posix.dirname(page), href)
  if (!target.startsWith("docs/")) return source + target
  return href.includes("docs/") ? target.slice("docs".length) : undefined
}

/** The page that is being rendered, as a path of this folder. */
const pageOf = (env: unknown): string | undefined => (env as { relativePath?: string } | undefined)?.relativePath
