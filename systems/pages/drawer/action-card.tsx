import { useState } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { counted } from "../parts/counted.ts"
import { type Action, countOf } from "../state/actions.ts"
import { KeyCard } from "./key-card.tsx"
import { QuoteText } from "./quote-text.tsx"
import { SentView } from "./sent-view.tsx"

/** One thing that somebody did. The latest is open; the others can be opened. */
export function ActionCard({ action, isLatest }: { readonly action: Action; readonly isLatest: boolean }) {
  const { title, told } = action
  const [chosen, setChosen] = useState<boolean | undefined>(undefined)
  const isOpen = chosen ?? isLatest
  return (
    <li class="action">
      <details
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => setChosen(open === isLatest ? undefined : open)}
      >
        <summary>
          <b>
            <ShownText text={title} />
          </b>
          <span class="quiet small">
            {told === undefined
              ? "…"
              : told === "hidden"
                ? "not recorded"
                : `${counted(countOf(told), "command")} · ${told.ms.toFixed(1)} ms`}
          </span>
        </summary>
        {isOpen ? <Body action={action} /> : null}
      </details>
    </li>
  )
}

function Body({ action: { request, status, told } }: { readonly action: Action }) {
  if (told === undefined || told === "hidden") return null
  const databases = new Set(told.sent.map(({ db }) => db))
  return (
    <div class="action-body">
      <p class="request">
        <code class="break">
          <ShownText text={request} />
        </code>
        <span class={status < 400 ? "badge good" : "badge bad"}>{status}</span>
      </p>
      {told.asked === undefined ? null : <QuoteText quote={told.asked} />}
      {told.sent.length === 0 ? <p class="quiet small">It sent nothing to Redis.</p> : null}
      <ol class="sent">
        {told.sent.map((sent, i) => (
          <SentView key={i} sent={sent} keys={told.keys} withDatabase={databases.size > 1} />
        ))}
      </ol>
      {told.more === 0 ? null : <p class="quiet small">{counted(told.more, "more round trip")} not shown.</p>}
      {Object.keys(told.keys).length === 0 ? null : <h3>The keys</h3>}
      <ul class="key-cards">
        {Object.entries(told.keys).map(([name, key]) => (
          <KeyCard key={name} system={told.system} name={name} of={key} />
        ))}
      </ul>
    </div>
  )
}
