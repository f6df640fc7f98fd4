/* Light or dark: as the system has it, until somebody chooses. */

import { computed, effect, signal } from "@preact/signals"
import { kept } from "./kept.ts"

export type Theme = "light" | "dark"

const stored = kept("theme", "local")
const before = stored.get()
const system = matchMedia("(prefers-color-scheme: dark)")
const ofSystem = signal<Theme>(system.matches ? "dark" : "light")
const chosen = signal<Theme | undefined>(before === "dark" || before === "light" ? before : undefined)

export const theme = computed<Theme>(() => chosen.value ?? ofSystem.value)

/** Keeps the document's theme, from before the first paint on. */
export function followTheme(): void {
  system.addEventListener("change", ({ matches }) => (ofSystem.value = matches ? "dark" : "light"))
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value
  })
}

export function switchTheme(): void {
  const next: Theme = theme.value === "dark" ? "light" : "dark"
  chosen.value = next
  stored.set(next)
}
