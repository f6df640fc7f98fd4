/* What is still to be published: written in the transaction that made it happen, deleted
 * when it has been published. So a crash between the two loses nothing. */

import type { Scope } from "../services/scope.ts"
import { prepared, type Sql } from "./prepared.ts"

const insert = prepared((sql, [project, service, id, news]: readonly string[]) =>
  sql.insertInto("messaging_outbox").values({ project: project!, service: service!, id: id!, news: news! }),
)

export async function noteNews(sql: Sql, { project, service }: Scope, id: string, news: string): Promise<void> {
  await insert(sql, [project, service, id, news])
}

export async function forgetNews(sql: Sql, { project, service }: Scope, ids: readonly string[]): Promise<void> {
  const all = sql.deleteFrom("messaging_outbox").where("id", "in", ids)
  await all.where((is) => is.and({ project, service })).execute()
}

/** The oldest first. */
export async function untoldNews(sql: Sql, limit: number) {
  const rows = await sql.selectFrom("messaging_outbox").selectAll().orderBy("id").limit(limit).execute()
  return rows.map(({ id, project, service, news }) => ({ id, scope: { project, service }, news }))
}
