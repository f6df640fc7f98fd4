/* What the page knows about the restaurant, and what a guest does in it. The access token is
 * kept in memory; the refresh token is a cookie that no script can read. */

import { computed, signal } from "@preact/signals"
import { kept } from "studio/state/kept.ts"
import { type Ask, call, Refusal } from "../state/call.ts"
import { say } from "../state/notice.ts"
import { tellOthers } from "../state/refresh.ts"
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
export const inCart = computed(() => cart.value.items.reduce((sum, { quantity }) => sum + quantity, 0))

/** Who logged in with this browser, for a reload: the cookie does not say. */
const known = kept("restaurant-guest", "local")
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

/** One at a time, in all windows: a cookie that is used twice counts as stolen, and ends the session. */
let renewing: Promise<boolean> | undefined
function renew(): Promise<boolean> {
  renewing ??= alone(renewNow).finally(() => (renewing = undefined))
  return renewing
}

const alone = <T>(work: () => Promise<T>): Promise<T> =>
  "locks" in navigator ? (navigator.locks.request("keywright-restaurant-refresh", work) as Promise<T>) : work()

/** A new access token for the cookie; whether there was one. */
async function renewNow(): Promise<boolean> {
  try {
    token = (await call<{ accessToken: string }>("POST /refresh")).accessToken
    return true
  } catch (error) {
    if (!(error instanceof Refusal && (error.status === 401 || error.status === 403))) throw error
    const hadSession = guest.value !== undefined
    forget()
    why.value = hadSession ? "Your session has ended. Please log in again." : undefined
    return false
  }
}

function forget(): void {
  token = undefined
  known.clear()
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
  const found = { name: answer.user.username, email: answer.user.email }
  known.set(JSON.stringify(found))
  guest.value = found
  why.value = undefined
  await load()
}

export async function logOut(): Promise<void> {
  await call("POST /logout", { authorization: `Bearer ${token ?? ""}`, title: "Logged out" })
  forget()
  tellOthers()
}

/** The person who logged in last with this browser, perhaps in another window, is the guest here too. */
async function followGuest(): Promise<void> {
  const text = known.get()
  if (text === undefined) {
    if (guest.value !== undefined) forget()
  } else if (text !== JSON.stringify(guest.value) && (await renew())) guest.value = JSON.parse(text) as Guest
}

export async function load(): Promise<void> {
  await followGuest()
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

const dishName = (dishId: string): string => dishes.value.find(({ id }) => id === dishId)?.name ?? dishId

export const addDish = (dishId: string) =>
  doing("POST /cart/add-dish", `Put ${dishName(dishId)} into the cart`, { dishId, quantity: 1 })

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

/** VNPay sends the browser back with the order in the address; whether it is paid, the restaurant says: anybody can make a link. */
export async function welcomeBack(): Promise<void> {
  const id = new URLSearchParams(location.search).get("orderId")
  if (id === null) return
  history.replaceState(null, "", location.pathname)
  await followGuest()
  if (token === undefined) return
  const order = await ask<Order>(`GET /api/orders/${encodeURIComponent(id)}`)
  if (order.id === id) say(order.paymentStatus === "PAID" ? `Order ${id} is paid.` : `Order ${id} is not paid yet.`)
}
