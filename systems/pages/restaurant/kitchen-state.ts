/* The kitchen: somebody else in the same page, with their own token and no cookie. */

import { signal } from "@preact/signals"
import { about } from "../state/about.ts"
import { call } from "../state/call.ts"
import { tellOthers } from "../state/refresh.ts"
import { load } from "./state.ts"
import { type Order, type Page, STATUS_LABELS } from "./wire.ts"

export const isIn = signal(false)
export const waiting = signal<readonly Order[]>([])
let token: string | undefined

const NEXT: Readonly<Partial<Record<Order["status"], Order["status"]>>> = {
  PENDING: "CONFIRMED",
  CONFIRMED: "DELIVERING",
  DELIVERING: "DELIVERED",
}
export const nextOf = ({ status }: Order): Order["status"] | undefined => NEXT[status]

export async function enterKitchen(email: string, password: string): Promise<void> {
  const body = { username: email, password }
  const title = "The kitchen logged in"
  token = (await call<{ accessToken: string }>("POST /login", { body, title, withoutCookies: true })).accessToken
  isIn.value = true
  await loadKitchen()
}

/** In a demonstration the kitchen is open to everybody. */
export async function openKitchen(): Promise<void> {
  const boss = about.value?.access?.boss
  if (boss !== undefined && !isIn.value) await enterKitchen(boss.email, boss.password)
}

export async function loadKitchen(): Promise<void> {
  if (token === undefined) return
  const { result } = await call<Page<Order>>("GET /api/orders?pageSize=12", {
    authorization: `Bearer ${token}`,
    withoutCookies: true,
  })
  waiting.value = result
}

export async function moveOn(order: Order): Promise<void> {
  const status = nextOf(order)
  await call(`PUT /api/orders/${encodeURIComponent(order.id)}/status`, {
    body: { status },
    authorization: `Bearer ${token ?? ""}`,
    withoutCookies: true,
    title: `The kitchen moved order ${order.id} on: ${STATUS_LABELS[status ?? order.status]}`,
  })
  tellOthers()
  await Promise.all([loadKitchen(), load()])
}
