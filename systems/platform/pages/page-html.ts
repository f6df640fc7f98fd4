/* The HTML of a page: its files, and where it is served. Nothing is inline. */

import type { PageParts } from "./page-files.ts"

export const ASSETS = "/-/assets/"

export interface PageHtml {
  readonly title: string
  readonly parts: PageParts
  readonly icon: string | undefined
  /** The prefix of the system's paths: `"/shop"`, or `""` where it is served alone. */
  readonly base: string
  readonly system?: string
}

export function pageHtml({ title, parts, icon, base, system }: PageHtml): string {
  const lines = [
    ...(icon === undefined ? [] : [`<link rel="icon" href="${ASSETS}${icon}" type="image/svg+xml">`]),
    ...parts.styles.map((name) => `<link rel="stylesheet" href="${ASSETS}${name}">`),
    ...parts.scripts.map((name) => `<script src="${ASSETS}${name}"></script>`),
  ]
  return `<!doctype html>
<html lang="en" data-base="${base}"${system === undefined ? "" : ` data-system="${system}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${lines.join("\n")}
</head>
<body><noscript>This page is drawn with JavaScript; please allow it for this address.</noscript></body>
</html>
`
}

const policy = (styles: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Instead of the policy of answers that are not pages. */
export const PAGE_POLICY = policy("'self'")
/** The API explorer styles elements by itself. */
export const EXPLORER_POLICY = policy("'self' 'unsafe-inline'")

/** Whether a request wants a page: its Accept names text/html, and not only a wildcard that would take it. */
export function wantsHtml(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((one) => {
    const [type, ...params] = one.split(";").map((part) => part.trim().toLowerCase())
    return type === "text/html" && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
}
