/* Three keyspaces that together use every part of the language: plain keys with
 * invariants; scopes, families and databases; entities with relations. */

import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import * as v from "valibot"
import * as z from "zod"
import {
  anyOf,
  at,
  bigint,
  bitmap,
  bytes,
  compactDay,
  compare,
  compressed,
  counter,
  csv,
  database,
  day,
  decimal,
  delimited,
  either,
  upTo,
  entity,
  excludes,
  family,
  fixed,
  flag,
  float,
  geo,
  hash,
  hyperloglog,
  id,
  int,
  inverse,
  isoInstant,
  json,
  keyOf,
  keyspace,
  layout,
  list,
  many,
  map,
  messagePack,
  month,
  oneOf,
  optional,
  php,
  refersTo,
  replicated,
  sameIds,
  scope,
  secret,
  set,
  sliding,
  stream,
  string,
  tagged,
  text,
  unixMillis,
  unixSeconds,
  zset,
} from "../../index.ts"

const token = id("token", { matching: /[0-9a-f-]{4,36}/, example: "eb93-1a27" })
const user = id("user")
const item = id("item", int)

/** A shop: sessions, carts, cached rows and pages, and one of every other kind. */
export const shop = keyspace(
  {
    login: map("login:", secret(token), user, { doc: "Which user a session token belongs to.", secret: ["token"] }),
    recent: zset("recent:", secret(token), { score: unixSeconds, keep: 10_000_000 }),
    viewed: zset("viewed:{token}", item, { score: unixMillis, keep: 25, ttl: sliding("30d") }),
    popular: zset("viewed:", item, {
      score: float({ max: 0 }),
      doc: "The score is minus the number of views.",
    }),
    cart: map("cart:{token}", item, int({ min: 1, max: 1_000_000 }), { writes: ["web"], reads: ["web", "checkout"] }),
    row: string("inv:{row}", json(type({ qty: "number", name: "string", "note?": "string" })), {
      params: { row: int },
      evictable: true,
    }),
    page: string("cache:{hash}", compressed(text), { ttl: "5m", was: "html" }),
    shared: string("shared:{hash}", compressed(json(z.object({ html: z.string() })), { format: "gzip" }), {
      ttl: "5m",
    }),
    packed: string("packed:{hash}", messagePack(json(z.object({ html: z.string() }))), { ttl: "5m" }),
    fromPhp: string("php:{hash}", php(json(z.object({ html: z.string() }))), { ttl: "5m" }),
    thumbnail: string("thumb:{hash}", bytes, { ttl: "1.5h", was: ["small", "tiny"] }),
    limit: counter("limit:{ip}", { ttl: fixed("1m"), params: { ip: id("ip", { allow: ":" }) } }),
    balance: counter("balance:{user}", { value: float, params: { user } }),
    orders: counter("orders:total", { value: bigint }),
    log: list("log-{day}", delimited("#", { ip: text, controller: text, action: text }), {
      params: { day },
      keep: 1000,
      deprecated: "deactivated",
      when: "the setting queriesLog is on",
    }),
    prices: hash(
      "prices:{month}",
      { gross: decimal, net: optional(decimal), seen: compactDay },
      { params: { month }, reserved: ["vat"] },
    ),
    events: stream("events", { at: isoInstant, kind: oneOf("view", "buy"), by: optional(secret(user)) }, { keep: 1e6 }),
    seen: bitmap("seen:{day}", { params: { day } }),
    views: zset("views:{page}", anyOf(compactDay, oneOf("total")), { score: int({ min: 0 }) }),
    visitors: hyperloglog("visitors:{day}", user, { params: { day } }),
    shops: geo("shops", id("shop")),
    challenge: map(
      "challenge",
      int,
      csv({ category: oneOf(1, 2, 3), open: flag, days: many(int, ";", { length: 5 }) }),
    ),
  },
  {
    name: "shop",
    doc: "Sessions, carts and caches.",
    reserved: ["session"],
    ttl: "never",
    params: { token: secret(token) },
    invariants: [
      sameIds(token, ["login", "recent"], { doc: "Both forget a session together." }),
      refersTo(token, "viewed", "login"),
      refersTo(token, at("cart", "{token}"), ["login", at("recent", "member")], { grace: "10s" }),
      compare(at("challenge", "value.days.length"), "=", 5, { doc: "Five days." }),
    ],
  },
)

const channel = id("channel")

/** A messenger in two databases: scopes in scopes, families with one deadline. */
const messenger = keyspace(
  {
    live: database(
      0,
      "live",
      {
        service: scope(
          "P:{project}:S:{service}:",
          {
            status: hash("St:{user}", { state: oneOf("online", "idle"), message: optional(text) }, { ttl: "10m" }),
            contacts: list("C:{user}", tagged({ u_: user, c_: channel }), { ttl: either("30s", "never") }),
            channel: family(
              "Ch:{channel}",
              { ttl: "3h", doc: "Loaded and forgotten as a whole.", marker: "info" },
              { info: hash("", { name: text }), subscribers: set(":Sub", user) },
            ),
            subscriber: family("Sub:{user}:", { ttl: "3h" }, { channels: set("Ch", channel) }),
            banned: set("Ban:{channel}", user),
            online: set("OnSub", user),
          },
          { params: { user, channel }, ttl: "never", evictable: false, was: "live.tenant" },
        ),
        tokenKeys: map("TokensKeys", token, keyOf({ refresh: "RefTok:{token}", access: "AccTok:{token}" })),
      },
      { doc: "What is online now." },
    ),
    spare: database(4, "reserved", {}, { doc: "Nothing is kept here." }),
  },
  {
    name: "messenger",
    invariants: [
      inverse("live.service.channel.subscribers", "live.service.subscriber.channels", {
        truth: "live.service.subscriber.channels",
      }),
      excludes("live.service.banned", "live.service.subscriber.channels"),
      compare(at("live.tokenKeys", "value.params.token"), "=", at("live.tokenKeys", "field", { otherwise: "none" })),
    ],
  },
)

const record = layout({
  key: "{entity}:{id}",
  all: "{entity}:list",
  counter: "{entity}:counter",
  index: "{entity}:index:{index}:{value}",
})

const Role = v.object({ id: v.string(), name: v.string() })
const User = z.object({ id: z.string(), email: z.email(), roleId: z.string(), age: z.int(), active: z.boolean() })

/** A restaurant: entities by a layout and by hand, with relations. */
const restaurant = keyspace(
  {
    role: record("role", json(toStandardJsonSchema(Role)), { unique: { name: "name" }, doc: "What a user may do." }),
    user: entity("user:{id}", json(User), {
      counter: "user:counter",
      all: "user:list",
      unique: { email: "user:index:email:{email}" },
      index: {
        role: ["user:index:role:{roleId}", "role:{roleId}:users"],
        adults: { patterns: "user:index:adults:{active}", where: { active: true }, score: "age" },
      },
      stamps: true,
      durability: replicated(1),
      secret: ["email"],
    }),
    permission: entity(
      "permission:{id}",
      { id: text, name: text, method: oneOf("GET", "POST") },
      { ids: "uuid", ttl: upTo("90d") },
    ),
    rolePermissions: set("role:{roleId}:permissions", id("permission")),
  },
  {
    name: "restaurant",
    relations: {
      user: { role: { one: "role", from: "roleId", inverse: "users", doc: "Exactly one." } },
      role: { permissions: { many: "permission", through: "rolePermissions", mayDangle: true } },
    },
  },
)

export const keyspaces = { shop, messenger, restaurant }
