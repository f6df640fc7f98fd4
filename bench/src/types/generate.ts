/* A keyspace of many keys as source text: all kinds, groups, entities and rules.
 * What the compiler makes of it is what users wait for in their editors. */

/** The source of a keyspace of `count` definitions, a multiple of ten, and of code that uses it. */
export function keyspaceSource(count: number): string {
  const groups = Array.from({ length: count / 10 }, (_, i) => groupSource(i))
  return `import {
  bitmap, connect, counter, day, entity, float, hash, id, int, keyspace, list, map, oneOf, optional, refersTo, sameIds, scope, set,
  stream, string, text, zset,
} from "keywright"

const user = id("user")

export const large = keyspace(
  {
${groups.join("\n")}
  },
  {
    name: "large",
    ttl: "never",
    params: { user },
    invariants: [
      sameIds(user, ["g0.members", "g${groups.length - 1}.members"]),
      refersTo(user, "g${groups.length - 1}.members", "g0.page"),
    ],
  },
)
${useSource(groups.length)}`
}

const groupSource = (group: number): string => `    g${group}: scope("app:{tenant}:g${group}:", {
      page: string("page:{user}", text, { ttl: "5m", doc: "a text" }),
      views: counter("views:{day}", { params: { day } }),
      profile: hash("profile:{user}:{item}", { name: text, age: int, note: optional(text), at: day }),
      prices: map("prices:{user}", id("item"), float),
      recent: list("recent:{user}", oneOf("a", "b", "c"), { keep: 100 }),
      members: set("members:{tag}:all", user),
      ranks: zset("ranks:{{user}}:{item}", id("item"), { params: { item: id("item", int) } }),
      events: stream("events:{user}", { type: oneOf("in", "out"), amount: int }, { keep: 1000 }),
      seen: bitmap("seen:{day}", { params: { day } }),
      order: entity(
        "order:{id}",
        { id: text, userId: text, ref: text, total: int },
        { unique: { ref: "order:index:ref:{ref}" }, index: { user: "order:index:user:{userId}" } },
      ),
    }),`

/** A client on the keyspace, used in every tenth group: plain keys, a bound scope, an entity, a transaction. */
const useSource = (groups: number): string => `
export async function use(): Promise<unknown[]> {
  const db = await connect(large, "memory:")
  const told: unknown[] = []
${Array.from({ length: Math.ceil(groups / 10) }, (_, i) => useOf(i * 10)).join("")}  return told
}
`

const useOf = (group: number): string => `  {
    const here = db.g${group}({ tenant: "t" })
    told.push(await here.page({ user: "u" }).get(), (await here.profile({ user: "u", item: "i" }).get())?.age)
    told.push(await db.g${group}.ranks({ tenant: "t", user: "u", item: 1 }).range(0, 9))
    told.push(await here.order.find("ref", { ref: "r" }), await here.order.list("user", { userId: "u" }))
    told.push(await db.$multi((m) => [m.g${group}.views({ tenant: "t", day: "2024-01-01" }).increment()]))
  }
`
