import { escapeHtml } from "./escape-html.ts"

/** One sentence of a doc as HTML: `code` is the only mark. */
export const inlineMarkdown = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>")
