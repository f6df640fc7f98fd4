/* Channels in the source: what they are, and who has which role in them. */

import { sql as raw } from "kysely"
import { deleteRows, insertNew, updateRows } from "../../platform/rows.ts"
import type { ChannelType } from "../ids.ts"
import type { Scope } from "../services/scope.ts"
import { startIncarnation } from "./incarnations.ts"
import { channelThread } from "./messages.ts"
import { prepared, type Sql } from "./prepared.ts"
import { NO_ROLES, word } from "./users.ts"
import type { MessagingTables } from "../tables.ts"

export interface ChannelInfo {
  readonly name: string
  readonly description: string
  readonly type: ChannelType
  readonly lastMessage?: string
}

export interface ChannelRecord {
  readonly info: ChannelInfo
  readonly subscribers: string[]
  readonly owners: string[]
  readonly managers: string[]
  readonly banned: string[]
  readonly joinRequests: string[]
  readonly invites: string[]
}

/** For rows that are not members. */
const no = raw.lit<0>(0)
const noRoles = [no.as("is_subscriber"), no.as("is_owner"), no.as("is_manager")] as const

/** A channel as the caches see it; undefined when there is none. */
export async function channelRecord(sql: Sql, scope: Scope, channel: string): Promise<ChannelRecord | undefined> {
  const { project, service } = scope
  const found = await sql
    .selectFrom("messaging_channels")
    .select(["name", "description", "type", "last_message"])
    .where((is) => is.and({ project, service, id: channel }))
    .executeTakeFirst()
  if (!found) return undefined
  const rows = await sql
    .selectFrom("messaging_members")
    .select([word("member").as("field"), "user_id as id", "is_subscriber", "is_owner", "is_manager"])
    .where((is) => is.and({ project, service, channel_id: channel }))
    .unionAll((from) =>
      from
        .selectFrom("messaging_channel_bans")
        .select([word("banned").as("field"), "user_id as id", ...noRoles])
        .where((is) => is.and({ project, service, channel_id: channel })),
    )
    .unionAll((from) =>
      from
        .selectFrom("messaging_invites")
        .select(["kind as field", "id", ...noRoles])
        .where((is) => is.and({ project, service, channel_id: channel })),
    )
    .execute()
  const ids = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).map(({ id }) => id)
  const { name, description, type, last_message } = found
  return {
    info: { name, description, type, ...(last_message !== null && { lastMessage: last_message }) },
    subscribers: ids((row) => row.is_subscriber === 1),
    owners: ids((row) => row.is_owner === 1),
    managers: ids((row) => row.is_manager === 1),
    banned: ids((row) => row.field === "banned"),
    joinRequests: ids((row) => row.field === "join"),
    invites: ids((row) => row.field === "invite"),
  }
}

/** Transactions that begin with the same channel follow one another; false when there is none. */
export async function lockChannel(sql: Sql, { project, service }: Scope, id: string): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable("messaging_channels")
    .set((it) => ({ revision: it("revision", "+", 1) }))
    .where((is) => is.and({ project, service, id }))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What somebody may do in a channel. */
export interface Standing {
  readonly type: ChannelType
  readonly isBanned: boolean
  /** The user has the channel among their own. */
  readonly isListed: boolean
  readonly isManaging: boolean
}

const findStanding = prepared((sql, [project, service, id, user]: readonly string[]) =>
  sql
    .selectFrom("messaging_channels as of")
    .leftJoin("messaging_members as member", (join) =>
      join
        .onRef("member.project", "=", "of.project")
        .onRef("member.service", "=", "of.service")
        .onRef("member.channel_id", "=", "of.id")
        .on("member.user_id", "=", user!),
    )
    .leftJoin("messaging_channel_bans as ban", (join) =>
      join
        .onRef("ban.project", "=", "of.project")
        .onRef("ban.service", "=", "of.service")
        .onRef("ban.channel_id", "=", "of.id")
        .on("ban.user_id", "=", user!),
    )
    .select(["type", "is_subscriber", "is_listed", "is_owner", "is_manager", "ban.user_id as banned"])
    .where((is) => is.and({ "of.project": project!, "of.service": service!, "of.id": id! })),
)

/** One user's standing, however many others there are; undefined when there is no such channel. */
export async function standingIn(
  sql: Sql,
  { project, service }: Scope,
  channel: string,
  user: string,
): Promise<Standing | undefined> {
  const [found] = await findStanding(sql, [project, service, channel, user])
  return (
    found && {
      type: found.type,
      isBanned: found.banned !== null,
      isListed: found.is_subscriber === 1 || found.is_listed === 1,
      isManaging: found.is_owner === 1 || found.is_manager === 1,
    }
  )
}

/** False when the id is taken. */
export async function insertChannel(
  sql: Sql,
  scope: Scope,
  id: string,
  info: ChannelInfo,
  incarnation: string,
): Promise<boolean> {
  const { name, description, type, lastMessage = null } = info
  const { project, service } = scope
  const row = { project, service, id, name, description, type, last_message: lastMessage, revision: 0 }
  const isNew = await insertNew(sql, "messaging_channels", row)
  if (isNew) await startIncarnation(sql, scope, id, incarnation)
  return isNew
}

