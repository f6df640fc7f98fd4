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

/** Row and parameters of a key, found with regexes. */
type Match = (key: string) => { readonly index: number; readonly found: RegExpExecArray } | undefined

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
        const match_ = match(keys[i % keys.length]!)
        if (match_ !== undefined) sum += match_.index + match_.found.length
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
      if (found !== null) return { index: rules[i]!.index, found }
    }
    return undefined
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
    return matches.get(colon < 0 ? "" : key.slice(0, colon))?.(key)
  }
}

function agree(key: string, inTurn: Match, inBuckets: Match, ...classifiers: Classifier[]): void {
  const one = inTurn(key)
  const answers = [
    answer(inBuckets(key)?.index ?? -1, inBuckets(key)?.found.slice(1) ?? []),
    ...classifiers.map((each) => {
      const index = each.classify(key)
      const params = index < 0 ? [] : Object.keys(each.keys[index]!.params)
      return answer(
        index,
        params.map((_, i) => key.slice(each.spans[2 * i], each.spans[2 * i + 1])),
      )
    }),
  ]
  const expected = answer(one?.index ?? -1, one?.found.slice(1) ?? [])
  const other = answers.find((each) => each !== expected)
  if (other !== undefined) throw new Error(`no agreement on ${key}: ${expected} and ${other}`)
}

const answer = (index: number, params: readonly string[]): string => `${index} ${params.join(" ")}`
