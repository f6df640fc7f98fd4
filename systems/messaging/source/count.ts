/* How many of something there are. */

import type { Scope } from "../services/scope.ts"
import type { MessagingTables } from "../tables.ts"
import type { Sql } from "./prepared.ts"

/** By which columns, all of which an index begins with. */
export interface Countable {
  readonly messaging_contacts: Pick<MessagingTables["messaging_contacts"], "user_id">
  readonly messaging_members: Pick<MessagingTables["messaging_members"], "user_id">
  readonly messaging_user_bans: Pick<MessagingTables["messaging_user_bans"], "user_id" | "kind">
  readonly messaging_channel_bans: Pick<MessagingTables["messaging_channel_bans"], "channel_id">
  readonly messaging_invites: Pick<MessagingTables["messaging_invites"], "created_by">
}

export async function countOf<T extends keyof Countable>(
  sql: Sql,
  { project, service }: Scope,
  table: T,
  of: Countable[T],
): Promise<number> {
  const { count } = await sql
    .selectFrom(table as keyof Countable)
    .select((it) => it.fn.countAll().as("count"))
    .where((is) => is.and({ project, service, ...of } as never))
    .executeTakeFirstOrThrow()
  return Number(count)
}
