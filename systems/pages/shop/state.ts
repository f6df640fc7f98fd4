/* What the page knows about the shop, and what people do in it: by the shop's own routes. The
 * session is a cookie that no script can read; whether there is one, the shop says. */

import { computed, signal } from "@preact/signals"
import { kept } from "studio/state/kept.ts"
import { call, callFully, Refusal } from "../state/call.ts"
import { tellOthers } from "../state/refresh.ts"

export interface Row {
  readonly name: string
  readonly qty: number | undefined
  readonly description: string
}

/** An item as it was opened: its row, and its page, with where they came from. */
export interface Opened {
  readonly item: string
  readonly row: Row
  readonly rowCache: Copy
  readonly page: Copy & { readonly title: string; readonly bytes: number }
}

export interface Copy {
  readonly cache: "HIT" | "MISS" | "BYPASS"
  readonly age: number | undefined
  readonly every: number | undefined
}

export const user = signal<string | undefined>(undefined)
/** Whether it is known yet whether somebody is logged in. */
export const isKnown = signal(false)
export const why = signal<string | undefined>(undefined)
export const popular = signal<readonly { readonly item: string; readonly views: number }[]>([])
export const viewed = signal<readonly { readonly item: string; readonly at: number }[]>([])
/** By item, which may be called anything: an object has some of these names already. */
export const cart = signal<ReadonlyMap<string, number>>(new Map())
export const rows = signal<ReadonlyMap<string, Row>>(new Map())
export const opened = signal<Opened | undefined>(undefined)
export const inCart = computed(() => [...cart.value.values()].reduce((sum, count) => sum + count, 0))

export const itemName = (item: string): string => rows.value.get(item)?.name ?? item

const SHOWN = 24
/** Notes that this browser has logged in: otherwise every first visit would ask for a session that does not exist. */
const hint = kept("shop-session", "local")

export async function logIn(name: string, password: string | undefined): Promise<void> {
  const body = { user: name, ...(password && { password }) }
  await call("POST /login", { body, title: `Logged in as ${name}` })
  why.value = undefined
  hint.set("1")
  tellOthers()
  await load()
}

export async function logOut(): Promise<void> {
  await call("DELETE /session", { title: "Logged out" })
  hint.clear()
  forget()
  tellOthers()
}

function forget(reason?: string): void {
  user.value = undefined
  why.value = reason
  cart.value = new Map()
  viewed.value = []
  opened.value = undefined
}

/** All that is on the page. */
export async function load(): Promise<void> {
  if (hint.get() === undefined) {
    forget(why.value)
    isKnown.value = true
    return
  }
  try {
    const session = await call<{ user: string }>("GET /session")
    const [found, seen, basket] = await Promise.all([
      call<{ items: typeof popular.value }>(`GET /popular?limit=${SHOWN}`),
      call<{ items: typeof viewed.value }>("GET /session/viewed?limit=8"),
      call<{ items: Readonly<Record<string, number>> }>("GET /cart"),
    ])
    user.value = session.user
    popular.value = found.items
    viewed.value = seen.items
    cart.value = new Map(Object.entries(basket.items))
    await loadRows([...[...found.items, ...seen.items].map(({ item }) => item), ...cart.value.keys()])
  } catch (error) {
    if (!isExpired(error)) throw error
    expire()
  } finally {
    isKnown.value = true
  }
}

function expire(): void {
  const hadSession = user.value !== undefined
  hint.clear()
  forget(hadSession ? "Your session has ended. Please log in again." : why.value)
}

const isExpired = (error: unknown): boolean => error instanceof Refusal && error.status === 401

/** Something that somebody does; an ended session leads back to the way in. */
export async function act(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isExpired(error)) throw error
    expire()
    return
  }
  tellOthers()
  await load()
}

/** Names come from the inventory, each once. */
async function loadRows(items: readonly string[]): Promise<void> {
  const unknown = [...new Set(items)].filter((item) => !rows.value.has(item))
  const found = await Promise.all(unknown.map(async (item) => [item, await rowOf(item)] as const))
  if (found.length > 0) rows.value = new Map([...rows.value, ...found])
}

async function rowOf(item: string): Promise<Row> {
  try {
    return asRow(item, await call(`GET /inventory/${encodeURIComponent(item)}`))
  } catch (error) {
    orMissing(error)
    return asRow(item, {})
  }
}

/** A row may have any columns, of any type. */
function asRow(item: string, row: unknown): Row {
  const { name, qty, description } = row as Record<string, unknown>
  return {
    name: typeof name === "string" && name !== "" ? name : item,
    qty: typeof qty === "number" ? qty : undefined,
    description: typeof description === "string" ? description : "",
  }
}

/** Looks at an item: that is noted, its row is read, and its page is opened. */
export const look = (item: string): Promise<void> =>
  act(async () => {
    await call("POST /views", { body: { item }, title: `Looked at ${itemName(item)}` })
    await open(item)
  })

export async function open(item: string): Promise<void> {
  const path = encodeURIComponent(item)
  const [row, page] = await Promise.all([
    callFully<unknown>(`GET /inventory/${path}`, { title: `Read the row of ${itemName(item)}` }).catch(orMissing),
    callFully<string>(`GET /pages?item=${path}`, { title: `Opened the page of ${itemName(item)}` }),
  ])
  opened.value = {
    item,
    row: asRow(item, row?.body ?? {}),
    rowCache: copyOf(row?.headers),
    page: { ...copyOf(page.headers), title: titleIn(page.body), bytes: page.body.length },
  }
}

/** Undefined if there is no such row, or none can have this name: people may look for any item. */
function orMissing(error: unknown): undefined {
  if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return undefined
  throw error
}

function copyOf(headers: Headers | undefined): Copy {
  const number = (name: string) => {
    const text = headers?.get(name)
    return text === null || text === undefined ? undefined : Number(text)
  }
  const cache = headers?.get("x-cache")
  return {
    cache: cache === "HIT" || cache === "MISS" ? cache : "BYPASS",
    age: number("age"),
    every: number("x-refreshed-every"),
  }
}

const titleIn = (html: string): string => new DOMParser().parseFromString(html, "text/html").title

export const setQuantity = (item: string, quantity: number): Promise<void> =>
  act(() =>
    call(`PUT /cart/items/${encodeURIComponent(item)}`, {
      body: { quantity },
      title:
        quantity > 0 ? `Put ${quantity} × ${itemName(item)} into the cart` : `Took ${itemName(item)} out of the cart`,
    }),
  )

export const emptyCart = (): Promise<void> => act(() => call("DELETE /cart", { title: "Emptied the cart" }))

/** For administrators: a copy of the row is kept in Redis from now on. */
export const schedule = (item: string, delay: number): Promise<void> =>
  act(async () => {
    await call(`PUT /rows/${encodeURIComponent(item)}/schedule`, {
      body: { delay },
      admin: true,
      title: `Keep a copy of the row of ${itemName(item)}, made every ${delay} s`,
    })
    await call("POST /jobs/rows/run", { admin: true, title: "Copied the rows that are due" })
    await open(item)
  })
