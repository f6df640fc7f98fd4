/* The shop: login cookies, carts, a cache of database rows, a cache of pages. */

import {
  arrayOf,
  at,
  compare,
  counter,
  drain,
  flag,
  float,
  id,
  int,
  json,
  keyspace,
  map,
  maybe,
  refersTo,
  replicated,
  sameIds,
  secret,
  sharded,
  step,
  string,
  text,
  tupleOf,
  zset,
} from "keywright"
import * as z from "zod"
import { counting, limitParams, loginLimitKeys, loginLimitSteps } from "../platform/limits/keys.ts"
import { luaBeside } from "../platform/lua.ts"
import { shardCountNote } from "../platform/shard-count.ts"

const token = secret(id("token", { matching: /[A-Za-z0-9-]{1,64}/ }))
export const item = id("item", { matching: /[^\s\p{C}]{1,256}/u, allow: ":{}*?[]\\" })
export const row = id("stock.row", { matching: /[^\s\p{C}:]{1,256}/u, allow: "{}*?[]\\" })
export const user = id("user", { matching: /[^\s\p{C}](\P{C}{0,254}[^\s\p{C}])?/u })

/** Seconds since 1970, with a fraction: two events in one second keep their order. Milliseconds would be beyond the year 9999. */
const unixTime = float({ min: 0, max: 253_402_300_799 })
/** Seconds between two refreshes: a thousand years are as good as never. */
export const LONGEST_DELAY = 31_556_952_000

/** Minus the number of views. */
const views = float({ max: 0 })
/** The refresher asks each of them twenty times a second. */
const MOST_ROW_SHARDS = 64

/** A row of the shop's own database: whatever columns it has. */
export const Row = z.record(z.string(), z.json())
export type Row = z.infer<typeof Row>

const lua = luaBeside(import.meta.url)

export interface ShopLimits {
  /** Seconds that a rendered page is kept. */
  readonly pageTtl?: number
  readonly viewedPerSession?: number
  /** Seconds until a pass of the refresher has seen to what is due. */
  readonly settlesIn?: number
  /** How many shards sessions are spread over; 0: the document's names. */
  readonly shards?: number
  /** How many replicas have a batch of views before it becomes part of the popularity. */
  readonly drainReplicas?: number
}

