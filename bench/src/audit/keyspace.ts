/* One keyspace in the style of five: entities with indexes and mirrors, sessions and
 * caches, families of sets, dated counters, and hashes that are dictionaries. */

import {
  counter,
  day,
  entity,
  family,
  hash,
  id,
  int,
  inverse,
  json,
  keyspace,
  layout,
  list,
  map,
  oneOf,
  refersTo,
  sameIds,
  scope,
  secret,
  set,
  string,
  text,
  unixSeconds,
  zset,
} from "keywright"
import * as z from "zod"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const stamps = { createdAt: z.string(), updatedAt: z.string() }
const token = secret(id("token", { matching: /[A-Za-z0-9-]{1,64}/ }))
const member = id("member")
const channel = id("channel")
const post = id("post", int)

export const mixed = keyspace(
  {
    user: record(
      "user",
      json(z.object({ id: z.string(), name: z.string(), email: z.string(), password: z.string(), ...stamps })),
      {
        unique: { email: "email" },
        secret: ["password"],
      },
    ),
    dish: record(
      "dish",
      json(
        z.object({
          id: z.string(),
          name: z.string(),
          price: z.number(),
          categoryId: z.string(),
          stock: z.int(),
          ...stamps,
        }),
      ),
      {
        index: { category: ["categoryId", "category:{categoryId}:dishes"] },
      },
    ),
    order: record(
      "order",
      json(z.object({ id: z.string(), userId: z.string(), totalPrice: z.number(), status: z.string(), ...stamps })),
      {
        index: { user: ["userId", "user:{userId}:orders"] },
      },
    ),
    orderDetail: entity(
      "orderDetail:{id}",
      json(z.object({ id: z.string(), orderId: z.string(), dishId: z.string(), quantity: z.int(), price: z.number() })),
      {
        counter: "orderDetail:counter",
        all: "orderDetail:list",
        index: { order: ["orderDetail:index:order:{orderId}", "order:{orderId}:details"] },
      },
    ),

    login: map("login:", token, text),
    recent: zset("recent:", token, { score: unixSeconds }),
    viewed: zset("viewed:{token}", text, { score: unixSeconds, keep: 25, params: { token } }),
    basket: map("basket:{token}", text, int, { params: { token } }),
    page: string("cache:{hash}", text, { ttl: "1d" }),

    service: scope(
      "P:{project}:S:{service}:",
      {
        status: hash(
          "St:{member}",
          { behavioral_status: oneOf("online", "idle"), status_message: text },
          { ttl: "1d" },
        ),
        online: set("OnSub", member),
        contacts: list("C:{member}", member),
        channel: family(
          "Ch:{channel}",
          { ttl: "1d" },
          {
            info: hash("", { name: text, description: text }),
            subscribers: set(":Sub", member),
            owners: set(":Own", member),
          },
        ),
        subscriber: family("Sub:{member}:", { ttl: "1d" }, { channels: set("Ch", channel) }),
      },
      { params: { member, channel } },
    ),

    queries: counter("rails:users:{user}:queries:{day}", { params: { day } }),
    liked: set("{userId}_liked_posts", post, { params: { userId: int } }),
    preference: zset("{userId}_clgs_preference", post, { score: int, params: { userId: int } }),
  },
  {
    name: "mixed",
    ttl: "never",
    relations: {
      order: { user: { one: "user", from: "userId", inverse: "orders" } },
      orderDetail: {
        order: { one: "order", from: "orderId", inverse: "items" },
        dish: { one: "dish", from: "dishId" },
      },
    },
    invariants: [
      sameIds(token, ["login", "recent"]),
      refersTo(member, "service.online", "service.status"),
      inverse("service.channel.subscribers", "service.subscriber.channels"),
    ],
  },
)
