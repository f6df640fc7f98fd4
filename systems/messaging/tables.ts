/* The messenger's relational source. Everything belongs to a service of a project.
 * `revision` is counted up first in each transaction that changes what belongs to a
 * channel, so that such transactions follow one another; `added` sorts by time. */

import type { CreateTableBuilder, Kysely } from "kysely"
import type { ChannelType } from "./ids.ts"

interface Scoped {
  readonly project: string
  readonly service: string
}
/** SQLite has no booleans. */
type Flag = 0 | 1

export interface MessagingTables {
  /** Users who are being changed: many share a row, and their changes follow one another. */
  readonly messaging_locks: Scoped & { readonly users: string }
  readonly messaging_contacts: Scoped & {
    readonly user_id: string
    readonly contact_id: string
    readonly added: string
  }
  readonly messaging_user_bans: Scoped & {
    readonly user_id: string
    readonly kind: "channel" | "user"
    readonly target_id: string
    readonly added: string
  }
  readonly messaging_channels: Scoped & {
    readonly id: string
    readonly name: string
    readonly description: string
    readonly type: ChannelType
    readonly last_message: string | null
    readonly revision: number
  }
  /** Tells a channel from the one that had its id before. */
  readonly messaging_incarnations: Scoped & { readonly channel_id: string; readonly incarnation: string }
  /** What somebody is in a channel. */
  readonly messaging_members: Scoped & {
    readonly channel_id: string
    readonly user_id: string
    /** The channel has the user among its subscribers. */
    readonly is_subscriber: Flag
    /** The user has the channel among their own. */
    readonly is_listed: Flag
    readonly is_owner: Flag
    readonly is_manager: Flag
    readonly added: string
  }
  readonly messaging_channel_bans: Scoped & {
    readonly channel_id: string
    readonly user_id: string
    readonly added: string
  }
  /** Requests to join and invitations, until they are answered. */
  readonly messaging_invites: Scoped & {
    readonly id: string
    readonly channel_id: string
    readonly invitee: string
    readonly created_by: string
    readonly kind: "join" | "invite"
  }
  readonly messaging_messages: Scoped & {
    readonly id: string
    /** Whose conversation it belongs to: of a channel, or of two people. */
    readonly thread: string
    readonly sender: string
    readonly body: string
    readonly at: string
  }
  /** What happened and was not published yet, as JSON. */
  readonly messaging_outbox: Scoped & { readonly id: string; readonly news: string }
}

type Name = keyof MessagingTables

export async function createTables(sql: Kysely<MessagingTables>): Promise<void> {
  const create = async (
    name: Name,
    key: readonly string[],
    columns: (table: CreateTableBuilder<Name, string>) => CreateTableBuilder<Name, string>,
  ) => {
    const all = ["project", "service", ...key]
    let table: CreateTableBuilder<Name, string> = sql.schema.createTable(name).ifNotExists()
    for (const column of all) table = table.addColumn(column, "text", (it) => it.notNull())
    await columns(table)
      .addPrimaryKeyConstraint(`${name}_key`, all as never)
      .execute()
  }
  const text = (table: CreateTableBuilder<Name, string>, ...names: string[]) =>
    names.reduce((made, name) => made.addColumn(name, "text", (it) => it.notNull()), table)
  const numbers = (table: CreateTableBuilder<Name, string>, ...names: string[]) =>
    names.reduce((made, name) => made.addColumn(name, "integer", (it) => it.notNull().defaultTo(0)), table)
  const index = (name: Name, unique: boolean, ...columns: string[]) => {
    const made = sql.schema
      .createIndex(`${name}_${columns.join("_")}`)
      .ifNotExists()
      .on(name)
    return (unique ? made.unique() : made).columns(["project", "service", ...columns]).execute()
  }

  await create("messaging_locks", ["users"], (table) => table)
  await create("messaging_contacts", ["user_id", "contact_id"], (table) => text(table, "added"))
  await create("messaging_user_bans", ["user_id", "kind", "target_id"], (table) => text(table, "added"))
  await create("messaging_channels", ["id"], (table) =>
    numbers(text(table, "name", "description", "type").addColumn("last_message", "text"), "revision"),
  )
  await create("messaging_incarnations", ["channel_id"], (table) => text(table, "incarnation"))
  await create("messaging_members", ["channel_id", "user_id"], (table) =>
    numbers(text(table, "added"), "is_subscriber", "is_listed", "is_owner", "is_manager"),
  )
  await index("messaging_members", false, "user_id")
  await create("messaging_channel_bans", ["channel_id", "user_id"], (table) => text(table, "added"))
  await create("messaging_invites", ["id"], (table) => text(table, "channel_id", "invitee", "created_by", "kind"))
  await index("messaging_invites", true, "channel_id", "invitee")
  await index("messaging_invites", false, "invitee")
  await index("messaging_invites", false, "created_by")
  await create("messaging_messages", ["id"], (table) => text(table, "thread", "sender", "body", "at"))
  await index("messaging_messages", false, "thread", "id")
  await create("messaging_outbox", ["id"], (table) => text(table, "news"))
}
