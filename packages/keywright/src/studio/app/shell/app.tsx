import type { ComponentType } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { AuditView } from "../audit/audit-view.tsx"
import { BrowseView } from "../browse/browse-view.tsx"
import { ConsoleView } from "../console/console-view.tsx"
import { ChangesView } from "../edit/changes-view.tsx"
import { DifferenceView } from "../difference/difference-view.tsx"
import { EditView } from "../edit/edit-view.tsx"
import { LiveView } from "../live/live-view.tsx"
import { OverviewView } from "../overview/overview-view.tsx"
import { SchemaView } from "../schema/schema-view.tsx"
import { SearchDialog } from "./search-dialog.tsx"
import { helping, searching } from "../state/keyboard.ts"
import { route, type Route, type View } from "../state/route.ts"
import { failure, load, session } from "../state/studio.ts"
import { Connection } from "./connection.tsx"
import { HelpDialog } from "./help-dialog.tsx"
import { Side } from "./side.tsx"
import { notice } from "../state/notice.ts"
import type { Failure } from "../../api.ts"
import { FailureNote } from "../parts/failure-note.tsx"

const viewPages: Readonly<Record<View, ComponentType>> = {
  overview: OverviewView,
  browse: BrowseView,
  key: BrowseView,
  schema: SchemaView,
  difference: DifferenceView,
  audit: AuditView,
  live: LiveView,
  console: ConsoleView,
  edit: EditView,
  changes: ChangesView,
}

export function App() {
  const { view, path } = route.value
  const main = useRef<HTMLElement>(null)
  const place = [view, ...path].join("/")
  useEffect(() => {
    document.title = titleOf(route.value)
    if (view !== "browse" && view !== "key") main.current?.scrollTo(0, 0)
  }, [place])
  if (failure.value !== undefined) return <Away error={failure.value} />
  const Shown = viewPages[view]
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <Side />
      <main class="view" id="main" ref={main} tabIndex={-1}>
        <Connection />
        {session.value === undefined ? null : <Shown />}
      </main>
      {searching.value ? <SearchDialog /> : null}
      {helping.value ? <HelpDialog /> : null}
      <NoticeText />
    </div>
  )
}

/** What the browser's tab says: never a key, which may be private. */
function titleOf({ view, path }: Route): string {
  const name = view === "key" ? "Key" : view.charAt(0).toUpperCase() + view.slice(1)
  const where = view === "key" ? path.slice(0, 1) : path.slice(0, 2)
  return [...where.toReversed(), name, "Keywright Studio"].join(" · ")
}

function NoticeText() {
  const said = notice.value
  return (
    <div role="status" class={said === undefined ? "for-readers" : "toast"}>
      {said === undefined ? "" : `${said.message}${said.fix === undefined ? "" : `. ${said.fix}`}`}
    </div>
  )
}

/** Nothing can be shown at all: no session, or no server. */
const Away = ({ error }: { readonly error: Failure["error"] }) => (
  <main class="away">
    <img src="/icon.svg" alt="" width="44" height="44" />
    <h1>
      {error.code === "STUDIO.NO_SESSION" ? "Open the link that the studio printed" : "The studio cannot be shown"}
    </h1>
    <div class="card">
      <FailureNote error={error} again={() => void load()} />
    </div>
  </main>
)