export async function updateChannel(
  sql: Sql,
  { project, service }: Scope,
  id: string,
  { lastMessage, ...fields }: Partial<ChannelInfo>,
): Promise<void> {
  const values = { ...fields, ...(lastMessage !== undefined && { last_message: lastMessage }) }
  await updateRows(sql, "messaging_channels", { project, service, id }, values)
}

/** With everything that belongs to it: messages too, so that the next channel of that id does not inherit them. */
export async function deleteChannel(sql: Sql, { project, service }: Scope, id: string): Promise<void> {
  const of = { project, service, channel_id: id }
  await deleteRows(sql, "messaging_channels", { project, service, id })
  await deleteRows(sql, "messaging_incarnations", of)
  await deleteRows(sql, "messaging_members", of)
  await deleteRows(sql, "messaging_channel_bans", of)
  await deleteRows(sql, "messaging_invites", of)
  await deleteRows(sql, "messaging_messages", { project, service, thread: channelThread(id) })
}

type Roles = Partial<Pick<MessagingTables["messaging_members"], keyof typeof NO_ROLES>>

/** Sets these roles, and leaves the others. */
export async function setRoles(
  sql: Sql,
  { project, service }: Scope,
  channel: string,
  user: string,
  roles: Roles,
  added: string,
): Promise<void> {
  await sql
    .insertInto("messaging_members")
    .values({ project, service, channel_id: channel, user_id: user, ...NO_ROLES, ...roles, added })
    .onConflict((known) => known.columns(["project", "service", "channel_id", "user_id"]).doUpdateSet(roles))
    .execute()
}

export const SUBSCRIBED: Roles = { is_subscriber: 1, is_listed: 1 }

export async function removeMember(sql: Sql, scope: Scope, channel: string, user: string): Promise<void> {
  const { project, service } = scope
  await deleteRows(sql, "messaging_members", { project, service, channel_id: channel, user_id: user })
}

/** Everybody whom deleting the channel affects: members of any kind, those invited, and those who ask to join. */
export async function peopleOf(sql: Sql, { project, service }: Scope, channel: string): Promise<string[]> {
  const rows = await sql
    .selectFrom("messaging_members")
    .select("user_id as id")
    .where((is) => is.and({ project, service, channel_id: channel }))
    .union((from) =>
      from
        .selectFrom("messaging_invites")
        .select("invitee as id")
        .where((is) => is.and({ project, service, channel_id: channel })),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export async function channelsNamed(
  sql: Sql,
  { project, service }: Scope,
  ids: readonly string[],
): Promise<{ id: string; name: string; type: ChannelType }[]> {
  if (ids.length === 0) return []
  return sql
    .selectFrom("messaging_channels")
    .select(["id", "name", "type"])
    .where((is) => is.and([is.and({ project, service }), is("id", "in", ids)]))
    .orderBy("id")
    .execute()
}

/** False when there was a ban before. */
export const banInChannel = (sql: Sql, { project, service }: Scope, channel: string, user: string, added: string) =>
  insertNew(sql, "messaging_channel_bans", { project, service, channel_id: channel, user_id: user, added })

/** Whether the user was banned. */
export const unbanInChannel = (sql: Sql, { project, service }: Scope, channel: string, user: string) =>
  deleteRows(sql, "messaging_channel_bans", { project, service, channel_id: channel, user_id: user })

export type ChannelRow = ChannelInfo &
  Readonly<Record<"subscribers" | "owners" | "managers" | "banned", readonly string[]>>

/** Replaces a channel that is locked, or makes it; what people say about it stays. */
export async function putChannel(
  sql: Sql,
  scope: Scope,
  id: string,
  given: ChannelRow,
  nextId: () => string,
): Promise<void> {
  const { project, service } = scope
  const { subscribers, owners, managers, banned, ...info } = given
  const { name, description, type, lastMessage = null } = info
  const of = { project, service, channel_id: id }
  if (!(await insertChannel(sql, scope, id, info, nextId()))) {
    const values = { name, description, type, last_message: lastMessage }
    await updateRows(sql, "messaging_channels", { project, service, id }, values)
  }
  await updateRows(sql, "messaging_members", of, { is_subscriber: 0, is_owner: 0, is_manager: 0 })
  await deleteRows(sql, "messaging_members", { ...of, is_listed: 0 })
  for (const user of subscribers) await setRoles(sql, scope, id, user, { is_subscriber: 1 }, nextId())
  for (const user of owners) await setRoles(sql, scope, id, user, { is_owner: 1 }, nextId())
  for (const user of managers) await setRoles(sql, scope, id, user, { is_manager: 1 }, nextId())
  await deleteRows(sql, "messaging_channel_bans", of)
  for (const user of banned) await banInChannel(sql, scope, id, user, nextId())
}