export const shopSchema = (limits: ShopLimits = {}) => {
  const { pageTtl = 300, viewedPerSession = 25, settlesIn = 5, shards = 0, drainReplicas = 0 } = limits
  const grace = `${settlesIn}s` as const
  // A key that every view writes would be on one node: with shards views are drained into the popularity.
  const counted = shards === 0 ? ("popular" as const) : ("session.views" as const)
  return keyspace(
    {
      // Login cookies
      session: sharded(shards, "token", {
        login: map("login:", token, user, { was: "login", doc: "Which user a session token belongs to." }),
        recent: zset("recent:", token, {
          was: "recent",
          score: unixTime,
          doc: "When each token was last seen, in unix seconds.",
        }),
        viewed: zset("viewed:{token}", item, {
          was: "viewed",
          score: unixTime,
          keep: viewedPerSession,
          doc: "Which items a session looked at, and when, in unix seconds: the newest only.",
        }),
        cart: map("cart:{token}", item, int({ min: 1 }), {
          was: "cart",
          doc: "How many of each item a session wants; never 0.",
        }),
        views: zset("keywright:shop:views", item, {
          score: views,
          doc: "With shards: views that are not part of the popularity yet. Without, always empty.",
        }),
      }),
      popular: zset("viewed:", item, {
        score: views,
        doc: "All items by popularity: the score is minus the number of views, halved now and then, so the lowest is the most popular.",
      }),

      // Rows of the database
      stock: sharded(Math.min(shards, MOST_ROW_SHARDS), "row", {
        row: string("inv:{row}", json(Row), { was: "row", doc: "A cached database row." }),
        delay: zset("delay:", row, {
          was: "delay",
          score: float({ max: LONGEST_DELAY }),
          doc: "Seconds between two refreshes of a row; 0 or less ends its caching at the next pass.",
        }),
        schedule: zset("schedule:", row, {
          was: "schedule",
          score: unixTime,
          doc: "When a row is copied to Redis next, in unix seconds.",
        }),
      }),

      // Pages
      pageVariants: counter("keywright:shop:variants:{item}", {
        ttl: `${pageTtl}s`,
        doc: "How many addresses of an item's page were stored, in the time for which a page is kept.",
      }),
      ...loginLimitKeys,
      shardCount: string("keywright:shop:shards", int, shardCountNote),
      page: string("cache:{hash}", text, {
        ttl: `${pageTtl}s`,
        evictable: true,
        doc: "A rendered page, by the digest of its normalised URL.",
      }),
    },
    {
      name: "shop",
      doc: "Sessions and carts by cookie, popularity of items, a scheduled cache of database rows and a page cache.",
      ttl: "never",
      params: { token, row, item, ...limitParams },
      invariants: [
        sameIds(token, ["session.login", "session.recent"], { doc: "A session has a user and a time, or neither." }),
        sameIds(row, ["stock.delay", "stock.schedule"], { doc: "A row is scheduled exactly while it has a delay." }),
        refersTo(token, "session.viewed", "session.login", { doc: "A session's views are removed with it." }),
        refersTo(token, "session.cart", "session.login", { doc: "A cart is removed with its session." }),
        refersTo(row, "stock.row", "stock.delay", { doc: "A row is cached only while it is refreshed." }),
        compare(at("stock.delay", "score"), ">", 0, {
          grace,
          doc: "The next pass of the refresher removes what has ended.",
        }),
      ],
      steps: {
        ...loginLimitSteps,
        countVariant: step({ ...counting, keys: ["pageVariants"], doc: "Counts one more address of a page." }),
        begin: step({
          script: lua("begin"),
          keys: ["session.login", "session.recent"],
          args: { session: token, user, now: float },
          returns: flag,
          doc: "Begins a session.",
        }),
        end: step({
          script: lua("end"),
          keys: ["session.login", "session.recent", "session.viewed", "session.cart"],
          args: { session: token },
          returns: flag,
          doc: "Ends a session, with its views and its cart.",
        }),
        view: step({
          script: lua("view"),
          keys: ["session.login", "session.recent", "session.viewed", counted],
          args: { session: token, item, now: float, keep: int, most: int, stay: int },
          returns: flag,
          doc: "Notes that a session looked at an item.",
        }),
        setInCart: step({
          script: lua("set-in-cart"),
          keys: ["session.login", "session.cart"],
          args: { session: token, item, quantity: int, most: int },
          returns: flag,
          doc: "Sets how many of an item a session wants.",
        }),
        clearCart: step({
          script: lua("clear-cart"),
          keys: ["session.login", "session.cart"],
          args: { session: token },
          returns: flag,
          doc: "Empties a session's cart.",
        }),
        clean: step({
          script: lua("clean"),
          keys: ["session.login", "session.recent", "session.viewed[]", "session.cart[]"],
          args: { limit: int, most: int, tokens: arrayOf(token), seen: arrayOf(float) },
          returns: tupleOf(int, int),
          doc: "Removes sessions that were not seen since they were chosen, and are still among the oldest ones over the limit.",
        }),
        scheduleRow: step({
          script: lua("schedule-row"),
          keys: ["stock.delay", "stock.schedule"],
          args: { id: row, delay: float, now: float },
          returns: flag,
          doc: "Has a row copied now, and then every `delay` seconds.",
        }),
        claimRow: step({
          script: lua("claim-row"),
          keys: ["stock.delay", "stock.schedule", "stock.row"],
          args: { id: row, due: float, now: float },
          returns: maybe(text),
          doc: "Takes a due row, so that one refresher loads it; or drops it.",
        }),
        storeRow: step({
          script: lua("store-row"),
          keys: ["stock.delay", "stock.row"],
          args: { id: row, json: json(Row) },
          returns: flag,
          doc: "Stores a row, if it is still to be cached.",
        }),
        dropRow: step({
          script: lua("drop-row"),
          keys: ["stock.delay", "stock.schedule", "stock.row"],
          args: { id: row, next: text },
          returns: flag,
          doc: "Drops a row that the source does not have, unless it was scheduled again.",
        }),
        trim: step({
          script: lua("trim"),
          keys: ["popular"],
          args: { most: int, stay: int },
          returns: int,
          doc: "Limits how many items have a popularity.",
        }),
        rescale: step({
          script: lua("rescale"),
          keys: ["popular"],
          args: { keep: int },
          returns: int,
          doc: "Trims the popularity to the most popular items, and halves it.",
        }),
      },
      drains: {
        views: drain({
          from: "session.views",
          into: "popular",
          durability: drainReplicas === 0 ? "fast" : replicated(drainReplicas),
          doc: "With shards: adds views to the popularity.",
        }),
      },
    },
  )
}

export const shop = shopSchema()
