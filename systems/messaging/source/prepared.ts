/* Statements that every message needs are made once: building one costs more than
 * carrying it out. What is kept is its SQL, with places for the values. */

import type { Compilable, CompiledQuery, Kysely } from "kysely"
import type { MessagingTables } from "../tables.ts"

export type Sql = Kysely<MessagingTables>

/** A placeholder for a value while the statement is built: no input looks like this. */
const PLACE = /^\0place (\d+)$/

/** `const find = prepared((sql, [id]) => sql.selectFrom(…).where("id", "=", id!))`, then `await find(sql, [id])`. */
export function prepared<Row>(
  make: (sql: Sql, values: readonly string[]) => Compilable<Row>,
): (sql: Sql, values: readonly string[]) => Promise<Row[]> {
  /** By dialect, since SQLite and PostgreSQL write places differently, and by the number of values. */
  const known = new WeakMap<object, Map<number, (values: readonly string[]) => CompiledQuery<Row>>>()
  const compile = (sql: Sql, count: number) => {
    const places = Array.from({ length: count }, (_, i) => `\0place ${i}`)
    const compiled = make(sql, places).compile()
    const order = compiled.parameters.map((given) => {
      const place = typeof given === "string" ? PLACE.exec(given) : null
      return place === null ? () => given : (values: readonly string[]) => values[Number(place[1])]
    })
    return (values: readonly string[]) => ({ ...compiled, parameters: order.map((value) => value(values)) })
  }
  return async (sql, values) => {
    const { adapter } = sql.getExecutor()
    let statements = known.get(adapter)
    if (statements === undefined) known.set(adapter, (statements = new Map()))
    let statement = statements.get(values.length)
    if (statement === undefined) statements.set(values.length, (statement = compile(sql, values.length)))
    return (await sql.executeQuery(statement(values))).rows
  }
}
