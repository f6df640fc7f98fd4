/* What must hold between keys: invariants and relations, with the names that entries have now. */

import type { InvariantRule } from "../../schema/invariant.ts"
import { sameSpec } from "./same-spec.ts"
import type { FoundChange } from "./change.ts"
import type { Renames } from "./match.ts"
import type { SchemaSide } from "./side.ts"

/** `renamed`: the new names of entries that had another. */
export const ruleChanges = (before: SchemaSide, after: SchemaSide, renamed: Renames): FoundChange[] => [
  ...invariantChanges(before, after, renamed),
  ...relationChanges(before, after, renamed),
]

function invariantChanges(before: SchemaSide, after: SchemaSide, renamed: Renames): FoundChange[] {
  const olds = (before.form.invariants ?? []).map((rule) => renameIn(rule, renamed))
  const news = after.form.invariants ?? []
  const left = [...olds]
  const found: FoundChange[] = []
  for (const rule of news) {
    const at = left.findIndex((one) => sameSpec(essence(one), essence(rule)))
    if (at < 0) {
      found.push({ code: "INVARIANT.ADDED", path: pathOf(rule), what: ruleText(rule) })
      continue
    }
    const [one] = left.splice(at, 1)
    const [was, is] = [truthOf(one!), truthOf(rule)]
    if (was !== is) found.push({ code: "INVARIANT.TRUTH", path: pathOf(rule), what: `${was} → ${is}` })
  }
  return [
    ...found,
    ...left.map((rule): FoundChange => ({ code: "INVARIANT.REMOVED", path: pathOf(rule), what: ruleText(rule) })),
  ]
}

/** What identifies a rule: everything but its wording, its grace and its truth; the order of keys does not matter. */
function essence(rule: InvariantRule): object {
  const { doc: _, grace: __, truth: ___, ...bare } = rule as InvariantRule & { truth?: string }
  return "keys" in bare ? { ...bare, keys: [...bare.keys].sort() } : bare
}

const truthOf = (rule: InvariantRule): string | undefined => ("truth" in rule ? rule.truth : undefined)

function namesIn(rule: InvariantRule): string[] {
  if ("keys" in rule) return [...rule.keys]
  const name = (where: unknown): string[] =>
    typeof where === "string"
      ? [where]
      : typeof where === "object" && where !== null
        ? [(where as { key: string }).key]
        : []
  if (rule.kind === "reference") return [...name(rule.from), ...[rule.to].flat().flatMap(name)]
  return rule.kind === "compare" ? [...name(rule.left), ...name(rule.right)] : []
}

const pathOf = (rule: InvariantRule): string => [...namesIn(rule)].sort().join(" + ")

const ruleText = (rule: InvariantRule): string => `${rule.kind}(${namesIn(rule).join(", ")})`

function renameIn(rule: InvariantRule, renamed: Renames): InvariantRule {
  if (renamed.size === 0) return rule
  return JSON.parse(JSON.stringify(rule), (name: string, value: unknown) =>
    typeof value === "string" && name !== "doc" && name !== "place" && name !== "kind" && name !== "id"
      ? (renamed.get(value) ?? value)
      : value,
  ) as InvariantRule
}

// ── relations ──────────────────────────────────────────────────────────────

type Strict = ReadonlyMap<string, string>

function relationChanges(before: SchemaSide, after: SchemaSide, renamed: Renames): FoundChange[] {
  const [olds, news] = [strictIn(before, renamed), strictIn(after, new Map())]
  return [
    ...[...news]
      .filter(([path]) => !olds.has(path))
      .map(([path, what]): FoundChange => ({ code: "RELATION.STRICT", path, what })),
    ...[...olds]
      .filter(([path]) => !news.has(path))
      .map(([path, what]): FoundChange => ({ code: "RELATION.RELAXED", path, what })),
  ]
}

/** Relations whose targets must exist, by entity and what they go by: their own names are not stored. */
function strictIn({ form }: SchemaSide, renamed: Renames): Strict {
  const name = (path: string) => renamed.get(path) ?? path
  return new Map(
    Object.entries(form.relations ?? {}).flatMap(([entity, relations]) =>
      Object.values(relations)
        .filter(({ mayDangle, from, through }) => mayDangle !== true && (from ?? through) !== undefined)
        .map((relation): [string, string] => [
          `${name(entity)}.${relation.from ?? name(relation.through!)}`,
          `refers to ${name((relation.one ?? relation.many)!)}`,
        ]),
    ),
  )
}
