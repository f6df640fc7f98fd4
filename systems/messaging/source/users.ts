/* Users in the source: contacts, own channels, and whom they banned. */

import { type ExpressionBuilder, PostgresAdapter, sql as raw } from "kysely"
import { lockRows } from "../../platform/lock-rows.ts"
import { deleteRows, hasRows, insertNew, updateRows } from "../../platform/rows.ts"
import type { Scope } from "../services/scope.ts"
import type { MessagingTables } from "../tables.ts"
import { prepared, type Sql } from "./prepared.ts"

/** A text that is part of the statement itself: never user input. */
export const word = (text: string) => raw.lit(text)

export const NO_ROLES = { is_subscriber: 0, is_listed: 0, is_owner: 0, is_manager: 0 } as const

export interface UserRecord {
  contacts: string[]
  channels: string[]
  bannedChannels: string[]
  bannedSubscribers: string[]
  invites: string[]
  joinRequests: string[]
}

/** A user as the caches see them, in one statement; an unknown user has nothing. */
export async function userRecord(sql: Sql, { project, service }: Scope, user: string): Promise<UserRecord> {
  const rows = await sql
    .selectFrom("messaging_contacts")
    .select([word("contacts").as("field"), "contact_id as id", "added"])
    .where((is) => is.and({ project, service, user_id: user }))
    .unionAll((from) =>
      from
        .selectFrom("messaging_members")
        .select([word("channels").as("field"), "channel_id as id", "added"])
        .where((is) =>
          is.and([
            is.and({ project, service, user_id: user }),
            is.or([is("is_subscriber", "=", 1), is("is_listed", "=", 1)]),
          ]),
        ),
    )
    .unionAll((from) =>
      from
        .selectFrom("messaging_user_bans")
        .select([word("bans").as("field"), "target_id as id", "kind as added"])
        .where((is) => is.and({ project, service, user_id: user })),
    )
    .unionAll((from) =>
      from
        .selectFrom("messaging_invites")
        .select([word("invites").as("field"), "id", "kind as added"])
        .where((is) => is.and({ project, service, invitee: user })),
    )
    .execute()
  const ids = (field: string, kind?: string) =>
    rows
      .filter((row) => row.field === field && (kind === undefined || row.added === kind))
      .sort((a, b) => (a.added < b.added ? -1 : 1))
      .map(({ id }) => id)
  return {
    contacts: ids("contacts"),
    channels: ids("channels"),
    bannedChannels: ids("bans", "channel"),
    bannedSubscribers: ids("bans", "user"),
    invites: ids("invites", "invite"),
    joinRequests: ids("invites", "join"),
  }
}

/** Transactions that begin with the same users follow one another. */
export async function lockUsers(sql: Sql, { project, service }: Scope, users: readonly string[]): Promise<void> {
  for (const row of lockRows(users))
    await sql
      .insertInto("messaging_locks")
      .values({ project, service, users: String(row) })
      .onConflict((held) =>
        held
          .columns(["project", "service", "users"])
          .doUpdateSet((locked) => ({ users: locked.ref("excluded.users") })),
      )
      .execute()
}

/** False when it was one before. */
export const addContact = (sql: Sql, { project, service }: Scope, user: string, contact: string, added: string) =>
  insertNew(sql, "messaging_contacts", { project, service, user_id: user, contact_id: contact, added })

