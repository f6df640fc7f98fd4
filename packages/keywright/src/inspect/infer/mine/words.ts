/* Names as a person would choose them: singular, camelCase, short. */

const IRREGULAR = new Map(
  Object.entries({
    people: "person",
    children: "child",
    men: "man",
    women: "woman",
    data: "data",
    news: "news",
    series: "series",
    status: "status",
    address: "address",
    statuses: "status",
    addresses: "address",
    indices: "index",
  }),
)

/** `"categories"` → `"category"` */
export function singular(word: string): string {
  const lower = word.toLowerCase()
  const known = IRREGULAR.get(lower)
  if (known !== undefined) return known
  if (/ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:sses|xes|ches|shes|zzes)$/i.test(word)) return word.slice(0, -2)
  return /[^s]s$/i.test(word) && word.length > 3 && !/(?:us|is)$/i.test(word) ? word.slice(0, -1) : word
}

/** `"recent_posts_for"` → `["recent", "posts", "for"]` */
export const nameWords = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

export function camel(words: readonly string[]): string {
  const joined = words
    .map((word, i) => (/^[A-Z\d]+$/.test(word) && (i === 0 || word.length > 1) ? word.toLowerCase() : word))
    .map((word, i) => (i === 0 ? word[0]!.toLowerCase() + word.slice(1) : word[0]!.toUpperCase() + word.slice(1)))
    .join("")
  const plain = joined.normalize("NFKD").replace(/[^A-Za-z0-9_$]/g, "")
  return /^[A-Za-z_$]/.test(plain) ? plain : plain === "" ? "key" : `k${plain}`
}

const RESERVED = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await arguments eval implements interface package private protected public constructor toString valueOf hasOwnProperty then".split(
    " ",
  ),
)

/** A name that is not taken, and noted. */
export function unique(name: string, taken: Set<string>, more: readonly string[] = []): string {
  const base = RESERVED.has(name) ? `${name}Key` : name
  const candidates = [base, ...more]
  let found = candidates.find((candidate) => !taken.has(candidate) && !RESERVED.has(candidate))
  for (let n = 2; found === undefined; n++) if (!taken.has(`${base}${n}`)) found = `${base}${n}`
  taken.add(found)
  return found
}
