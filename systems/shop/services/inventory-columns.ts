/* A row as an object, and as columns of the table: the three that every row of a shop
 * has, where they are of the column's type, and the rest together as JSON. */

import type { ShopTables } from "../tables.ts"
import type { Row } from "../schema.ts"

type Columns = Omit<ShopTables["shop_inventory"], "id">

export function columnsOf(row: Row): Columns {
  const more: Row = { ...row }
  const take = <T>(column: string, isOfColumn: (value: unknown) => value is T): T | null => {
    const value = Object.hasOwn(row, column) ? row[column] : undefined
    if (!isOfColumn(value)) return null
    delete more[column]
    return value
  }
  const [qty, name, description] = [take("qty", isWhole), take("name", isText), take("description", isText)]
  return { qty, name, description, more: JSON.stringify(more) }
}

export function rowOf({ qty, name, description, more }: Columns): Row {
  return {
    ...(qty !== null && { qty }),
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(JSON.parse(more) as Row),
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
/** PostgreSQL keeps no NUL in a text, and half a surrogate pair is kept by none: JSON writes both as escapes. */
const isText = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\0") && !/\p{Surrogate}/u.test(value)
