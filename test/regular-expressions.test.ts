/* Every regular expression of the sources, on texts that are made to be hard for it: long
 * repetitions of what it matches, with an end that it does not. One that backtracks
 * exponentially, or with the third power of the length, does not get through. */

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createContext, Script } from "node:vm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { segmentsOf } from "../packages/keywright/src/inspect/infer/mine/segments.ts"
import { isFull } from "./full.ts"

const root = fileURLToPath(new URL("../", import.meta.url))
const FOLDERS = ["packages/keywright/src", "packages/embedded/src", "systems"]

function* sourcesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name === "node_modules" || name === "dist") continue
    if (statSync(path).isDirectory()) yield* sourcesIn(path)
    else if (/\.(?:ts|tsx|js)$/.test(name) && !/\.(?:test|test-d|cases|d)\.ts$/.test(name)) yield path
  }
}

interface Found {
  readonly at: string
  readonly source: string
  readonly flags: string
}

/** A literal, where an expression may be; and String.raw, which larger ones are put together from. */
const LITERAL =
  /(?:^|[=(,:[!&|?{};]|\breturn|=>)\s*\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm
const RAW = /String\.raw`([^`$]*)`()/g

function expressionsOf(path: string): Found[] {
  const text = readFileSync(path, "utf8")
  return [...text.matchAll(LITERAL), ...text.matchAll(RAW)]
    .map(({ 1: source, 2: flags, index }) => ({
      at: `${path.slice(root.length)}:${text.slice(0, index).split("\n").length}`,
      source: source!,
      flags: flags!,
    }))
    .filter(({ source, flags }) => /[+*]|\{\d+,/.test(source) && isExpression(source, flags))
}

function isExpression(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false // A part of one, or another text.
  }
}

/** What fast-check cannot make texts for: looking around, and classes of Unicode. */
const simplified = (source: string): string =>
  source
    .replace(/\(\?<?[=!](?:[^()\\]|\\.|\[(?:[^\]\\]|\\.)*\]|\([^()]*\))*\)/g, "")
    .replace(/\\p\{[^}]*\}/g, "a-z")
    .replace(/\\[bB]/g, "")

function samplesOf(source: string): string[] {
  for (const form of [source, simplified(source)]) {
    try {
      const made = fc.sample(fc.stringMatching(new RegExp(form.replace(/^\^|\$$/g, ""))), {
        numRuns: isFull ? 30 : 2,
        seed: 7,
      })
      return made.map((text) => text.slice(0, 60))
    } catch {
      continue // Tried in its simpler form, then with what most of them look at.
    }
  }
  return ["a:b-c_d.e", "2001:db8::1", "a@b.c", '"a":1,', "    ", "((((", "aaaa1"]
}

/** A beginning that matches, a part of it very often, and an end that does not match. */
function* attacksFrom(sample: string, times: number): Generator<string> {
  const places = [...new Set([0, sample.length >> 1, sample.length - 2, sample.length - 1])].filter((at) => at >= 0)
  for (const at of places)
    for (const length of [1, 2, 4]) {
      const part = sample.slice(at, at + length)
      if (part !== "") for (const end of ["\u0000", "G!"]) yield sample.slice(0, at) + part.repeat(times) + end
    }
}

const context = createContext({ expression: /x/, texts: [] })
const script = new Script("for (const text of texts) { expression.lastIndex = 0; expression.test(text) }")

function endsWithin({ source, flags }: Found, texts: readonly string[], timeout: number): boolean {
  Object.assign(context, { expression: new RegExp(source, flags), texts })
  try {
    script.runInContext(context, { timeout })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
    return false
  }
}

/** On a busy machine two seconds may be an accident: what is really too hard does not get through in twenty either. */
const PATIENCE_MS = 22_000

/** The first text that it does not get through: all of them are tried at once, and one by one only when that took long. */
function hardText(found: Found, patienceMs = PATIENCE_MS): string | undefined {
  const samples = samplesOf(found.source)
  for (const times of [40, 1500]) {
    const texts = samples.flatMap((sample) => [...attacksFrom(sample, times)])
    if (endsWithin(found, texts, 500)) continue
    const hard = texts.find((text) => !endsWithin(found, [text], patienceMs))
    if (hard !== undefined) return hard.slice(0, 80)
  }
  return undefined
}

const MOST_MS = isFull ? 3_600_000 : 300_000

describe("regular expressions that see data", () => {
  const all = FOLDERS.flatMap((folder) => [...sourcesIn(join(root, folder))]).flatMap(expressionsOf)

  it("are found", () => expect(all.length).toBeGreaterThan(100))

  it(
    "come to an end on every text",
    () => {
      const seen = new Set<string>()
      const hard: string[] = []
      for (const found of all) {
        const name = `${found.source}/${found.flags}`
        if (seen.has(name) || seen.size > 10_000) continue
        seen.add(name)
        const text = hardText(found)
        if (text !== undefined) hard.push(`${found.at}  ${found.source}  ${JSON.stringify(text)}`)
      }
      expect(hard).toEqual([])
    },
    MOST_MS,
  )

  it("would be found if they did not", () => {
    const old = String.raw`(?:[23][0-9a-fA-F]{3}|f[cde][0-9a-fA-F]{2})(?::[0-9a-fA-F]{1,4})+:(?::?[0-9a-fA-F]{1,4})+$`
    for (const source of isFull ? [old, "^(a+)+$", "^(?:a|a)*$"] : [old])
      expect(hardText({ at: "", source, flags: "" }, 500), source).toBeDefined()
  }, 120_000)

  it.each([
    ["2abc:a:", "a", 60],
    ["2abc:a", ":a", 400],
    ["", "a.a@", 200],
    ["", "a.", 450],
    ["x://", "y", 900],
  ])("infer takes %j and many %j apart at once", (head, part, times) => {
    expect(segmentsOf(`${head}${part.repeat(times)}G`).length).toBeGreaterThan(0)
  })

  it("infer still takes an address of IPv6 for one thing", () => {
    for (const address of ["2001:db8:85a3:0:0:8a2e:370:7334", "2001:db8::1", "fd00:1::a:b"])
      expect(segmentsOf(`peer:${address}`).map(({ text }) => text)).toEqual(["peer", address])
  })
})
