/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { Day, Month } from "keywright"
import type { AuditRule, RuleContext } from "keywright/operate"
import { addDays, localDay } from "../platform/days.ts"
import { isColumnList, VERBS } from "./ids.ts"
import { daysOf } from "./services/calendar.ts"

interface User {
  readonly id?: number
  readonly map_key?: string
  readonly api_calls?: readonly number[]
}

/** An empty one opens nothing, and cannot be sent (CDB-5). */
const mapKey: AuditRule<User> = {
  code: "USER.MAP_KEY",
  of: "users.user",
  check: ({ map_key }) =>
    map_key === "" ? { place: { field: "map_key" }, expected: "an API key", found: "an empty one" } : undefined,
}

/** Tables, tokens and counters are found by it (CDB-3). A database may be several users' (CDB-C16). */
const userId: AuditRule<User> = {
  code: "USER.ID_TWICE",
  of: "users.user",
  async check({ id }, { memory, params, read }) {
    const first = memory.get(id) as string | undefined
    if (id === undefined || first === params["username"]) return undefined
    const other =
      first === undefined ? undefined : ((await read("users.user", { username: first })) as User | undefined)
    if (other?.id === id) return { place: { field: "id" }, expected: "an id of their own", found: `that of ${first}` }
    // The other one was renamed, or is gone.
    memory.set(id, params["username"])
    return undefined
  },
}

/** The last 30 days as they were counted then; there may be more views since (CDB-18). */
const apiCalls = (timeZone: string): AuditRule<User> => {
  const dayAt = localDay(timeZone)
  return {
    code: "USER.API_CALLS",
    of: "users.user",
    async check({ api_calls = [] }, { read, lookUp }) {
      const at = (await read("users.apiCallsAt")) as number | undefined
      if (at === undefined) return undefined
      const today = dayAt(new Date(at * 1000)) as Day
      const views = await lookUp(
        "users.mapViews",
        api_calls.map((_, i) => addDays(today, -i)),
      )
      const tooMany = api_calls.findIndex((calls, i) => calls > ((views[i] as number | undefined) ?? 0))
      if (tooMany < 0) return undefined
      return {
        place: { field: "api_calls" },
        expected: `at most the map views of ${addDays(today, -tooMany)}`,
        found: String(api_calls[tooMany]),
      }
    },
  }
}

/** Columns, with commas between (CDB-C11). */
const infowindow: AuditRule<{ readonly infowindow?: string }> = {
  code: "TABLE.INFOWINDOW",
  of: "tables.table",
  check: ({ infowindow = "" }) =>
    isColumnList(infowindow)
      ? undefined
      : { place: { field: "infowindow" }, expected: "columns separated by commas", found: "one without a name" },
}

/**
 * A counter is the sum of others: each step counts in both. Read before and after the parts, it can neither be more
 * than they are together nor less (CDB-13).
 */
async function sumOf(
  before: number,
  again: string,
  parts: readonly (readonly [entry: string, params: Readonly<Record<string, unknown>>])[],
  { read }: RuleContext,
): Promise<{ readonly sum: number; readonly isOff: boolean }> {
  const counts = await Promise.all(parts.map(([entry, params]) => read(entry, params)))
  const sum = counts.reduce<number>((all, count) => all + ((count as number | undefined) ?? 0), 0)
  const after = ((await read(again)) as number | undefined) ?? before
  /** Times are sums of fractions. */
  const slack = Number.isInteger(before) ? 0 : 1e-6 * Math.max(1, before)
  return { sum, isOff: sum < before - slack || sum > after + slack }
}

/** A user is deleted step by step: the parts may go first. */
const summed = (
  grace: `${number}s`,
  code: AuditRule["code"],
  of: string,
  partsOf: (month: Month) => [string, Readonly<Record<string, unknown>>][],
  what: string,
): AuditRule<number> => ({
  code,
  of,
  grace,
  async check(value, context) {
    const { sum, isOff } = await sumOf(value, of, partsOf(context.params["month"] as Month), context)
    return isOff ? { expected: `the sum of its ${what}, ${sum}`, found: String(value) } : undefined
  },
})

const sums = (grace: `${number}s`) => [
  summed(
    grace,
    "QUERIES.KINDS",
    "threshold.perMonth",
    () => VERBS.map((verb) => ["threshold.verbPerMonth", { verb }]),
    "kinds",
  ),
  summed(
    grace,
    "QUERIES.DAYS",
    "threshold.perMonth",
    (month) => daysOf(month).map((day) => ["threshold.perDay", { day }]),
    "days",
  ),
  summed(
    grace,
    "QUERIES.TIME",
    "threshold.timePerMonth",
    (month) => daysOf(month).map((day) => ["threshold.timePerDay", { day }]),
    "days",
  ),
]

interface Views {
  readonly member: string
  readonly score: number
}

/** For a visualization with up to about a thousand days: of more, the parts are not seen together (CDB-16). */
const total: AuditRule<readonly Views[]> = {
  code: "MAP_VIEWS.TOTAL",
  of: "users.mapViewsOf",
  async check(all, { size }) {
    const found = all.find(({ member }) => member === "total")?.score
    const sum = all.reduce((sum, { member, score }) => (member === "total" ? sum : sum + score), 0)
    if (found === undefined || found === sum || (await size("users.mapViewsOf")) !== all.length) return undefined
    return { place: { member: "total" }, expected: `the sum of its days, ${sum}`, found: String(found) }
  },
}

export const auditRules = ({ timeZone = "UTC", settlesIn = 5 }: { timeZone?: string; settlesIn?: number } = {}) =>
  [mapKey, userId, apiCalls(timeZone), infowindow, ...sums(`${settlesIn}s`), total] as readonly AuditRule[]
