/* Requests to join and invitations in the source, until they are answered. */

import { deleteRows, insertNew } from "../../platform/rows.ts"
import type { Scope } from "../services/scope.ts"
import type { Sql } from "./prepared.ts"

export interface Invite {
  readonly id: string
  readonly channel: string
  /** Who is to become a subscriber: for a request, the user who asks. */
  readonly invitee: string
  readonly by: string
  readonly kind: "join" | "invite"
}

const columns = ["id", "channel_id as channel", "invitee", "created_by as by", "kind"] as const

/** False when one for the same person is pending. */
export function insertInvite(sql: Sql, { project, service }: Scope, invite: Invite): Promise<boolean> {
  const { id, channel, invitee, by, kind } = invite
  return insertNew(sql, "messaging_invites", {
    project,
    service,
    id,
    channel_id: channel,
    invitee,
    created_by: by,
    kind,
  })
}

export function findInvite(sql: Sql, { project, service }: Scope, id: string): Promise<Invite | undefined> {
  return sql
    .selectFrom("messaging_invites")
    .select(columns)
    .where((is) => is.and({ project, service, id }))
    .executeTakeFirst()
}

/** The pending one of a person in a channel. */
export function pendingInvite(sql: Sql, { project, service }: Scope, channel: string, invitee: string) {
  return sql
    .selectFrom("messaging_invites")
    .select(columns)
    .where((is) => is.and({ project, service, channel_id: channel, invitee }))
    .executeTakeFirst()
}

/** Those for a user, or made by them. */
export function invitesOf(sql: Sql, { project, service }: Scope, user: string): Promise<Invite[]> {
  return sql
    .selectFrom("messaging_invites")
    .select(columns)
    .where((is) =>
      is.and([is.and({ project, service }), is.or([is("invitee", "=", user), is("created_by", "=", user)])]),
    )
    .orderBy("id")
    .execute()
}

/** If several try, exactly one gets true. */
export const takeInvite = (sql: Sql, { project, service }: Scope, id: string): Promise<boolean> =>
  deleteRows(sql, "messaging_invites", { project, service, id })

export const dropInvitesOf = (sql: Sql, { project, service }: Scope, channel: string, invitee: string) =>
  deleteRows(sql, "messaging_invites", { project, service, channel_id: channel, invitee })
