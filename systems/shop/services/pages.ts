/* Item pages, and which of them are cached: those of popular items, unless the URL says
 * that it is dynamic (SHOP-16, SHOP-17). */

import { createHash } from "node:crypto"
import { isUnavailable } from "keywright"
import type { ShopContext } from "../context.ts"
import type { Inventory } from "./inventory.ts"
import { itemPage } from "./item-page.ts"

export interface Page {
  readonly html: string
  readonly cache: "HIT" | "MISS" | "BYPASS"
  readonly isDegraded: boolean
}

export function pages(
  { db, redis, settings, metrics }: ShopContext,
  inventory: Inventory,
  isRow: (item: string) => boolean,
) {
  const answers = metrics.counter("shop_pages_total", "Pages, by whether they came from the cache.")

  /** Whether the page of this URL may be cached (SHOP-16). */
  const canCache = async (url: URL): Promise<boolean> => {
    const item = url.searchParams.get("item")
    if (item === null || url.searchParams.has("_")) return false
    const rank = await db.popular().rank(item)
    return rank !== undefined && rank < settings.cacheableRank
  }

  const render = async (item: string | null): Promise<{ html: string; isDegraded: boolean }> => {
    if (item === null || !isRow(item)) return { html: itemPage(item, undefined), isDegraded: !redis.isUp }
    const { value, isDegraded } = await inventory.find(item)
    return { html: itemPage(item, value), isDegraded }
  }

  /** The page, from the cache or made now. A page that cannot be made is not stored. */
  const get = async (url: URL): Promise<Page> => {
    const item = url.searchParams.get("item")
    if (!redis.isUp || !(await canCache(url))) return { ...(await render(item)), cache: "BYPASS" }
    const page = db.page({ hash: hashOf(url) })
    const stored = await page.get()
    if (stored !== undefined) return { html: stored, cache: "HIT", isDegraded: false }
    const made = await render(item)
    if (!made.isDegraded) await page.set(made.html)
    return { ...made, cache: "MISS" }
  }

  return {
    canCache,

    /** SHOP-17; while Redis is away, made anew each time. */
    async get(url: URL): Promise<Page> {
      let page: Page
      try {
        page = await get(url)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        redis.suspect()
        page = { ...(await render(url.searchParams.get("item"))), cache: "BYPASS" }
      }
      answers.add({ cache: page.cache.toLowerCase() })
      return page
    },
  }
}

/** SHOP-C8: the same in every process. Without the port, so that servers side by side share their pages. */
export function hashOf(url: URL): string {
  const query = [...url.searchParams].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const normal = `${url.hostname.toLowerCase()}${url.pathname}?${new URLSearchParams(query)}`
  return createHash("sha256").update(normal).digest("hex")
}

export type Pages = ReturnType<typeof pages>
