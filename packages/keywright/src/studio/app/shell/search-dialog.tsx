/* Search over everything: patterns, entities, fields, keys that exist, findings. The
 * field keeps the focus; arrows choose among the hits, Enter goes there. */

import { useRef, useState } from "preact/hooks"
import type { SearchHit } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { call } from "../state/call.ts"
import { searching } from "../state/keyboard.ts"
import { go } from "../state/route.ts"
import { useAnswer } from "../state/use-answer.ts"
import { hrefOfHit, SearchHitRow } from "./search-hit.tsx"

export function SearchDialog() {
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [asked, setAsked] = useState("")
  const { data, error, loading } = useAnswer(asked.trim() === "" ? undefined : asked, (signal) =>
    call("GET /api/search", { query: { q: asked.trim(), limit: 40 }, signal }),
  )
  const hits = asked.trim() === "" ? [] : (data?.hits ?? [])
  const close = () => (searching.value = false)
  const follow = (hit: SearchHit | undefined) => {
    if (hit === undefined) return
    close()
    go(hrefOfHit(hit))
  }
  const type = (next: string) => {
    setText(next)
    setAt(0)
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => setAsked(next), 120)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = (at + step + hits.length) % Math.max(1, hits.length)
      setAt(next)
      document.getElementById(`hit-${next}`)?.scrollIntoView({ block: "nearest" })
    }
    if (event.key === "Enter") follow(hits[at])
  }
  return (
    <Dialog title="Search" onClose={close} class="search">
      <div class="search-field">
        <input
          class="input"
          type="text"
          autofocus
          role="combobox"
          aria-label="Search patterns, fields, keys and findings"
          aria-expanded={hits.length > 0}
          aria-controls="hits"
          aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder="A pattern, a field, an id, the exact name of a key…"
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
        />
      </div>
      <div class="hits-room">
        {error === undefined ? null : <FailureNote error={error} />}
        <ul id="hits" role="listbox" aria-label="Hits" class="hits">
          {hits.map((hit, i) => (
            <li
              key={i}
              id={`hit-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseMove={() => setAt(i)}
              onClick={() => follow(hit)}
            >
              <SearchHitRow hit={hit} />
            </li>
          ))}
        </ul>
        {hits.length > 0 || error !== undefined ? null : (
          <p class="quiet hits-none">
            {asked.trim() === ""
              ? "Patterns, entities, fields, findings by code; a key by its exact name, a record by its id."
              : loading
                ? "Searching…"
                : "Nothing found. A key is found by its exact name, a record by its id."}
          </p>
        )}
      </div>
    </Dialog>
  )
}
