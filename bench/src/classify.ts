/* Which of fifty patterns owns a key: the classifier against regexes.
 *
 * Both sides find the pattern and where its parameters are, for a million keys of
 * all patterns and some of none. The regexes are tried one after another, and in
 * buckets by the text before the first separator. */

import { classifier, type Classifier } from "keywright"
import { fifty, regexOf, someKeys } from "./classify/patterns.ts"
import type { Bench, Comparison } from "./harness.ts"

interface Rule {
  readonly index: number
  readonly regex: RegExp
}

/** Key → row, found with regexes; -1 when there is none. Leaves the groups in `last`. */
type Match = (key: string) => number
const last: { found: RegExpExecArray | null } = { found: null }

export default async function (bench: Bench): Promise<void> {
  const keys = someKeys(1_000_000)
  const generated = classifier(fifty.keys)
  const walked = classifier(fifty.keys, { codegen: false })
  // The more literal first: the first that matches is the owner.
  const rules = fifty.keys
    .map(({ pattern, rivals }, index): Rule & { rivals: number } => ({
      index,
      regex: regexOf(pattern),
      rivals: rivals.length,
    }))
    .sort((a, b) => a.rivals - b.rivals)
  const inTurn = firstOf(rules)
  const inBuckets = bucketed(rules)
  for (const key of keys) agree(key, inTurn, inBuckets, generated, walked)

  const regexes = (match: Match): Comparison["theirs"] => ({
    loop(n) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        const row = match(keys[i % keys.length]!)
        if (row >= 0) sum += row + last.found!.length
      }
      return sum
    },
  })
  const ours = ({ classify, spans }: Classifier): Comparison["ours"] => ({
    loop(n) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        const row = classify(keys[i % keys.length]!)
        if (row >= 0) sum += row + spans[1]!
      }
      return sum
    },
  })
  const compare = (name: string, one: Classifier, other: Match, goal?: Comparison["goal"]) =>
    bench.compare({ name, ours: ours(one), theirs: regexes(other), ...(goal && { goal }) })

  await compare("classify, against regexes in turn", generated, inTurn, ">=4")
  await compare("classify, no generated code, against regexes in turn", walked, inTurn, ">=3")
  await compare("classify, against regexes in buckets", generated, inBuckets, ">=1.2")
  await compare("classify, no generated code, against regexes in buckets", walked, inBuckets)
}

const firstOf =
  (rules: readonly Rule[]): Match =>
  (key) => {
    for (let i = 0; i < rules.length; i++) {
      const found = rules[i]!.regex.exec(key)
      if (found === null) continue
      last.found = found
      return rules[i]!.index
    }
    return -1
  }

/** By the text before the first ":"; keys without one are a bucket of their own. */
function bucketed(rules: readonly Rule[]): Match {
  const buckets = new Map<string, Rule[]>()
  for (const rule of rules) {
    const { pattern } = fifty.keys[rule.index]!
    const bucket = pattern.includes(":") ? pattern.slice(0, pattern.indexOf(":")) : ""
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), rule])
  }
  const matches = new Map([...buckets].map(([bucket, some]) => [bucket, firstOf(some)]))
  return (key) => {
    const colon = key.indexOf(":")
    return matches.get(colon < 0 ? "" : key.slice(0, colon))?.(key) ?? -1
  }
}

function agree(key: string, inTurn: Match, inBuckets: Match, ...classifiers: Classifier[]): void {
  const [expected, ...others] = [
    ...[inTurn, inBuckets].map((match) => answer(match(key), () => last.found!.slice(1))),
    ...classifiers.map(({ classify, keys, spans }) => {
      const row = classify(key)
      return answer(row, () => Object.keys(keys[row]!.params).map((_, i) => key.slice(spans[2 * i], spans[2 * i + 1])))
    }),
  ]
  const other = others.find((each) => each !== expected)
  if (other !== undefined) throw new Error(`no agreement on ${key}: ${expected} and ${other}`)
}

const answer = (row: number, params: () => readonly string[]): string =>
  row < 0 ? "none" : `${row} ${params().join(" ")}`
