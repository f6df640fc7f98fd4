const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Text that means itself in HTML and SVG, in attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)
