/* Rows of a source by the values of some of their columns: what systems do with most of their tables. */

import type { Kysely } from "kysely"

type Name<T> = keyof T & string
type Row = Record<string, unknown>

/** Types are checked where a function is called; Kysely's own would not be inferred for any table. */
const inAny = <T>(sql: Kysely<T>) => sql as unknown as Kysely<{ any: Row }>
const any = (table: string) => table as "any"

/** False when there is one with the same key, which stays as it is. */
export async function insertNew<T, N extends Name<T>>(sql: Kysely<T>, table: N, row: T[N]): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await inAny(sql)
    .insertInto(any(table))
    .values(row as Row)
    .onConflict((known) => known.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** False when there was none. */
export async function updateRows<T, N extends Name<T>>(
  sql: Kysely<T>,
  table: N,
  where: Partial<T[N]>,
  values: Partial<T[N]>,
): Promise<boolean> {
  const { numUpdatedRows } = await inAny(sql)
    .updateTable(any(table))
    .set(values as Row)
    .where((is) => is.and(where as Row))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** False when there was none. */
export async function deleteRows<T, N extends Name<T>>(
  sql: Kysely<T>,
  table: N,
  where: Partial<T[N]>,
): Promise<boolean> {
  const { numDeletedRows } = await inAny(sql)
    .deleteFrom(any(table))
    .where((is) => is.and(where as Row))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function hasRows<T, N extends Name<T>>(sql: Kysely<T>, table: N, where: Partial<T[N]>): Promise<boolean> {
  const rows = inAny(sql)
    .selectFrom(any(table))
    .select((is) => is.lit(1).as("one"))
  const found = await rows
    .where((is) => is.and(where as Row))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function countRows<T, N extends Name<T>>(sql: Kysely<T>, table: N, where: Partial<T[N]>): Promise<number> {
  const { count } = await inAny(sql)
    .selectFrom(any(table))
    .select((it) => it.fn.countAll().as("count"))
    .where((is) => is.and(where as Row))
    .executeTakeFirstOrThrow()
  return Number(count)
}
