import { useState } from "preact/hooks"
import { route } from "../state/route.ts"
import { systems } from "../state/studio.ts"
import { KeyPage } from "./key-page.tsx"
import { PatternPage } from "./pattern-page.tsx"
import { SystemIntro } from "./system-intro.tsx"
import { Tree } from "./tree.tsx"

/** The tree at the side; beside it a system, a pattern's keys, or one key. */
export function BrowseView() {
  const { view, path } = route.value
  // A key's address does not say its pattern: the page reports it once it is known.
  const [ofKey, setOfKey] = useState<{ place: string; pattern: string | undefined }>({ place: "", pattern: undefined })
  const place = path.join("/")
  const [system = systems.value.length === 1 ? systems.value[0]?.name : undefined] = path
  const pattern = view === "key" ? (ofKey.place === place ? ofKey.pattern : undefined) : path[1]
  return (
    <div class={pattern === undefined && view !== "key" ? "split" : "split chosen"}>
      <Tree system={system} pattern={view === "key" ? (pattern ?? ofKey.pattern) : pattern} />
      <div class="split-main">
        {view === "key" && system !== undefined && path[2] !== undefined ? (
          <KeyPage
            key={place}
            system={system}
            db={Number(path[1])}
            keyRef={path[2]}
            onPattern={(name) => setOfKey({ place, pattern: name })}
          />
        ) : system !== undefined && pattern !== undefined ? (
          <PatternPage key={`${system}/${pattern}`} system={system} name={pattern} />
        ) : (
          <SystemIntro name={system} />
        )}
      </div>
    </div>
  )
}
