import { useState } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { counted } from "../parts/counted.ts"
import { type Action, countOf } from "../state/actions.ts"
import { KeyCard } from "./key-card.tsx"
import { QuoteText } from "./quote-text.tsx"
import { SentView } from "./sent-view.tsx"

/** One thing that somebody did. The latest is open; the others can be opened. */
export function ActionCard({ action, isLatest }: { readonly action: Action; readonly isLatest: boolean }) {
  const { title, explained } = action
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
            {explained === undefined
              ? "…"
              : explained === "hidden"
                ? "not recorded"
                : `${counted(countOf(explained), "command")} · ${explained.ms.toFixed(1)} ms`}
          </span>
        </summary>
        {isOpen ? <Body action={action} /> : null}
      </details>
    </li>
  )
}

function Body({ action: { request, status, explained } }: { readonly action: Action }) {
  if (explained === undefined || explained === "hidden") return null
  const databases = new Set(explained.sent.map(({ db }) => db))
  return (
    <div class="action-body">
      <p class="request">
        <code class="break">
          <ShownText text={request} />
        </code>
        <span class={status < 400 ? "badge good" : "badge bad"}>{status}</span>
      </p>
      {explained.asked === undefined ? null : <QuoteText quote={explained.asked} />}
      {explained.sent.length === 0 ? <p class="quiet small">It sent nothing to Redis.</p> : null}
      <ol class="sent">
        {explained.sent.map((sent, i) => (
          <SentView key={i} sent={sent} keys={explained.keys} withDatabase={databases.size > 1} />
        ))}
      </ol>
      {explained.more === 0 ? null : <p class="quiet small">{counted(explained.more, "more round trip")} not shown.</p>}
      {Object.keys(explained.keys).length === 0 ? null : <h3>The keys</h3>}
      <ul class="key-cards">
        {Object.entries(explained.keys).map(([name, key]) => (
          <KeyCard key={name} system={explained.system} name={name} of={key} />
        ))}
      </ul>
    </div>
  )
}