/** Both ways: whether they were contacts. */
export async function removeContacts(sql: Sql, { project, service }: Scope, a: string, b: string): Promise<boolean> {
  const { numDeletedRows } = await sql
    .deleteFrom("messaging_contacts")
    .where((is) =>
      is.or([
        is.and({ project, service, user_id: a, contact_id: b }),
        is.and({ project, service, user_id: b, contact_id: a }),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const isContact = (sql: Sql, { project, service }: Scope, user: string, other: string): Promise<boolean> =>
  hasRows(sql, "messaging_contacts", { project, service, user_id: user, contact_id: other })

const banBetween = prepared((sql, [project, service, a, b]: readonly string[]) =>
  sql
    .selectFrom("messaging_user_bans")
    .select("user_id")
    .where((is) =>
      is.or([
        is.and({ project: project!, service: service!, user_id: a!, kind: "user", target_id: b! }),
        is.and({ project: project!, service: service!, user_id: b!, kind: "user", target_id: a! }),
      ]),
    ),
)

/** Whether one of two has banned the other. */
export const isBanBetween = async (sql: Sql, { project, service }: Scope, a: string, b: string): Promise<boolean> =>
  (await banBetween(sql, [project, service, a, b])).length > 0

/** Who writes to whom. */
export interface Pair {
  readonly from: string
  readonly to: string
}

const pairsOf = (words: readonly string[]): Pair[] =>
  words.flatMap((from, i) => (i % 2 === 0 ? [{ from, to: words[i + 1]! }] : []))

type OfContact = ExpressionBuilder<MessagingTables & { of: MessagingTables["messaging_contacts"] }, "of">
type Side = "of.user_id" | "of.contact_id"

/** The ban by one side of a contact of the other. */
const banBy = (contact: OfContact, by: Side, target: Side) =>
  contact
    .selectFrom("messaging_user_bans as ban")
    .select("ban.user_id")
    .where("ban.kind", "=", "user")
    .whereRef("ban.project", "=", "of.project")
    .whereRef("ban.service", "=", "of.service")
    .whereRef("ban.user_id", "=", by)
    .whereRef("ban.target_id", "=", target)

const findWriting = prepared((sql, [project, service, ...words]: readonly string[]) =>
  sql
    .selectFrom("messaging_contacts as of")
    .select(["of.user_id as from", "of.contact_id as to"])
    .where((is) =>
      is.or(
        pairsOf(words).map(({ from, to }) =>
          is.and({ "of.project": project!, "of.service": service!, "of.user_id": from, "of.contact_id": to }),
        ),
      ),
    )
    // Two conditions, each answered by a key: a single one with OR would read all bans of the service.
    .where((is) => is.not(is.exists(banBy(is, "of.user_id", "of.contact_id"))))
    .where((is) => is.not(is.exists(banBy(is, "of.contact_id", "of.user_id"))))
    .$if(sql.getExecutor().adapter instanceof PostgresAdapter, (found) => found.forKeyShare("of")),
)

/**
 * Those of some pairs of whom the second is a contact of the first, and neither has banned the other. Until the
 * transaction is over, they stay so: SQLite has one writer, and PostgreSQL keeps the rows, which bans and removals delete.
 */
export const mayWrite = (sql: Sql, { project, service }: Scope, pairs: readonly Pair[]): Promise<Pair[]> =>
  findWriting(sql, [project, service, ...pairs.flatMap(({ from, to }) => [from, to])])

export type BanKind = MessagingTables["messaging_user_bans"]["kind"]

/** False when there was one before. */
export function addBan(
  sql: Sql,
  { project, service }: Scope,
  user: string,
  kind: BanKind,
  target: string,
  added: string,
): Promise<boolean> {
  return insertNew(sql, "messaging_user_bans", { project, service, user_id: user, kind, target_id: target, added })
}

/** Whether there was one. */
export const removeBan = (sql: Sql, { project, service }: Scope, user: string, kind: BanKind, target: string) =>
  deleteRows(sql, "messaging_user_bans", { project, service, user_id: user, kind, target_id: target })

export type UserRow = {
  readonly [F in "contacts" | "channels" | "bannedChannels" | "bannedSubscribers"]?: readonly string[] | undefined
}

/** Replaces what is given of a user, in the order given. */
export async function putUser(
  sql: Sql,
  scope: Scope,
  user: string,
  given: UserRow,
  nextId: () => string,
): Promise<void> {
  const { project, service } = scope
  await lockUsers(sql, scope, [user])
  if (given.contacts) {
    await deleteRows(sql, "messaging_contacts", { project, service, user_id: user })
    for (const contact of given.contacts) await addContact(sql, scope, user, contact, nextId())
  }
  for (const [kind, targets] of [
    ["channel", given.bannedChannels],
    ["user", given.bannedSubscribers],
  ] as const) {
    if (targets === undefined) continue
    await deleteRows(sql, "messaging_user_bans", { project, service, user_id: user, kind })
    for (const target of targets) await addBan(sql, scope, user, kind, target, nextId())
  }
  if (given.channels) await putOwnChannels(sql, scope, user, given.channels, nextId)
}

/** The channels that a user names; what a channel itself says about the user stays. */
async function putOwnChannels(
  sql: Sql,
  { project, service }: Scope,
  user: string,
  channels: readonly string[],
  nextId: () => string,
): Promise<void> {
  const mine = { project, service, user_id: user }
  await updateRows(sql, "messaging_members", mine, { is_listed: 0 })
  for (const channel of channels) {
    const listed = { is_listed: 1, added: nextId() } as const
    await sql
      .insertInto("messaging_members")
      .values({ ...mine, channel_id: channel, ...NO_ROLES, ...listed })
      .onConflict((known) => known.columns(["project", "service", "channel_id", "user_id"]).doUpdateSet(listed))
      .execute()
  }
  await deleteRows(sql, "messaging_members", { ...mine, ...NO_ROLES })
}
