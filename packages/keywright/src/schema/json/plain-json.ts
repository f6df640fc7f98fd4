/* JSON that a terminal can show. */

/** Characters that act on a terminal or on the order of what is read, and that JSON leaves as they are. */
const leftByJson = /[\x7f-\x9f]|\p{Cf}|\p{Zl}|\p{Zp}/gu

/** The same JSON without any character that a terminal would act on. */
export const plainJson = (json: string): string =>
  json.replace(leftByJson, (found) => Array.from({ length: found.length }, (_, i) => escapeOf(found, i)).join(""))

const escapeOf = (text: string, at: number): string => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
