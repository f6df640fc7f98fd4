/* What the page knows of the restaurant, and what a guest does in it. The access token is
 * kept in memory; the refresh token is a cookie that no script can read. */

import { signal } from "@preact/signals"
import { type Ask, call, Refusal } from "../state/call.ts"
import { say } from "../state/notice.ts"
import { tellOthers } from "../state/refresh.ts"
import { sessionHint } from "../state/session-hint.ts"
import type { Cart, Dish, Order, Page } from "./wire.ts"

export interface Guest {
  readonly name: string
  readonly email: string
}

export const guest = signal<Guest | undefined>(undefined)
export const isKnown = signal(false)
export const why = signal<string | undefined>(undefined)
export const categories = signal<readonly { readonly id: string; readonly name: string }[]>([])
export const dishes = signal<readonly Dish[]>([])
export const cart = signal<Cart>({ items: [], total: 0 })
export const orders = signal<readonly Order[]>([])

const hint = sessionHint("restaurant")
let token: string | undefined

/** Asks as the guest; a token that has ended is renewed, once. */
async function ask<T>(request: string, options: Ask = {}): Promise<T> {
  const once = () => call<T>(request, { authorization: `Bearer ${token ?? ""}`, ...options })
  try {
    return await once()
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
    if (!(await renew())) throw error
    return once()
  }
}

/** A new access token for the cookie; whether there was one. */
async function renew(): Promise<boolean> {
  try {
    token = (await call<{ accessToken: string }>("POST /refresh")).accessToken
    return true
  } catch (error) {
    if (error instanceof Refusal && error.status === 0) throw error
    const hadSession = guest.value !== undefined
    forget()
    why.value = hadSession ? "Your session has ended. Please log in again." : undefined
    return false
  }
}

function forget(): void {
  token = undefined
  hint.clear()
  guest.value = undefined
  cart.value = { items: [], total: 0 }
  orders.value = []
}

export async function logIn(email: string, password: string): Promise<void> {
  const body = { username: email, password }
  const answer = await call<{ accessToken: string; user: { username: string; email: string } }>("POST /login", {
    body,
    title: `Logged in as ${email}`,
  })
  token = answer.accessToken
  hint.set()
  keepGuest({ name: answer.user.username, email: answer.user.email })
  why.value = undefined
  await load()
}

export async function logOut(): Promise<void> {
  await call("POST /logout", { authorization: `Bearer ${token ?? ""}`, title: "Logged out" })
  forget()
  sessionStorage.removeItem(KEPT)
}

/** Who it was, for a reload: the cookie does not say. */
const KEPT = "keywright-restaurant-guest"
function keepGuest(found: Guest): void {
  guest.value = found
  localStorage.setItem(KEPT, JSON.stringify(found))
}

export async function load(): Promise<void> {
  if (token === undefined && hint.isSet() && (await renew()))
    guest.value = JSON.parse(localStorage.getItem(KEPT) ?? '{"name":"You","email":""}') as Guest
  isKnown.value = true
  const [groups, menu] = await Promise.all([
    call<Page<{ id: string; name: string }>>("GET /api/categories?pageSize=50"),
    call<Page<Dish>>("GET /api/dishes?pageSize=100"),
  ])
  categories.value = groups.result
  dishes.value = menu.result
  if (token === undefined) return
  const [found, mine] = await Promise.all([ask<Cart>("GET /cart"), ask<Page<Order>>("GET /api/orders/mine?pageSize=5")])
  cart.value = found
  orders.value = mine.result
}

async function doing<T>(request: string, title: string, body?: unknown): Promise<T> {
  const answer = await ask<T>(request, { title, ...(body !== undefined && { body }) })
  tellOthers()
  await load()
  return answer
}

const nameOf = (dishId: string): string => dishes.value.find(({ id }) => id === dishId)?.name ?? dishId

export const addDish = (dishId: string) =>
  doing("POST /cart/add-dish", `Put ${nameOf(dishId)} into the cart`, { dishId, quantity: 1 })

export const setQuantity = (cartItemId: string, name: string, quantity: number) =>
  quantity < 1
    ? doing(`DELETE /cart/delete-dish/${encodeURIComponent(cartItemId)}`, `Took ${name} out of the cart`)
    : doing("PUT /cart/update-dish", `${quantity} × ${name}`, { cartItemId, quantity })

export interface Receiver {
  readonly receiverName: string
  readonly receiverPhone: string
  readonly receiverAddress: string
  readonly paymentMethod: "CASH" | "VNPAY"
}

export async function checkOut(receiver: Receiver): Promise<void> {
  const { orderId, paymentUrl } = await doing<{ orderId: string; paymentUrl?: string }>(
    "POST /cart/checkout",
    `Ordered, to be paid ${receiver.paymentMethod === "CASH" ? "in cash" : "by VNPay"}`,
    receiver,
  )
  if (paymentUrl === undefined) say(`Order ${orderId} is on its way to the kitchen.`)
  else location.assign(paymentUrl)
}

export async function payAgain(orderId: string): Promise<void> {
  const { paymentUrl } = await doing<{ paymentUrl: string }>(
    `POST /payment/vnpay/order/${encodeURIComponent(orderId)}`,
    `Another attempt to pay order ${orderId}`,
  )
  location.assign(paymentUrl)
}

/** VNPay sends the browser back with the order in the address. */
export function welcomeBack(): void {
  const query = new URLSearchParams(location.search)
  const order = query.get("orderId")
  if (order === null) return
  history.replaceState(null, "", location.pathname)
  say(
    /PAID|success|00/i.test(query.get("status") ?? "") ? `Order ${order} is paid.` : `Order ${order} is not paid yet.`,
  )
}
