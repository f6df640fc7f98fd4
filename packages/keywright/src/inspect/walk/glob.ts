/** SCAN's MATCH, for where there is no server: `*`, `?`, `[a-c]`, `[^a]`, `\` before any of these. */
export function globMatcher(glob: string): (key: Uint8Array) => boolean {
  let source = ""
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i]!
    if (char === "*") source += "[^]*"
    else if (char === "?") source += "[^]"
    else if (char === "[" && glob.indexOf("]", i + 1) > 0) {
      const end = glob.indexOf("]", i + 1)
      source += `[${glob.slice(i + 1, end).replace(/\\/g, "\\\\")}]`
      i = end
    } else source += (char === "\\" && i + 1 < glob.length ? glob[++i]! : char).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
  }
  const pattern = new RegExp(`^${Buffer.from(source).toString("latin1")}$`)
  return (key) => pattern.test(Buffer.from(key).toString("latin1"))
}
