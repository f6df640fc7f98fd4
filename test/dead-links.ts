/* Which links of a Markdown page lead nowhere: files that are not there, headings that a page lacks.
 * Addresses of other hosts are not looked at. */

import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const link = /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g

/** `page` is its path below `root`. */
export function deadLinks(markdown: string, page: string, root: string): string[] {
  const text = withoutCode(markdown)
  const targets = [...text.matchAll(link)].map(([, one, other]) => (one ?? other)!)
  return targets.filter((target) => {
    if (/^([a-z]+:|\/)/i.test(target)) return false
    const [path = "", heading] = target.split("#")
    const file = path === "" ? undefined : join(root, dirname(page), path)
    if (file !== undefined && !existsSync(file)) return true
    if (heading === undefined) return false
    return !headings(file === undefined ? markdown : readFileSync(file, "utf8")).has(heading)
  })
}

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "")

/** The anchors of a page, as code hosts and VitePress make them. */
function headings(markdown: string): Set<string> {
  const found = markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    [...found].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[`*$]|[^\p{L}\p{N} _-]/gu, "")
        .trim()
        .replace(/ /g, "-"),
    ),
  )
}
