/* What was run in this tab, by system. In memory only: a line may hold a secret. */

import { signal } from "@preact/signals"
import type { Entry } from "./console-entry.tsx"

const MOST = 100

const history = signal<Readonly<Record<string, readonly Entry[]>>>({})

export const entriesOf = (system: string): readonly Entry[] => history.value[system] ?? []

/** The newest first. */
export function remember(system: string, entry: Entry): void {
  history.value = { ...history.value, [system]: [entry, ...entriesOf(system)].slice(0, MOST) }
}
