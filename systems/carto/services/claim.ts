import { deleteRow, rowsLike, type Sql } from "../source/users.ts"
import { idTaken, usernameTaken } from "./refusals.ts"
import type { UserRecords } from "./user-records.ts"

/**
 * Makes room for a name and an id in the catalogue: rows whose user is not in Redis, because it was emptied or a
 * creation was not finished, give way; others keep what they have.
 */
export async function claim(
  sql: Sql,
  records: UserRecords,
  username: string,
  id: number | undefined,
  except?: number,
): Promise<void> {
  for (const row of await rowsLike(sql, username, id)) {
    if (row.id === except) continue
    const names = row.renamed_to === null ? [row.username] : [row.username, row.renamed_to]
    const found = await Promise.all(names.map((name) => records.find(name, ["id"])))
    if (found.some((record) => record?.id === row.id))
      throw names.includes(username) || id === undefined ? usernameTaken(username) : idTaken(id)
    await deleteRow(sql, row.id)
  }
}
