/* Rows of whole numbers, brought over as one text: to make an object of a row costs the
 * driver more than to read it. Both databases join texts in the same words. */

import { sql as raw, type SelectQueryBuilder } from "kysely"
import type { Sql } from "./sequence.ts"

/** What `rows` selects, in the order of its ids; `columns` are its names. */
export async function packedRows<N extends string>(
  sql: Sql,
  // oxlint-disable-next-line typescript/no-explicit-any -- of any tables
  rows: SelectQueryBuilder<any, any, Readonly<Record<N | "id", number>>>,
  columns: readonly (N | "id")[],
): Promise<Record<N | "id", number>[]> {
  const cells = raw.join(
    columns.map((column) => raw.ref(`r.${column}`)),
    raw` || ' ' || `,
  )
  const found = await sql
    .selectFrom(rows.as("r") as never)
    .select(raw<string | null>`string_agg('' || ${cells}, ' ')`.as("text"))
    .executeTakeFirst()
  const all = unpacked((found as { text: string | null } | undefined)?.text ?? "", columns)
  // They arrive in sorted order, though neither database promises it.
  return all.sort((a, b) => a.id - b.id)
}

const SPACE = 32
const ZERO = 48

/** `"1 10 2 20"` → `[{ id: 1, post: 10 }, { id: 2, post: 20 }]` */
function unpacked<N extends string>(text: string, columns: readonly N[]): Record<N, number>[] {
  const rows: Record<N, number>[] = []
  let at = 0
  while (at < text.length) {
    const row = {} as Record<N, number>
    for (const column of columns) {
      let number = 0
      for (let code = text.charCodeAt(at++); code !== SPACE && at <= text.length; code = text.charCodeAt(at++))
        number = number * 10 + (code - ZERO)
      row[column] = number
    }
    rows.push(row)
  }
  return rows
}
