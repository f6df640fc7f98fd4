/* The tree, as the pattern of WAI-ARIA has it: one stop for Tab; up and down between
 * rows, right and left open and close, Enter follows. */

import { signal } from "@preact/signals"
import type { TargetedKeyboardEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import { Icon } from "../parts/icon.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { go, href } from "../state/route.ts"
import { counts, overviews, scans, schemas, systems } from "../state/studio.ts"
import { type TreeRow, treeRows } from "./tree-rows.ts"

const filter = signal("")

interface Props {
  readonly system: string | undefined
  readonly pattern: string | undefined
}

export function Tree({ system, pattern }: Props) {
  const [at, setAt] = useState("")
  const list = useRef<HTMLUListElement>(null)
  const onlyOne = systems.value.length === 1
  const rows = treeRows({
    systems: systems.value,
    schemas: schemas.value,
    overviews: overviews.value,
    // A complete scan counts everything.
    keysOf: (of, name) => counts.value[of]?.get(name)?.keys ?? ((scans.value[of]?.round ?? 0) > 0 ? 0 : undefined),
    isOpen: (id) => isOpen(id, opensByItself(id, system, pattern, onlyOne)),
    filter: filter.value.trim().toLowerCase(),
  })
  const isSelected = (row: TreeRow) =>
    row.system === system &&
    (row.kind === "pattern" ? row.pattern === pattern : row.kind === "system" && pattern === undefined)
  const current = rows.find((row) => row.id === at) ?? rows.find(isSelected) ?? rows[0]
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" })
  }, [system, pattern])
  const focus = (row: TreeRow | undefined) => {
    if (row === undefined) return
    setAt(row.id)
    const element = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`)
    element?.focus()
    element?.scrollIntoView({ block: "nearest" })
  }
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const place = rows.findIndex((row) => row === current)
    const step: Record<string, () => void> = {
      ArrowDown: () => focus(rows[place + 1]),
      ArrowUp: () => focus(rows[place - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (current?.open === false ? setOpen(current.id, true) : current?.open && focus(rows[place + 1])),
      ArrowLeft: () => (current?.open ? setOpen(current.id, false) : focus(parentOf(rows, place))),
      Enter: () => current && follow(current),
    }
    const act = step[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
  return (
    <div class="tree-pane">
      <div class="tree-filter">
        <input
          class="input"
          type="search"
          aria-label="Filter the tree"
          placeholder="Filter patterns…"
          spellcheck={false}
          value={filter.value}
          onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
        />
      </div>
      {rows.length === 0 ? <p class="quiet small tree-none">No pattern matches.</p> : null}
      <ul class="tree" role="tree" aria-label="Systems and their patterns" ref={list} onKeyDown={press}>
        {rows.map((row) => (
          <li
            key={row.id}
            data-id={row.id}
            role="treeitem"
            class={`k-${row.kind}${row.deprecated ? " old" : ""}`}
            aria-level={row.level}
            aria-selected={isSelected(row)}
            aria-expanded={row.open}
            tabIndex={row === current ? 0 : -1}
            style={{ "--level": row.level }}
            onClick={() => (setAt(row.id), follow(row))}
          >
            <span
              class="twist"
              onClick={(event) => {
                if (row.open === undefined) return
                event.stopPropagation()
                setOpen(row.id, !row.open)
              }}
            >
              {row.open === undefined ? null : <Icon name="chevron" />}
            </span>
            <span class="cut" title={row.whole}>
              {row.isPattern ? <Pattern of={row.title} line /> : row.title}
            </span>
            <span class="count">{keysText(row)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Counts of a first scan are marked as not yet whole. */
function keysText({ keys, system }: TreeRow): string {
  if (keys === undefined) return "…"
  const isFirst = scans.value[system]?.round === 0
  return `${countText(keys)}${isFirst ? "+" : ""}`
}

function opensByItself(id: string, system: string | undefined, pattern: string | undefined, onlyOne: boolean): boolean {
  if (id === system) return true
  if (!id.includes("/")) return onlyOne
  const own = entityPaths().get(id)
  return own === undefined || (pattern !== undefined && own.has(`${system}/${pattern}`))
}

/** Groups that are closed unless one of their patterns is shown: entities, and the toolkit's keys. */
function entityPaths(): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Map<string, ReadonlySet<string>>()
  for (const [system, { tree }] of Object.entries(schemas.value)) {
    const visit = (nodes: typeof tree): void => {
      for (const node of nodes) {
        if (node.node === "pattern") continue
        if (node.node === "entity" || node.node === "toolkit") {
          const own = node.children.flatMap((child) => (child.node === "pattern" ? [`${system}/${child.name}`] : []))
          paths.set(`${system}/${node.path}/`, new Set(own))
        }
        visit(node.children)
      }
    }
    visit(tree)
  }
  return paths
}

function follow(row: TreeRow): void {
  if (row.kind === "system") {
    setOpen(row.id, true)
    go(href("browse", [row.system]))
  } else if (row.pattern !== undefined) {
    if (row.open === false) setOpen(row.id, true)
    go(href("browse", [row.system, row.pattern]))
  } else setOpen(row.id, !row.open)
}

function parentOf(rows: readonly TreeRow[], place: number): TreeRow | undefined {
  const level = rows[place]?.level ?? 0
  return rows.slice(0, place).findLast((row) => row.level < level)
}

/**
 * What was opened or closed by hand. By default: systems when there are few rows to show, groups always, entities and the
 * toolkit's keys not.
 */
const touched = signal<ReadonlyMap<string, boolean>>(new Map())

const isOpen = (id: string, byDefault: boolean): boolean => touched.value.get(id) ?? byDefault

function setOpen(id: string, open: boolean): void {
  touched.value = new Map(touched.value).set(id, open)
}
