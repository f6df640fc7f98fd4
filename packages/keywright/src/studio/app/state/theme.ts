/* Light or dark: as the system has it, until somebody chooses. */

import { computed, effect, signal } from "@preact/signals"

export type Theme = "light" | "dark"

const KEPT = "keywright-theme"
const system = matchMedia("(prefers-color-scheme: dark)")
const ofSystem = signal<Theme>(system.matches ? "dark" : "light")
const chosen = signal<Theme | undefined>(kept())

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
  store(next)
}

function kept(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEPT)
    return value === "dark" || value === "light" ? value : undefined
  } catch {
    return undefined
  }
}

function store(value: Theme): void {
  try {
    localStorage.setItem(KEPT, value)
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}
