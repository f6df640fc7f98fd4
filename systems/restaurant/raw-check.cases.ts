/* Whether everything that is stored fits together, found out by plain commands and the
 * document alone: nothing of the toolkit, nothing of the schema. */

type Raw = (...words: (string | number)[]) => Promise<unknown>
type Doc = Readonly<Record<string, unknown>>

const entities = ["user", "role", "permission", "category", "dish", "cart", "cartDetail", "order", "orderDetail"]

/** Entity, field, and the keys that hold its ids for a value of the field; `one`: a string. */
const indexes: readonly { of: string; field: string; keys: readonly string[]; one?: boolean }[] = [
  { of: "user", field: "email", keys: ["user:index:email:*"], one: true },
  { of: "role", field: "name", keys: ["role:index:name:*"], one: true },
  { of: "dish", field: "categoryId", keys: ["category:*:dishes", "dish:index:category:*"] },
  { of: "cart", field: "userId", keys: ["cart:index:user:*", "user:*:cart"], one: true },
  { of: "cartDetail", field: "cartId", keys: ["cart:*:items", "cartDetail:index:cart:*"] },
  { of: "order", field: "userId", keys: ["order:index:user:*", "user:*:orders"] },
  { of: "orderDetail", field: "orderId", keys: ["order:*:details", "orderDetail:index:order:*"] },
]

/** How documents and ids are stored (RST-C9). */
export type Values = "plain" | "jackson"

/** Everything that is wrong, in words. */
export async function violations(plainRaw: Raw, values: Values = "plain"): Promise<string[]> {
  const raw = values === "plain" ? plainRaw : unquoted(plainRaw)
  const wrong: string[] = []
  const docs = new Map<string, Map<string, Doc>>()
  for (const entity of entities) docs.set(entity, await documentsOf(raw, entity, wrong))
  const expected = new Map<string, string[]>()
  const put = (key: string, id: string) => expected.set(key, [...(expected.get(key) ?? []), id])
  for (const { of, field, keys } of indexes)
    for (const [id, doc] of docs.get(of)!)
      if (doc[field] !== null) for (const key of keys) put(key.replace("*", String(doc[field])), id)
  for (const { keys, one } of indexes)
    for (const pattern of keys)
      for (const key of new Set([...(await keysLike(raw, pattern)), ...expected.keys()])) {
        if (!like(pattern, key)) continue
        const found = one ? [await raw("GET", key)] : ((await raw("SMEMBERS", key)) as string[])
        same(wrong, key, found.map(String), expected.get(key) ?? [])
      }
  checkRefs(docs, wrong)
  await checkPayments(raw, docs.get("order")!, wrong)
  return wrong
}

/** Members and single texts without the quotes that Jackson puts around them; one that has none is left out. */
const unquoted =
  (raw: Raw): Raw =>
  async (...words) => {
    const reply = await raw(...words)
    const isText = words[0] === "GET" && !String(words[1]).endsWith(":counter") && typeof reply === "string"
    if (isText && !reply.startsWith("{")) return inside(reply)
    return words[0] === "SMEMBERS" ? (reply as string[]).map(inside) : reply
  }

const inside = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? `no quotes around ${text}`

async function documentsOf(raw: Raw, entity: string, wrong: string[]): Promise<Map<string, Doc>> {
  const found = new Map<string, Doc>()
  for (const key of await keysLike(raw, `${entity}:*`)) {
    const id = key.slice(entity.length + 1)
    if (id === "list" || id === "counter" || id.includes(":")) continue
    const doc = JSON.parse((await raw("GET", key)) as string) as Doc
    if (doc["id"] !== id) wrong.push(`${key} says that it is ${String(doc["id"])}`)
    if ((await raw("TTL", key)) !== -1) wrong.push(`${key} expires`)
    found.set(id, doc)
  }
  same(wrong, `${entity}:list`, (await raw("SMEMBERS", `${entity}:list`)) as string[], [...found.keys()])
  const counter = Number((await raw("GET", `${entity}:counter`)) ?? 0)
  const highest = Math.max(0, ...[...found.keys()].map(Number))
  if (counter < highest) wrong.push(`${entity}:counter is ${counter}, and there is ${highest}`)
  return found
}

function checkRefs(docs: ReadonlyMap<string, Map<string, Doc>>, wrong: string[]): void {
  const sums = new Map<string, number>()
  for (const [id, line] of docs.get("cartDetail")!) {
    if (!docs.get("cart")!.has(String(line["cartId"]))) wrong.push(`cartDetail:${id} has no cart`)
    if (line["total"] !== Number(line["price"]) * Number(line["quantity"])) wrong.push(`cartDetail:${id} adds up wrong`)
  }
  for (const [id, line] of docs.get("orderDetail")!) {
    const order = String(line["orderId"])
    if (!docs.get("order")!.has(order)) wrong.push(`orderDetail:${id} has no order`)
    sums.set(order, (sums.get(order) ?? 0) + Number(line["price"]) * Number(line["quantity"]))
  }
  for (const [id, order] of docs.get("order")!)
    if (sums.get(id) !== order["totalPrice"])
      wrong.push(`order:${id} is ${String(order["totalPrice"])}, not ${sums.get(id)}`)
  for (const [id, dish] of docs.get("dish")!) if (Number(dish["stock"] ?? 0) < 0) wrong.push(`dish:${id} is below zero`)
}

async function checkPayments(raw: Raw, orders: ReadonlyMap<string, Doc>, wrong: string[]): Promise<void> {
  for (const [id, { paymentRef, paymentMethod }] of orders) {
    if ((paymentMethod === "VNPAY") !== (paymentRef !== null)) wrong.push(`order:${id} has the wrong reference`)
    if (paymentRef !== null && (await raw("GET", `order:index:paymentRef:${String(paymentRef)}`)) !== id)
      wrong.push(`order:${id} is not found by ${String(paymentRef)}`)
  }
  for (const key of await keysLike(raw, "order:index:paymentRef:*"))
    if (!orders.has((await raw("GET", key)) as string)) wrong.push(`${key} leads nowhere`)
}

function same(wrong: string[], key: string, found: readonly string[], expected: readonly string[]): void {
  const [have, want] = [[...found].sort().join(","), [...expected].sort().join(",")]
  if (have !== want) wrong.push(`${key} has ${have || "nothing"}, not ${want || "nothing"}`)
}

async function keysLike(raw: Raw, pattern: string): Promise<string[]> {
  const found = new Set<string>()
  let cursor = "0"
  do {
    const [next, keys] = (await raw("SCAN", cursor, "MATCH", pattern, "COUNT", 1000)) as [string, string[]]
    for (const key of keys) if (like(pattern, key)) found.add(key)
    cursor = next
  } while (cursor !== "0")
  return [...found]
}

/** `*` matches anything in a record's pattern, and one segment elsewhere. */
const like = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.replace("*", /^\w+:\*$/.test(pattern) ? ".*" : "[^:]+")}$`).test(key)
