/* Rows as JSON, each an object by the names of the columns. A record may have a field that is called as a
 * column of ours, and an object has a name only once: the later one is put in parentheses. */

export function jsonText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const names = distinct(columns)
  const objects = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])))
  return JSON.stringify(objects, undefined, 2)
}

function distinct(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    let name = column
    while (taken.has(name)) name = `(${name})`
    taken.add(name)
    return name
  })
}
