/* What people did in this page, the latest first, and what each of it did to Redis. */

import { computed, effect, signal } from "@preact/signals"
import { kept } from "studio/state/kept.ts"
import type { ExplainedRequest } from "../../platform/pages/explained-request.ts"
import { showing } from "./about.ts"
import { system } from "./place.ts"

export interface Action {
  readonly id: string
  readonly title: string
  readonly request: string
  readonly status: number
  /** Undefined until it is known; "hidden" where nobody may see it. */
  readonly explained: ExplainedRequest | "hidden" | undefined
}

const MOST = 30
/** For a reload, and for the way to a payment page and back. */
const MOST_KEPT = 8
const keptActions = kept(`actions-${system ?? ""}`, "session")

export const actions = signal<readonly Action[]>(readKept())
export const latest = computed(() => actions.value[0])

/** What was not known yet when the page was left is asked for now. */
export function followActions(): void {
  for (const { id, explained } of actions.value) if (explained === undefined) void learn(id)
  effect(() => keptActions.set(JSON.stringify(actions.value.slice(0, MOST_KEPT))))
}

function readKept(): readonly Action[] {
  const text = keptActions.get()
  return text === undefined ? [] : (JSON.parse(text) as readonly Action[])
}

export function noteAction(id: string, title: string, request: string, status: number): void {
  actions.value = [{ id, title, request, status, explained: undefined }, ...actions.value].slice(0, MOST)
  void learn(id)
}

/** How many commands and scripts it sent. */
export const countOf = ({ sent, more }: ExplainedRequest): number =>
  more + sent.reduce((sum, { commands, script }) => sum + commands.length + (script ? 1 : 0), 0)

async function learn(id: string): Promise<void> {
  const answer = await fetch(`/-/commands/${id}`, { headers: showing() }).catch(() => undefined)
  const explained = answer?.ok ? ((await answer.json()) as ExplainedRequest) : "hidden"
  actions.value = actions.value.map((action) => (action.id === id ? { ...action, explained } : action))
}
