/* Messages in the source. A thread belongs to a channel, or to two people, whichever of them writes. */

import type { Scope } from "../services/scope.ts"
import { prepared, type Sql } from "./prepared.ts"

export const channelThread = (channel: string): string => `c_${channel}`
/** No id has a slash. */
export const peopleThread = (a: string, b: string): string => (a < b ? `${a}/${b}` : `${b}/${a}`)

export interface Message {
  readonly id: string
  readonly from: string
  readonly body: string
  readonly at: string
}

const insert = prepared((sql, [project, service, thread, id, sender, body, at]: readonly string[]) =>
  sql.insertInto("messaging_messages").values({
    project: project!,
    service: service!,
    id: id!,
    thread: thread!,
    sender: sender!,
    body: body!,
    at: at!,
  }),
)

export async function insertMessage(sql: Sql, scope: Scope, thread: string, message: Message): Promise<void> {
  const { id, from, body, at } = message
  await insert(sql, [scope.project, scope.service, thread, id, from, body, at])
}

/** The newest first, from before the cursor on. */
export function messagesBefore(
  sql: Sql,
  { project, service }: Scope,
  thread: string,
  cursor: string | undefined,
  limit: number,
): Promise<Message[]> {
  return sql
    .selectFrom("messaging_messages")
    .select(["id", "sender as from", "body", "at"])
    .where((is) => is.and({ project, service, thread }))
    .$if(cursor !== undefined, (found) => found.where("id", "<", cursor!))
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
}
