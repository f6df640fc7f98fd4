/* How much users may add. Each change of a user or a channel reads all of it again, and the
 * people in it need not exist: a list without a bound would keep the server busy with every
 * further request. What an administrator loads is not limited. It is counted by the
 * transaction that has just added one; others at the same moment may not be seen yet. */

import { conflict } from "../../platform/http/problem.ts"
import { countRows } from "../../platform/rows.ts"
import type { MessagingContext } from "../context.ts"
import type { Sql } from "../source/prepared.ts"
import type { BanKind } from "../source/users.ts"
import type { MessagingTables } from "../tables.ts"
import type { Scope } from "./scope.ts"

export function bounds({ settings }: Pick<MessagingContext, "settings">) {
  const { limits, mostListed, mostPending } = settings
  /** By columns all of which an index begins with. */
  const check = async <T extends keyof MessagingTables>(
    sql: Sql,
    { project, service }: Scope,
    table: T,
    of: Partial<MessagingTables[T]>,
    [most, what]: readonly [number, string],
  ): Promise<void> => {
    if (limits && (await countRows<MessagingTables, T>(sql, table, { project, service, ...of })) > most)
      throw conflict("too_many", `there are ${most} ${what} already, which is the limit`)
  }

  return {
    contacts: (sql: Sql, scope: Scope, user: string) =>
      check(sql, scope, "messaging_contacts", { user_id: user }, [mostListed, `contacts of ${user}`]),
    channels: (sql: Sql, scope: Scope, user: string) =>
      check(sql, scope, "messaging_members", { user_id: user }, [mostListed, `channels of ${user}`]),
    bans: (sql: Sql, scope: Scope, user: string, kind: BanKind) =>
      check(sql, scope, "messaging_user_bans", { user_id: user, kind }, [mostListed, "bans of this kind"]),
    bansOfChannel: (sql: Sql, scope: Scope, channel: string) =>
      check(sql, scope, "messaging_channel_bans", { channel_id: channel }, [mostListed, "bans of this channel"]),
    /** Requests and invitations that somebody made, and nobody has answered. */
    pending: (sql: Sql, scope: Scope, by: string) =>
      check(sql, scope, "messaging_invites", { created_by: by }, [mostPending, "pending invites of yours"]),
  }
}

export type Bounds = ReturnType<typeof bounds>
