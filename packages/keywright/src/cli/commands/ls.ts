import { databasesOf } from "../../inspect/walk/databases.ts"
import { keyShower } from "../../inspect/model/show-key.ts"
import { walk } from "../../inspect/walk/walk.ts"
import { classifier } from "../../schema/classify/classify.ts"
import { keyFormat } from "../../schema/key-format.ts"
import { type Handler, numberOption } from "../command.ts"
import { schemaFor } from "../schema-for.ts"
import { keyNamed, paramsFrom } from "../named-key.ts"
import { withReader } from "../with-source.ts"

/** Ends the walk when enough was found. */
class Enough extends Error {}

export const run: Handler = async (call) => {
  const { keyspace, url, inference } = await schemaFor(call)
  const [name = "", ...words] = call.args
  const row = keyNamed(keyspace, name)
  const match = keyFormat(row.pattern, row.params).glob(paramsFrom(row, words))
  const limit = numberOption(call, "limit") ?? 1000
  const { classify, keys } = classifier(keyspace.keys, { db: row.db })
  const show = keyShower(row, keyspace.keys)
  const found: string[] = []
  await withReader(call, url, async (driver) => {
    const databases = await databasesOf(keyspace, driver, {})
    const own = databases.filter(({ keys }) => keys.some((key) => key.name === row.name))
    const enough = new AbortController()
    await walk(own, { match, signal: enough.signal }, async (page) => {
      for (const key of page.keys) {
        if (typeof key !== "string" || keys[classify(key)]?.name !== row.name || found.length >= limit) continue
        found.push(show(key))
        if (!call.out.json) call.out.line(found.at(-1)!)
      }
      if (found.length >= limit) enough.abort(new Enough())
    }).catch((error: unknown) => {
      if (!(enough.signal.reason instanceof Enough)) throw error
    })
  })
  if (call.out.json)
    call.out.document({
      schemaVersion: 1,
      name: row.name,
      pattern: row.pattern,
      db: row.db,
      keys: found,
      cut: found.length >= limit,
    })
  else if (found.length >= limit) call.out.note(`only the first ${limit}; --limit shows more`)
  // A pattern that was inferred from a part of the keys may own more than these.
  return (inference?.unreadable.length ?? 0) > 0 ? 4 : 0
}
