/* What `npm test` says last: which programs were missing and what was skipped
 * for that, and the line that tools read, `N passed, N failed, N skipped`. */

/** Counts tests; a file that could not be loaded and an error outside of any test count as failures. */
export class Count {
  passed = 0
  failed = 0
  skipped = 0

  onTestRunEnd(modules, errors) {
    this.failed += errors.length
    for (const module of modules) {
      this.failed += module.errors().length
      for (const suite of module.children.allSuites()) this.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === "passed") this.passed++
        else if (state === "failed") this.failed++
        else this.skipped++
      }
    }
  }

  toString() {
    return `${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`
  }
}

/** The loud part: `log` holds one JSON line per skipped group of tests, as test/needs.ts writes them. */
export function missing(log) {
  const skips = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const lines = []
  for (const program of new Set(skips.map((skip) => skip.program))) {
    const own = skips.filter((skip) => skip.program === program)
    lines.push(`!!! ${program} is not installed: NOT TESTED without it:`)
    for (const file of new Set(own.map((skip) => skip.file))) lines.push(`!!!     ${file}`)
    lines.push(`!!! to get it: ${own[0].install}`)
  }
  if (lines.length === 0) return ""
  const rule = "!".repeat(72)
  return [rule, ...lines, rule].join("\n")
}
