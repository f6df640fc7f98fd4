/* Which channel an id means. A channel may be deleted and its id taken again, by anybody: what
 * happened in the first is not for the members of the second. So each channel has a word of its
 * own, its incarnation, and events are addressed to `id:incarnation`. A channel of before there
 * were incarnations is addressed by its id alone. */

import type { Scope } from "../services/scope.ts"
import { prepared, type Sql } from "./prepared.ts"

/** No id has a colon. */
const addressedAs = (channel: string, incarnation: string | undefined): string =>
  incarnation === undefined ? channel : `${channel}:${incarnation}`

export const channelOf = (address: string): string => address.split(":", 1)[0]!

/** In place of the one that the channel of this id had before. */
export async function startIncarnation(sql: Sql, scope: Scope, channel: string, incarnation: string): Promise<void> {
  const { project, service } = scope
  await sql
    .insertInto("messaging_incarnations")
    .values({ project, service, channel_id: channel, incarnation })
    .onConflict((before) => before.columns(["project", "service", "channel_id"]).doUpdateSet({ incarnation }))
    .execute()
}

const find = prepared((sql, [project, service, ...channels]: readonly string[]) =>
  sql
    .selectFrom("messaging_incarnations")
    .select(["channel_id as channel", "incarnation"])
    .where((is) => is.and([is.and({ project: project!, service: service! }), is("channel_id", "in", channels)])),
)

/** How events of these channels are addressed now. */
export async function addressesNow(
  sql: Sql,
  { project, service }: Scope,
  channels: readonly string[],
): Promise<string[]> {
  const found = await find(sql, [project, service, ...channels])
  const incarnations = new Map(found.map(({ channel, incarnation }) => [channel, incarnation]))
  return channels.map((channel) => addressedAs(channel, incarnations.get(channel)))
}

export const addressNow = async (sql: Sql, scope: Scope, channel: string): Promise<string> =>
  (await addressesNow(sql, scope, [channel]))[0]!
