/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { AuditRule, RuleContext } from "keywright/operate"

interface Pooled {
  readonly member: number
}

interface Info {
  readonly category: number
  readonly isPublic: boolean
}

/** What is known of the challenge of each post, as long as that is going on. */
async function infosOf(posts: readonly Pooled[], { lookUp }: RuleContext): Promise<(Info | undefined)[]> {
  const challenges = await lookUp(
    "challengeOfPost",
    posts.map(({ member }) => member),
  )
  const known = [...new Set(challenges.filter((id): id is {} => id !== undefined))]
  const infos = (await lookUp("challenges", known)) as (Info | undefined)[]
  const byId = new Map(known.map((id, i) => [id, infos[i]]))
  return challenges.map((id) => byId.get(id!))
}

/** The posts of a pool are of its category (REC-K3). */
const categoryOfPost = (base: number): AuditRule<readonly Pooled[]> => ({
  code: "POOL.CATEGORY",
  of: "recentPosts",
  async check(posts, context) {
    const category = Number(context.params["suffix"]) - base
    const infos = await infosOf(posts, context)
    return posts.flatMap(({ member }, i) => {
      const found = infos[i]?.category ?? category
      if (found === category) return []
      return [
        { place: { member: String(member) }, expected: `a post of category ${category}`, found: `one of ${found}` },
      ]
    })
  },
})

/** Only posts of public challenges are recommended (REC-C17). */
const publicPosts: AuditRule<readonly Pooled[]> = {
  code: "POOL.PRIVATE",
  of: "recentPosts",
  async check(posts, context) {
    const infos = await infosOf(posts, context)
    const hidden = posts.filter((_, i) => infos[i]?.isPublic === false)
    return hidden.map(({ member }) => ({
      place: { member: String(member) },
      expected: "a post of a public challenge",
      found: "one of a private one",
    }))
  },
}

interface Settings {
  readonly max_post_age?: number
  readonly distinct_category?: number
  readonly day_index?: number
  readonly last_run_date?: string
}

/** A run writes them together (REC-1). */
const RUN = ["max_post_age", "distinct_category", "day_index", "last_run_date"] as const

const parameters: AuditRule<Settings> = {
  code: "RUN.PARAMETERS",
  of: "settings",
  check(settings) {
    const hasRun = settings.day_index !== undefined || settings.last_run_date !== undefined
    const missing = hasRun ? RUN.filter((name) => settings[name] === undefined) : []
    return missing.map((field) => ({ place: { field }, expected: "what every run writes", found: "nothing" }))
  },
}

/** Tables are counted by a run, which has a day (REC-1). */
const counted: AuditRule<unknown> = {
  code: "RUN.UNKNOWN",
  of: "tableSizes",
  async check(_, { read }) {
    const settings = (await read("settings")) as Settings | undefined
    return settings?.day_index === undefined
      ? { expected: "rs_param of the run that has counted", found: "no day_index" }
      : undefined
  },
}

interface Challenge {
  readonly field: number
  readonly value: { readonly finishedDate: string }
}

/** Those that finish on the day of a run are there until its end, and what is read late, too (REC-C15). */
const ongoing = (grace: `${number}s`): AuditRule<readonly Challenge[]> => ({
  code: "CHALLENGE.FINISHED",
  of: "challenges",
  grace,
  async check(all, { read }) {
    const { last_run_date: last = "" } = ((await read("settings")) as Settings | undefined) ?? {}
    return all
      .filter(({ value }) => value.finishedDate < last)
      .map(({ field, value }) => ({
        place: { field: String(field) },
        expected: `a challenge that was still running on ${last}`,
        found: `one that ended on ${value.finishedDate}`,
      }))
  },
})

interface RuleSettings {
  readonly categoryKeyBase?: number
  /** Seconds until a run has taken out what has finished. */
  readonly settlesIn?: number
}

export const auditRules = ({ categoryKeyBase = 1, settlesIn = 5 }: RuleSettings = {}) =>
  [categoryOfPost(categoryKeyBase), publicPosts, parameters, counted, ongoing(`${settlesIn}s`)] as readonly AuditRule[]
