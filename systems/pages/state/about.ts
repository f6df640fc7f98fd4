/* What runs here, and in a demonstration: who may log in, as the server says it. */

import { computed, signal } from "@preact/signals"

export interface About {
  readonly systems: readonly { readonly name: string; readonly doc: string; readonly prefix: string }[]
  readonly demo: boolean
  readonly studio?: boolean
  readonly access?: DemoAccess
}

export interface DemoAccess {
  readonly adminToken: string
  readonly boss: { readonly email: string; readonly password: string }
  /** Who plays along, by system. */
  readonly people: Readonly<Record<string, readonly string[]>>
  /** Of the messenger's people. */
  readonly team: {
    readonly tenant: string
    readonly account: string
    readonly project: string
    readonly service: string
  }
}

export const about = signal<About | undefined>(undefined)

/** Given by the demonstration, or typed in by somebody who has it; kept for this tab alone. */
const typed = signal<string | undefined>(kept())
export const adminToken = computed(() => about.value?.access?.adminToken ?? typed.value)
export const isDemo = computed(() => about.value?.access !== undefined)

export async function loadAbout(): Promise<void> {
  const answer = await fetch("/-/about")
  if (answer.ok) about.value = (await answer.json()) as About
}

/** Asks for what the request does to Redis; where nobody may see that, it is ignored. */
export const showing = (): Record<string, string> =>
  about.value?.demo ? { "x-show-commands": "1" } : adminToken.value ? { "x-show-commands": adminToken.value } : {}

const KEPT = "keywright-admin"

export function keepAdminToken(token: string | undefined): void {
  typed.value = token
  try {
    if (token === undefined) sessionStorage.removeItem(KEPT)
    else sessionStorage.setItem(KEPT, token)
  } catch {
    // A browser that keeps nothing: it lasts until the page is reloaded.
  }
}

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}
