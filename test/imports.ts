/* Reading the imports of a source file: `import … from`, `export … from`,
 * `import "…"` and `import("…")`, each with whether it is of types only and
 * whether it is lazy. Regular expressions suffice because comments and template
 * literals are blanked first; quoted strings stay, they hold the specifiers. */

export interface Import {
  readonly specifier: string
  /** Gone after compiling: `import type`, `export type … from`. */
  readonly typesOnly: boolean
  /** Loaded when it is needed: `import("…")`. */
  readonly lazy: boolean
}

const ignored = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`|("(?:\\.|[^"\\\n])*")|('(?:\\.|[^'\\\n])*')/g
const statement = /(?:^|[;\n])\s*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]*?\sfrom\s*)?["']([^"'\n]+)["']/g
const call = /(?<![\w.$])(typeof\s+)?import\(\s*["']([^"'\n]+)["']/g

export function importsOf(source: string): Import[] {
  const code = source.replace(ignored, (whole, double, single) => ((double ?? single) ? whole : " "))
  const fixed = [...code.matchAll(statement)].map(([, type, specifier]) => ({
    specifier: specifier as string,
    typesOnly: type !== undefined,
    lazy: false,
  }))
  const lazy = [...code.matchAll(call)].map(([, type, specifier]) => ({
    specifier: specifier as string,
    typesOnly: type !== undefined,
    lazy: true,
  }))
  return [...fixed, ...lazy]
}
