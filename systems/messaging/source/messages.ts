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

export interface InThread {
  readonly scope: Scope
  readonly thread: string
  readonly message: Message
}

const COLUMNS = ["project", "service", "thread", "id", "sender", "body", "at"] as const

const insert = prepared((sql, values) => {
  const rows = Array.from({ length: values.length / COLUMNS.length }, (_, row) =>
    Object.fromEntries(COLUMNS.map((name, i) => [name, values[row * COLUMNS.length + i]!])),
  )
  return sql.insertInto("messaging_messages").values(rows as never)
})

export async function insertMessages(sql: Sql, all: readonly InThread[]): Promise<void> {
  const values = all.flatMap(({ scope: { project, service }, thread, message: { id, from, body, at } }) => [
    project,
    service,
    thread,
    id,
    from,
    body,
    at,
  ])
  await insert(sql, values)
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
