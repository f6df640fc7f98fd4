/* What was run in this tab, by system. In memory only: a line may hold a secret. */

import { signal } from "@preact/signals"
import type { EnteredLine } from "./console-entry.tsx"

const MOST = 100

const history = signal<Readonly<Record<string, readonly EnteredLine[]>>>({})

export const entriesOf = (system: string): readonly EnteredLine[] => history.value[system] ?? []

/** The newest first. */
export function remember(system: string, entry: EnteredLine): void {
  history.value = { ...history.value, [system]: [entry, ...entriesOf(system)].slice(0, MOST) }
}
