/* A messenger's channels and subscribers, and a family with every kind, for tests. */

import {
  bytes,
  counter,
  family,
  float,
  hash,
  id,
  int,
  keyspace,
  list,
  map,
  optional,
  set,
  string,
  text,
  zset,
} from "keywright"

const user = id("user")

export const messenger = keyspace(
  {
    channel: family(
      "Ch:{channel}",
      { ttl: "3h", marker: "info" },
      {
        subscribers: set(":Sub", user),
        info: hash("", { name: text, topic: optional(text) }),
        banned: set(":BanSub", user),
        hits: counter(":Hits"),
      },
    ),
    subscriber: family("Sub:{user}:", { ttl: "3h" }, { contacts: set("C", user), channels: set("Ch", text) }),
    everything: family(
      "All:{id}:",
      { ttl: "1h" },
      {
        text: string("text", text),
        bytes: string("bytes", bytes),
        counter: counter("counter"),
        hash: hash("hash", { a: int, b: optional(text) }),
        map: map("map", text, int),
        list: list("list", int),
        set: set("set", int),
        zset: zset("zset", text, { score: float }),
        newest: list("newest", int, { keep: 2 }),
        best: zset("best", text, { keep: 2 }),
      },
    ),
  },
  { params: { user } },
)
