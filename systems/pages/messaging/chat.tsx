import { useEffect, useRef } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { SmallForm } from "../parts/small-form.tsx"
import { ActButton } from "../parts/act-button.tsx"
import type { Person } from "./person.ts"

/** What was said, and a field to say more. */
export function Chat({ person }: { readonly person: Person }) {
  const list = useRef<HTMLOListElement>(null)
  const { id, kind } = person.talk.value
  const count = person.messages.value.length
  useEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [id, count, person.messages.value.at(-1)?.id])
  const name = kind === "channel" ? (person.channels.value.find((one) => one.id === id)?.name ?? id) : id
  return (
    <div class="chat">
      <div class="chat-head">
        <h3 class="cut">
          {kind === "channel" ? "# " : ""}
          <ShownText text={name} />
        </h3>
        {kind === "channel" && person.managed.value ? <Manage person={person} channel={id} /> : null}
      </div>
      <ol class="messages" ref={list} tabIndex={0} aria-label={`Messages of ${person.id}`}>
        {count === 0 ? <li class="quiet small">No messages yet.</li> : null}
        {person.messages.value.map(({ id: key, from, body, at }) => (
          <li key={key} class={from === person.id ? "own" : ""}>
            <span class="quiet small">
              <ShownText text={from} /> · {timeOf(at)}
            </span>
            <p>
              <ShownText text={body} lines />
            </p>
          </li>
        ))}
      </ol>
      <SmallForm label={`Message of ${person.id}`} placeholder="Say something" button="Send" onSubmit={person.say} />
    </div>
  )
}

const timeOf = (at: string): string => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })

/** For managers: who may come in, and who has to go. Closed at first: a ban is one click. */
function Manage({ person, channel }: { readonly person: Person; readonly channel: string }) {
  const others = person.members.value.filter((one) => one !== person.id)
  return (
    <details class="manage">
      <summary>Invite or ban</summary>
      <SmallForm
        label={`Invite to ${channel}, by ${person.id}`}
        placeholder="Invite somebody"
        button="Invite"
        onSubmit={(user) => person.invite(channel, user)}
      />
      {others.slice(0, 8).map((one) => (
        <ActButton key={one} class="button small danger" onAct={() => person.ban(channel, one)}>
          Ban <ShownText text={one} />
        </ActButton>
      ))}
    </details>
  )
}
