/* SCAN's MATCH, for where there is no server: `*`, `?`, `[a-c]`, `[^a]`, `\` before any of these. */

/** One byte that fits, or any number of them. */
type Token = ((byte: number) => boolean) | "*"

export function globMatcher(glob: string): (key: Uint8Array) => boolean {
  const tokens = tokensOf(Buffer.from(glob))
  return (key) => {
    let [at, token] = [0, 0]
    // Where to continue when what follows the last star does not fit: earlier stars never have to be looked at again.
    let [star, from] = [-1, 0]
    while (at < key.length) {
      const wanted = tokens[token]
      if (wanted === "*") [star, from] = [token++, at]
      else if (wanted?.(key[at]!) === true) {
        at++
        token++
      } else if (star < 0) return false
      else [at, token] = [++from, star + 1]
    }
    while (tokens[token] === "*") token++
    return token === tokens.length
  }
}

function tokensOf(glob: Uint8Array): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i]!
    if (char === STAR) tokens.push("*")
    else if (char === QUESTION_MARK) tokens.push(() => true)
    else if (char === OPENING) {
      const { fits, end } = setOf(glob, i + 1)
      tokens.push(fits)
      i = end
    } else {
      const literal = char === BACKSLASH && i + 1 < glob.length ? glob[++i]! : char
      tokens.push((byte) => byte === literal)
    }
  }
  return tokens
}

const codes = [..."*?[]-^\\"].map((char) => char.charCodeAt(0)) as number[] & { readonly length: 7 }
const [STAR, QUESTION_MARK, OPENING, CLOSING, DASH, CARET, BACKSLASH] = codes

/** What is between brackets, as the server reads it: without a closing one, up to the end. */
function setOf(glob: Uint8Array, start: number): { readonly fits: (byte: number) => boolean; readonly end: number } {
  const isNot = glob[start] === CARET
  const allowed = new Set<number>()
  let at = isNot ? start + 1 : start
  for (; at < glob.length && glob[at] !== CLOSING; at++) {
    const first = glob[at]!
    if (first === BACKSLASH && at + 1 < glob.length) allowed.add(glob[++at]!)
    else if (glob[at + 1] === DASH && at + 2 < glob.length) {
      const [low, high] = [Math.min(first, glob[at + 2]!), Math.max(first, glob[at + 2]!)]
      for (let byte = low; byte <= high; byte++) allowed.add(byte)
      at += 2
    } else allowed.add(first)
  }
  return { fits: (byte) => allowed.has(byte) !== isNot, end: at }
}
