import { signal } from "@preact/signals"
import { Icon } from "studio/parts/icon.tsx"
import { counted } from "../parts/counted.ts"
import { actions, countOf, latest } from "../state/actions.ts"
import { about, adminToken } from "../state/about.ts"
import { ActionCard } from "./action-card.tsx"
import { AdminForm } from "./admin-form.tsx"

/** Wide windows have room beside the page; on others it is a bar until somebody opens it. */
const isOpen = signal(matchMedia("(min-width: 1100px)").matches)

/** What the actions of this page did to Redis. */
export function Drawer() {
  const open = isOpen.value
  return (
    <aside class={open ? "drawer open" : "drawer"} aria-label="What this did to Redis">
      <button
        type="button"
        class="drawer-toggle"
        aria-expanded={open}
        aria-controls="drawer-body"
        onClick={() => (isOpen.value = !open)}
      >
        <Icon name="live" />
        <span class="cut">In Redis</span>
        <span class="count cut">{summary()}</span>
        <Icon name="chevron" />
      </button>
      <div id="drawer-body" class="drawer-body" hidden={!open}>
        {about.value?.demo === true || adminToken.value !== undefined ? <Shown /> : <AdminForm />}
      </div>
    </aside>
  )
}

function summary(): string {
  const explained = latest.value?.explained
  if (explained === undefined || explained === "hidden") return ""
  return counted(countOf(explained), "command")
}

const Shown = () =>
  actions.value.length === 0 ? (
    <p class="quiet drawer-empty">
      Everything you do on this page appears here: the commands it sends to Redis, the keys it touches, and the sentence
      of the document that asks for it.
    </p>
  ) : (
    <ol class="actions-list">
      {actions.value.map((action, i) => (
        <ActionCard key={action.id} action={action} isLatest={i === 0} />
      ))}
    </ol>
  )
