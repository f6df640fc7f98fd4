/* What somebody is in a channel, and what they may see of it (MSG-28). */

import type { ChannelRecord } from "../source/channels.ts"

export type Role = "banned" | "owner" | "manager" | "subscriber" | "outsider"
type People = Pick<ChannelRecord, "subscribers" | "owners" | "managers" | "banned">

export function roleIn({ banned, owners, managers, subscribers }: People, user: string): Role {
  if (banned.includes(user)) return "banned"
  if (owners.includes(user)) return "owner"
  if (managers.includes(user)) return "manager"
  return subscribers.includes(user) ? "subscriber" : "outsider"
}

export const isManaging = (role: Role): boolean => role === "owner" || role === "manager"

export const isLastOwner = ({ owners }: Pick<ChannelRecord, "owners">, user: string): boolean =>
  owners.length === 1 && owners[0] === user

/** Anybody can join a public channel, and so may see who is there. */
export const seesPeople = ({ info }: ChannelRecord, role: Role): boolean =>
  role !== "outsider" || info.type.startsWith("public")

export function viewOf(id: string, record: ChannelRecord, role: Role) {
  const { info, subscribers, owners, managers, banned, joinRequests, invites } = record
  const { name, description, type, lastMessage } = info
  const sorted = (ids: readonly string[]) => ids.toSorted()
  return {
    id,
    name,
    description,
    type,
    ...(role !== "outsider" && lastMessage !== undefined && { lastMessage }),
    ...(seesPeople(record, role) && {
      subscribers: sorted(subscribers),
      owners: sorted(owners),
      managers: sorted(managers),
    }),
    ...(isManaging(role) && {
      banned: sorted(banned),
      joinRequests: sorted(joinRequests),
      invites: sorted(invites),
    }),
  }
}
