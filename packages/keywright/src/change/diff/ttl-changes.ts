/* When a key goes away: later, sooner, never, or moved by other events. A reader suffers from a
 * key that goes sooner than its schema promises; an old writer does harm by leaving one that
 * goes at another time than the new schema says. */

import { fromMs } from "../../schema/duration.ts"
import type { Key } from "../../schema/key.ts"
import type { TtlRule } from "../../schema/ttl.ts"
import type { FoundChange } from "./change.ts"

export function ttlChanges(before: Key, after: Key, path: string): FoundChange[] {
  const what = `${ttlText(before.ttl)} → ${ttlText(after.ttl)}`
  if (ttlText(before.ttl) === ttlText(after.ttl)) return []
  // An undecided TTL means that keys stay: the same as never, except for what audit reports.
  const [was, is] = [before.ttl ?? never, after.ttl ?? never]
  const [old, now] = [lifeOf(was), lifeOf(is)]
  const found: FoundChange[] = []
  if (old.shortest !== now.shortest || old.longest !== now.longest)
    found.push({ code: lifeCode(old, now), path, what, ...lifeVerdicts(old, now) })
  const [moved, moves] = [movesOf(was), movesOf(is)]
  if (moved !== undefined && moves !== undefined && moved !== moves)
    found.push({ code: "TTL.MODE", path, what, ...modeVerdicts(moved, moves) })
  if (found.length > 0) return found
  return [{ code: after.ttl === undefined ? "TTL.UNDECIDED" : "TTL.DECIDED", path, what }]
}

const never: TtlRule = { on: "never" }

/** How long a key lives at least and at most, whatever the writer chooses. */
interface Life {
  readonly shortest: number
  readonly longest: number
}

function lifeOf(rule: TtlRule): Life {
  if (rule.on === "never") return { shortest: Infinity, longest: Infinity }
  if (rule.on === "bound") return { shortest: 0, longest: rule.ms }
  if (rule.on !== "choice") return { shortest: rule.ms, longest: rule.ms }
  const choices = rule.choices.map((choice) => (choice === "never" ? Infinity : choice))
  return { shortest: Math.min(...choices), longest: Math.max(...choices) }
}

function lifeCode(old: Life, now: Life): FoundChange["code"] {
  if (old.longest === Infinity && now.longest !== Infinity) return "TTL.ADDED"
  if (old.longest !== Infinity && now.longest === Infinity) return "TTL.REMOVED"
  const isShorter = now.longest === old.longest ? now.shortest < old.shortest : now.longest < old.longest
  return isShorter ? "TTL.SHORTENED" : "TTL.LENGTHENED"
}

const lifeVerdicts = (old: Life, now: Life): Partial<FoundChange> => ({
  oldReader: now.shortest < old.shortest ? "silent" : "works",
  newReader: old.shortest < now.shortest ? "silent" : "works",
  oldWriter: old.shortest < now.shortest || old.longest > now.longest ? "silent" : "works",
  newWriter: "works",
  // Keys that live too long are shortened, and those that must not end any more are kept; a choice more needs neither.
  ...(old.longest > now.longest || (now.shortest === Infinity && old.shortest < Infinity) ? {} : { data: "nothing" }),
})

/** Which events move the deadline: 0 none, 1 writes, 2 reads too. Where the writer chooses, nobody relies on any. */
function movesOf({ on }: TtlRule): number | undefined {
  return on === "creation" ? 0 : on === "write" ? 1 : on === "access" ? 2 : undefined
}

const modeVerdicts = (old: number, now: number): Partial<FoundChange> => ({
  oldReader: now < old ? "silent" : "works",
  newReader: old < now ? "silent" : "works",
  oldWriter: "silent",
  newWriter: "works",
})

function ttlText(rule: TtlRule | undefined): string {
  if (rule === undefined) return "undecided"
  if (rule.on === "never") return "never"
  if (rule.on === "choice") return rule.choices.map((ms) => (ms === "never" ? ms : fromMs(ms))).join(" or ")
  const duration = fromMs(rule.ms)
  if (rule.on === "write") return duration
  return rule.on === "access"
    ? `sliding ${duration}`
    : rule.on === "creation"
      ? `fixed ${duration}`
      : `up to ${duration}`
}
