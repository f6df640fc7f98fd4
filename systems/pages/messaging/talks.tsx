import type { ComponentChildren } from "preact"
import { ShownText } from "studio/parts/shown-text.tsx"
import { SmallForm } from "../parts/small-form.tsx"
import type { Person, Talk } from "./person.ts"
import { ActButton } from "../parts/act-button.tsx"

/** Channels and contacts, and whether those are online. */
export function Talks({ person }: { readonly person: Person }) {
  const stateOf = (id: string) => person.statuses.value.find(({ user }) => user === id)?.behavioral_status ?? "offline"
  return (
    <nav class="talks" aria-label={`Channels and contacts of ${person.id}`}>
      <h3>Channels</h3>
      <ul>
        {person.channels.value.map(({ id, name }) => (
          <TalkLink key={id} person={person} to={{ kind: "channel", id }}>
            # <ShownText text={name} />
          </TalkLink>
        ))}
      </ul>
      <SmallForm label={`New channel of ${person.id}`} placeholder="New channel" onSubmit={person.createChannel} />
      <h3>Contacts</h3>
      <ul>
        {person.contacts.value.map((id) => (
          <TalkLink key={id} person={person} to={{ kind: "person", id }}>
            <span class={`dot ${stateOf(id)}`} />
            <ShownText text={id} />
            <span class="for-readers">, {stateOf(id)}</span>
          </TalkLink>
        ))}
      </ul>
      <SmallForm label={`New contact of ${person.id}`} placeholder="Add somebody" onSubmit={person.addContact} />
    </nav>
  )
}

interface LinkProps {
  readonly person: Person
  readonly to: Talk
  readonly children: ComponentChildren
}

function TalkLink({ person, to, children }: LinkProps) {
  const { kind, id } = person.talk.value
  const isOpen = kind === to.kind && id === to.id
  return (
    <li>
      <ActButton class="talk cut" current={isOpen} onAct={() => person.open(to)}>
        {children}
      </ActButton>
    </li>
  )
}
