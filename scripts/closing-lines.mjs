/* What `npm test` says last: which programs were missing and what was skipped
 * for that, which files passed only the second time, and the line that tools read, `N passed, N failed, N skipped`. */

/** Counts tests by file; a file that could not be loaded and an error outside of any test count as failures. A file that
 * is run again counts as it came out the last time. */
export class Count {
  #files = new Map()

  onTestRunEnd(modules, errors) {
    for (const module of modules) {
      const count = { passed: 0, failed: module.errors().length, skipped: 0 }
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === "passed" || state === "failed" ? state : "skipped"]++
      }
      this.#files.set(module.moduleId, count)
    }
    // A worker names the file that it was running; one that exited left tests that did not end; "" is an error of no file.
    const cutOff = modules.filter(isCutOff).map(({ moduleId }) => moduleId)
    for (const { VITEST_TEST_PATH: named } of errors) {
      const file = named ?? cutOff.shift() ?? ""
      const count = this.#files.get(file) ?? { passed: 0, failed: 0, skipped: 0 }
      this.#files.set(file, { ...count, failed: count.failed + 1 })
    }
  }

  /** The files in which something failed. */
  failedFiles() {
    return [...this.#files].filter(([, count]) => count.failed > 0).map(([file]) => file)
  }

  #sum(state) {
    return [...this.#files.values()].reduce((sum, count) => sum + count[state], 0)
  }

  get passed() {
    return this.#sum("passed")
  }

  get failed() {
    return this.#sum("failed")
  }

  get skipped() {
    return this.#sum("skipped")
  }

  toString() {
    return `${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`
  }
}

const isCutOff = (module) => [...module.children.allTests()].some((test) => test.result().state === "pending")

/** Files that failed beside others and passed alone: somebody has to look at each of them. */
export function unstable(files) {
  if (files.length === 0) return ""
  return loud([
    "UNSTABLE: failed beside other tests, passed alone:",
    ...files.map((file) => `    ${file}`),
    "the first failure is above; find out whether the test or the code is wrong",
  ])
}

function loud(lines) {
  const rule = "!".repeat(72)
  return [rule, ...lines.map((line) => `!!! ${line}`), rule].join("\n")
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
    lines.push(`${program} is not installed: NOT TESTED without it:`)
    for (const file of new Set(own.map((skip) => skip.file))) lines.push(`    ${file}`)
    lines.push(`to get it: ${own[0].install}`)
  }
  return lines.length === 0 ? "" : loud(lines)
}
