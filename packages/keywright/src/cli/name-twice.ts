/** The first name that an object of a valid JSON text has twice: JSON.parse takes the last one without a word. */
export function nameTwice(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const names = open.at(-1)
    if (token === "{") open.push(new Set())
    else if (token === "[") open.push(undefined)
    else if (token === "}" || token === "]") open.pop()
    else if (token.startsWith('"') && isName && names) {
      const name = JSON.parse(token) as string
      if (names.has(name)) return name
      names.add(name)
    }
    isName = token === "{" || (token === "," && open.at(-1) !== undefined)
  }
  return undefined
}
