import { ShownText } from "studio/parts/shown-text.tsx"
import { attempt } from "../state/notice.ts"
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
          <button type="button" class="button small first" onClick={() => void attempt(() => person.answer(id, true))}>
            Accept
          </button>
          <button type="button" class="button small" onClick={() => void attempt(() => person.answer(id, false))}>
            Decline
          </button>
        </li>
      ))}
  </ul>
)
