import { ShownText } from "studio/parts/shown-text.tsx"
import { ActButton } from "../parts/act-button.tsx"
import type { Person } from "./person.ts"

/** Invitations that wait for an answer. */
export const Invites = ({ person }: { readonly person: Person }) => (
  <ul class="invites">
    {person.invites.value
      .filter(({ kind, invitee }) => kind === "invite" && invitee === person.id)
      .map(({ id, by, channel }) => (
        <li key={id} class="note">
          <span>
            <ShownText text={by} /> invites you to{" "}
            <b>
              <ShownText text={channel} />
            </b>
          </span>
          <ActButton class="button small first" onAct={() => person.answer(id, true)}>
            Accept
          </ActButton>
          <ActButton onAct={() => person.answer(id, false)}>Decline</ActButton>
        </li>
      ))}
  </ul>
)
