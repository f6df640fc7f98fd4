import { useEffect, useRef } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { Tile } from "../parts/tile.tsx"
import { ActButton } from "../parts/act-button.tsx"
import { attempt } from "../state/notice.ts"
import { Chat } from "./chat.tsx"
import { Invites } from "./invites.tsx"
import type { Person, Status } from "./person.ts"
import { Talks } from "./talks.tsx"

const STATES: readonly Status["behavioral_status"][] = ["online", "idle", "offline"]

/** The messenger as one person sees it. */
export function Pane({ person }: { readonly person: Person }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone: go on from here.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [person])
  const own = person.statuses.value.find(({ user }) => user === person.id)?.behavioral_status ?? "offline"
  return (
    <section class="card pane" aria-label={`The messenger of ${person.id}`}>
      <header class="pane-head">
        <Tile small text={person.id} seed={person.id} />
        <h2 class="cut" ref={heading} tabIndex={-1}>
          <ShownText text={person.id} />
        </h2>
        <label class="state">
          <span class="for-readers">Status of {person.id}</span>
          <select
            class="input"
            value={own}
            onChange={({ currentTarget }) => void attempt(() => person.setStatus(currentTarget.value as never))}
          >
            {STATES.map((state) => (
              <option key={state} value={state}>
                {state}
              </option>
            ))}
          </select>
        </label>
        <ActButton onAct={person.logOut}>
          Log out
          <span class="for-readers"> {person.id}</span>
        </ActButton>
      </header>
      <Invites person={person} />
      <div class="pane-body">
        <Talks person={person} />
        <Chat person={person} />
      </div>
    </section>
  )
}
