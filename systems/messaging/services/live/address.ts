/* Who is notified of an event, in one word of its entry: `"u:1,2 m:7:0a"` are the users 1 and 2
 * and the managers of channel 7, as long as it is the one of incarnation 0a
 * (../../source/incarnations.ts). No id has a colon, a comma or a space. */

export interface Address {
  readonly users?: readonly string[]
  /** The members of this channel, with its incarnation. */
  readonly channel?: string
  /** The managers and owners of this channel, with its incarnation. */
  readonly managers?: string
  /** Those who have this user as a contact, and the user. */
  readonly about?: string
}

export function addressOf({ users = [], channel, managers, about }: Address): string {
  const parts = [
    users.length > 0 && `u:${users.join(",")}`,
    channel !== undefined && `c:${channel}`,
    managers !== undefined && `m:${managers}`,
    about !== undefined && `p:${about}`,
  ]
  return parts.filter((part) => part !== false).join(" ")
}

export function readAddress(text: string): Address {
  const parts = new Map(text.split(" ").map((part) => [part.slice(0, 2), part.slice(2)]))
  const [users, channel, managers, about] = ["u:", "c:", "m:", "p:"].map((sign) => parts.get(sign))
  return {
    ...(users !== undefined && { users: users.split(",") }),
    ...(channel !== undefined && { channel }),
    ...(managers !== undefined && { managers }),
    ...(about !== undefined && { about }),
  }
}
