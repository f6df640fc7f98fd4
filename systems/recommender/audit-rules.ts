/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { AuditRule } from "keywright/operate"

interface Pooled {
  readonly member: number
}

/** The posts of a pool are of its category (REC-K3): by their challenge, as long as that is going on. */
const categoryOfPost = (base: number): AuditRule<readonly Pooled[]> => ({
  code: "POOL.CATEGORY",
  of: "recentPosts",
  async check(posts, { params, lookUp }) {
    const category = Number(params["suffix"]) - base
    const ids = posts.map(({ member }) => member)
    const challenges = await lookUp("challengeOfPost", ids)
    const known = [...new Set(challenges.filter((id): id is {} => id !== undefined))]
    const infos = (await lookUp("challenges", known)) as ({ readonly category: number } | undefined)[]
    const categories = new Map(known.map((id, i) => [id, infos[i]?.category]))
    return ids.flatMap((id, i) => {
      const found = categories.get(challenges[i]!)
      if (found === undefined || found === category) return []
      return [{ place: { member: String(id) }, expected: `a post of category ${category}`, found: `one of ${found}` }]
    })
  },
})

export const auditRules = ({ categoryKeyBase = 1 }: { readonly categoryKeyBase?: number } = {}) =>
  [categoryOfPost(categoryKeyBase)] as readonly AuditRule[]
