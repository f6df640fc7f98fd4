/* One person in the messenger: their token, what they see, and what they do. Two of them
 * share the page; each has a stream of events, which says when there is something new. */

import { signal } from "@preact/signals"
import { about } from "../state/about.ts"
import { type Ask, call, Refusal } from "../state/call.ts"
import { follow, type Following } from "../state/follow-events.ts"
import { base } from "../state/place.ts"

export interface Status {
  readonly user: string
  readonly behavioral_status: "online" | "idle" | "offline"
  readonly status_message?: string
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly type: string
}

export interface Invite {
  readonly id: string
  readonly channel: string
  readonly invitee: string
  readonly by: string
  readonly kind: "join" | "invite"
}

export interface Message {
  readonly id: string
  readonly from: string
  readonly body: string
  readonly at: string
}

/** Whom one talks to: a person, or a channel. */
export interface Talk {
  readonly kind: "person" | "channel"
  readonly id: string
}

export type Person = ReturnType<typeof personOf>

const MOST_MESSAGES = 30

export function personOf(id: string, accessToken: string, onEnd: (why: string) => void) {
  const [statuses, channels, invites] = [
    signal<readonly Status[]>([]),
    signal<readonly Channel[]>([]),
    signal<readonly Invite[]>([]),
  ]
  const contacts = signal<readonly string[]>([])
  const messages = signal<readonly Message[]>([])
  const talk = signal<Talk>({ kind: "channel", id: "general" })
  const managed = signal(false)
  const members = signal<readonly string[]>([])
  let following: Following | undefined

  const ask = async <T>(request: string, options: Ask = {}): Promise<T> => {
    try {
      return await call<T>(request, { authorization: `Token ${accessToken}`, ...options })
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) leave(`The token of ${id} has ended.`)
      throw error
    }
  }
  const leave = (why: string) => {
    following?.stop()
    onEnd(why)
  }

  const loadTalk = async (title?: string): Promise<void> => {
    const { kind, id: other } = talk.value
    const query = `${kind === "channel" ? "channel" : "subscriber"}=${encodeURIComponent(other)}&limit=${MOST_MESSAGES}`
    try {
      const found = await ask<{ messages: Message[] }>(
        `GET /v1/roc/messages?${query}`,
        title === undefined ? {} : { title },
      )
      messages.value = found.messages.toReversed()
      await loadMembers(kind, other)
    } catch (error) {
      if (!(error instanceof Refusal && (error.status === 403 || error.status === 404))) throw error
      messages.value = []
      managed.value = false
    }
  }
  const loadMembers = async (kind: Talk["kind"], other: string): Promise<void> => {
    if (kind === "person") {
      managed.value = false
      return
    }
    const found = await ask<{ subscribers?: string[]; owners?: string[]; managers?: string[] }>(
      `GET /v1/roc/channels/${encodeURIComponent(other)}`,
    )
    members.value = found.subscribers ?? []
    managed.value = [...(found.owners ?? []), ...(found.managers ?? [])].includes(id)
  }
  const load = async (): Promise<void> => {
    const [status, known, mine, pending] = await Promise.all([
      ask<{ statuses: Status[] }>("GET /v1/roc/status"),
      ask<{ contacts: string[] }>("GET /v1/roc/contacts"),
      ask<{ channels: Channel[] }>("GET /v1/roc/channels"),
      ask<{ invites: Invite[] }>("GET /v1/roc/invites"),
    ])
    statuses.value = status.statuses
    contacts.value = known.contacts
    channels.value = mine.channels
    invites.value = pending.invites
    const { kind, id: other } = talk.value
    const isThere = kind === "person" ? known.contacts.includes(other) : mine.channels.some((one) => one.id === other)
    const first = mine.channels[0]?.id
    if (!isThere && first !== undefined) talk.value = { kind: "channel", id: first }
    await loadTalk()
  }

  /** Several events come at once: one look is enough for all of them. */
  let isWaiting = false
  const loadSoon = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      load().catch(() => undefined)
    }, 60)
  }
  following = follow(`${base}/v1/roc/events`, `Token ${accessToken}`, ({ name, data }) => {
    if (name === "end" && (data as { reason?: string }).reason === "token") leave(`The token of ${id} has ended.`)
    else loadSoon()
  })

  const doing = (request: string, title: string, body?: unknown): Promise<void> =>
    ask(request, { title, ...(body !== undefined && { body }) }).then(() => load())
  const path = encodeURIComponent

  return {
    id,
    statuses,
    contacts,
    channels,
    invites,
    messages,
    talk,
    members,
    managed,
    load,
    stop: () => following?.stop(),
    /** Online from the first moment, as far as the others can see. */
    comeIn: () => doing("POST /v1/roc/status", `${id} is online`, { behavioral_status: "online" }),
    async open(next: Talk) {
      talk.value = next
      await loadTalk(`${id} asked for the messages ${next.kind === "channel" ? "of" : "with"} ${next.id}`)
    },
    say(body: string) {
      const { kind, id: other } = talk.value
      return doing("POST /v1/roc/messages", `${id} wrote to ${other}`, {
        ...(kind === "channel" ? { channel: other } : { receiver: other }),
        body,
      })
    },
    setStatus: (status: Status["behavioral_status"]) =>
      doing("POST /v1/roc/status", `${id} is ${status}`, { behavioral_status: status }),
    addContact: (user: string) => doing("POST /v1/roc/contacts", `${id} added ${user} as a contact`, { user }),
    createChannel: (name: string) =>
      doing("POST /v1/roc/channels", `${id} created the channel ${name}`, { name, type: "private" }),
    invite: (channel: string, invitee: string) =>
      doing("POST /v1/roc/invites", `${id} invited ${invitee} to ${channel}`, { channel, invitee }),
    answer: (invite: string, isYes: boolean) =>
      doing(`PUT /v1/roc/invites/${path(invite)}`, `${id} ${isYes ? "accepted" : "declined"} the invitation`, {
        approve: isYes ? "approved" : "rejected",
      }),
    ban: (channel: string, subscriber: string) =>
      doing(`POST /v1/roc/channels/${path(channel)}/bans`, `${id} banned ${subscriber} from ${channel}`, {
        subscriber,
      }),
    async logOut() {
      await ask("DELETE /v1/auth/token", { title: `${id} logged out` })
      leave("")
    },
  }
}

/** In a demonstration everybody may be anybody: the first token comes from the management, as in the document. */
export async function tokenFor(user: string): Promise<string> {
  const { service, ...team } = about.value!.access!.team
  const issued = await call<{ refreshToken: string }>("POST /v1/saas/tokens", {
    body: { ...team, serviceId: service, service: "roc", user },
    admin: true,
    title: `The management issued a token for ${user}`,
  })
  return exchange(user, issued.refreshToken)
}

export async function exchange(user: string, refreshToken: string): Promise<string> {
  const { accessToken } = await call<{ accessToken: string }>("POST /v1/auth/token", {
    body: { refreshToken },
    title: `${user} exchanged it for an access token`,
  })
  return accessToken
}
