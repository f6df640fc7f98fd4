/* Item pages, and which of them are cached: those of popular items, unless the URL says
 * that it is dynamic (SHOP-16, SHOP-17). */

import { createHash } from "node:crypto"
import type { CacheEvent } from "keywright"
import { unlessAway } from "../../platform/redis-away.ts"
import type { ShopContext } from "../context.ts"
import type { Inventory } from "./inventory.ts"
import { itemPage } from "./item-page.ts"

/** Strangers invent hosts, too, and a page says the same for each of them. */
const ANY_HOST = ""
const isPlain = (url: URL): boolean => url.searchParams.size === 1

export interface ServedPage {
  readonly html: string
  readonly cache: "HIT" | "MISS" | "BYPASS"
  readonly isDegraded: boolean
  /** The age of a page from the cache, in seconds. */
  readonly age?: number
}

export function pages(
  { db, redis, settings, metrics }: ShopContext,
  inventory: Inventory,
  isRow: (item: string) => boolean,
) {
  const answers = metrics.counter("shop_pages_total", "Pages, by whether they came from the cache.")

  /** The item whose page may be cached, if that of this URL may (SHOP-16), and whether one more address of it may be stored. */
  const cacheable = async (url: URL): Promise<{ item: string; isFull: boolean } | undefined> => {
    const item = url.searchParams.get("item")
    if (item === null || url.searchParams.has("_")) return undefined
    const [rank, variants] = await Promise.all([db.popular().rank(item), db.pageVariants({ item }).get()])
    if (rank === undefined || rank >= settings.cacheableRank) return undefined
    // As many again are kept for plain addresses, so that invented ones do not keep the page itself out of the cache.
    const most = settings.pageVariants * (isPlain(url) ? 2 : 1)
    return { item, isFull: settings.limits && variants >= most }
  }

  const render = async (url: URL): Promise<{ html: string; isDegraded: boolean }> => {
    const item = url.searchParams.get("item")
    if (item === null || !isRow(item)) return { html: itemPage(item, undefined), isDegraded: !redis.isUp }
    const { value, isDegraded } = await inventory.find(item)
    return { html: itemPage(item, value), isDegraded }
  }

  /** From the cache, or made now and stored. Where no more may be stored, one plain page is for all further hosts. */
  const getCached = async (url: URL, item: string, isFull: boolean): Promise<ServedPage | undefined> => {
    const hash = hashOf(url)
    const count = async () => {
      if (settings.limits) await db.$steps.countVariant({ item, ms: settings.pageTtl * 1000 })
    }
    if (!isFull) return getOrMake(hash, url, count)
    const html = await db.page({ hash }).get()
    if (html !== undefined) return { html, cache: "HIT", isDegraded: false }
    return isPlain(url) ? getOrMake(hashOf(url, ANY_HOST), url, async () => {}) : undefined
  }

  /** Made once, however many ask for it (SHOP-18). */
  const getOrMake = async (hash: string, url: URL, onMaking: () => Promise<void>): Promise<ServedPage> => {
    const page = db.page({ hash })
    let cache = "MISS" as ServedPage["cache"]
    const onOutcome = (outcome: CacheEvent["outcome"]) => (cache = outcome === "hit" ? "HIT" : "MISS")
    const load = async () => {
      await onMaking()
      return (await render(url)).html
    }
    const [html, left] = await Promise.all([page.cached(load, { jitter: 0, onOutcome }), page.ttl()])
    return { html, cache, isDegraded: false, ...(cache === "HIT" && ageFrom(left)) }
  }
  const ageFrom = (left: number | "never" | "missing") =>
    typeof left === "number" ? { age: Math.max(0, Math.round(settings.pageTtl - left / 1000)) } : {}

  return {
    /**
     * The page (SHOP-17); while Redis is unreachable, it is made for each request. A page that cannot be made is not
     * stored, nor are more than a few of the same item: strangers choose the other parameters.
     */
    async get(url: URL): Promise<ServedPage> {
      const known = await unlessAway(redis, async () => {
        const found = redis.isUp ? await cacheable(url) : undefined
        return found && getCached(url, found.item, found.isFull)
      })
      const page: ServedPage = known ?? { ...(await render(url)), cache: "BYPASS" }
      answers.add({ cache: page.cache.toLowerCase() })
      return page
    },
  }
}

/** SHOP-C8: the same in every process. Without the port, so that servers side by side share their pages. */
export function hashOf(url: URL, host = url.hostname.toLowerCase()): string {
  const query = [...url.searchParams].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const normal = `${host}${url.pathname}?${new URLSearchParams(query)}`
  return createHash("sha256").update(normal).digest("hex")
}

export type Pages = ReturnType<typeof pages>
