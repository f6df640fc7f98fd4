/* What runs here, and in a demonstration: who may log in, as the server says it. */

import { computed, signal } from "@preact/signals"
import { kept } from "studio/state/kept.ts"

export interface About {
  readonly systems: readonly { readonly name: string; readonly doc: string; readonly prefix: string }[]
  readonly demo: boolean
  /** Whether this request may see what requests do to Redis. */
  readonly mayLook: boolean
  readonly studio?: boolean
  readonly access?: DemoAccess
}

export interface DemoAccess {
  readonly adminToken: string
  readonly boss: { readonly email: string; readonly password: string }
  /** Who plays along, by system. */
  readonly people: Readonly<Record<string, readonly string[]>>
  /** The team that the messenger's people are in. */
  readonly team: {
    readonly tenant: string
    readonly account: string
    readonly project: string
    readonly service: string
  }
}

export const about = signal<About | undefined>(undefined)

/** Given by the demonstration, or typed in by somebody who has it; kept for this tab alone. */
const keptToken = kept("admin", "session")
const typed = signal(keptToken.get())
export const adminToken = computed(() => about.value?.access?.adminToken ?? typed.value)
export const isDemo = computed(() => about.value?.access !== undefined)

export async function loadAbout(): Promise<void> {
  const answer = await fetch("/-/about")
  if (answer.ok) about.value = (await answer.json()) as About
}

/** Asks for what the request does to Redis; where nobody may see that, it is ignored. */
export const showing = (): Record<string, string> =>
  about.value?.demo ? { "x-show-commands": "1" } : adminToken.value ? { "x-show-commands": adminToken.value } : {}

/** Keeps it if it is the right one. Whether it is. */
export async function tryAdminToken(token: string): Promise<boolean> {
  const answer = await fetch("/-/about", { headers: { "x-show-commands": token } })
  const { mayLook } = (await answer.json()) as Pick<About, "mayLook">
  if (mayLook) {
    typed.value = token
    keptToken.set(token)
  }
  return mayLook
}

/** It was refused: a typed one is asked for again, and a demonstration that was restarted has another one. */
export async function renewAdminToken(): Promise<void> {
  keptToken.clear()
  typed.value = undefined
  if (isDemo.value) await loadAbout()
}
