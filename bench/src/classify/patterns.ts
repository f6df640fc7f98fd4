/* Fifty patterns as in five real keyspaces (a shop, a messaging service, a mapping
 * service, a recommender, a restaurant), and keys of them. The regexes are those
 * that one would write by hand: anchored, with groups, the literal ones first. */

import { day, id, int, keyspace, month, oneOf, set, type Keyspace } from "keywright"

const codecs = {
  day,
  month,
  verb: oneOf("select", "insert", "update"),
  suffix: int,
  user: id("user", { matching: /[0-9a-f]+/ }),
}

const patterns = `
login: recent: viewed: viewed:{token} cart:{token} inv:{row} delay: schedule: cache:{hash}
TokensKeys P:{project}:PGSK P:{project}:PAPC
P:{project}:S:{service}:OnSub P:{project}:S:{service}:St:{user} P:{project}:S:{service}:C:{user}
P:{project}:S:{service}:Ch:{channel} P:{project}:S:{service}:Ch:{channel}:Sub P:{project}:S:{service}:Ch:{channel}:Own
P:{project}:S:{service}:Sub:{user}:C P:{project}:S:{service}:Sub:{user}:Inv
P:{project}:S:{service}:RefTok:{token} P:{project}:S:{service}:AccTok:{token}
rails:users:{user}:queries:total rails:users:{user}:queries:{day} rails:users:{user}:queries:{month}
rails:users:{user}:queries:{month}:time rails:users:{user}:queries:{month}:{verb}
rails:oauth_tokens:{token} rails:{database}:{table} log-{day} maps:{name}:mapviews:global maps:{name}:mapviews:stat_tag:{tag}
rs_param db_len recent_posts_for_category{suffix} post_clg_pair {user}_liked_posts {user}_clgs_preference
user:list user:counter user:index:email:{email} user:{id} user:{userId}:cart user:{userId}:orders
dish:list dish:index:category:{categoryId} dish:{id} order:index:paymentRef:{paymentRef} order:{id} order:{orderId}:details
`
  .trim()
  .split(/\s+/)

export const fifty: Keyspace = keyspace(
  Object.fromEntries(patterns.map((pattern, i) => [`k${i}`, set(pattern as "a", id("member"))])),
  { params: codecs },
)

const groups: Readonly<Record<string, string>> = {
  day: "(\\d{4}-\\d{2}-\\d{2})",
  month: "(\\d{4}-\\d{2})",
  verb: "(select|insert|update)",
  suffix: "(-?\\d+)",
  user: "([0-9a-f]+)",
}

/** `viewed:{token}` → `/^viewed:([^:]+)$/` */
export const regexOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? "([^:]+)")}$`)

/** Numbers that look like chance and are the same every time. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const unknown = ["lock:{token}", "user:{id}:cart:{token}", "session_{token}", "P:{project}:X:{id}", "rails:users"]

/** Keys of all patterns by turns of chance, one of twenty of none, as they come from a server: flat texts. */
export function someKeys(count: number): string[] {
  const pick = chance(1)
  const hex = (length: number) => Array.from({ length }, () => pick(16).toString(16)).join("")
  const two = (below: number) => String(1 + pick(below)).padStart(2, "0")
  const values: Readonly<Record<string, () => string>> = {
    token: () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    hash: () => hex(16),
    email: () => `${hex(6)}@example.com`,
    day: () => `20${two(20)}-${two(12)}-${two(28)}`,
    month: () => `20${two(20)}-${two(12)}`,
    verb: () => ["select", "insert", "update"][pick(3)]!,
    suffix: () => String(pick(400)),
    user: () => hex(6),
  }
  const value = (_: string, name: string) => values[name]?.() ?? String(pick(1_000_000))
  return Array.from({ length: count }, () => {
    const [from] = [pick(20) === 0 ? unknown : patterns]
    return Buffer.from(from[pick(from.length)]!.replace(/\{(\w+)\}/g, value)).toString("latin1")
  })
}
