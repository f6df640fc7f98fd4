import { expect, it } from "vitest"
import { allSoftware, recognise } from "./recognise.ts"

type SeenKey = Parameters<typeof recognise>[0][number]
type Parts = ReturnType<typeof recognise>["known"][number]["parts"]
const spelled = (parts: Parts): string =>
  parts.map((part) => (typeof part === "string" ? part : `{${part.kind}}`)).join("")

const U = "0192f0c4-7a1e-7001-8abc-000000007919"
const key = (text: string, shape: string, fields?: readonly string[], atom?: SeenKey["atom"]): SeenKey => ({
  key: text,
  shape,
  ...(fields && { fields }),
  ...(atom && { atom }),
})
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const shown = (keys: readonly SeenKey[]) => {
  const { known, rest } = recognise(keys)
  return [...known.map(({ parts }) => spelled(parts)).sort(), ...rest.map((one) => `? ${one.key}`)]
}

it.each<[string, SeenKey[], string[]]>([
  [
    "RQ",
    [key(`rq:job:${U}`, "hash"), key("rq:queue:default", "list"), key("rq:queues", "set"), key("rq:mine", "hash")],
    ["rq:job:{text}", "rq:queue:{text}", "rq:queues", "? rq:mine"],
  ],
  [
    "Celery, whose queues have no prefix",
    [
      key("mails", "list:document", ["body", "headers", "properties"]),
      key("log", "list:document", ["at"]),
      key("_kombu.binding.mails", "set"),
    ],
    ["_kombu.binding.{text}", "{text}", "? log"],
  ],
  [
    "BullMQ under another prefix",
    [key("app:mails:meta", "hash"), key("app:mails:events", "stream"), key("app:mails:7", "hash"), key("app:x", "set")],
    ["app:{text}:events", "app:{text}:meta", "app:{text}:{text}", "? app:x"],
  ],
  [
    "Bull",
    [key("bull:mails:id", "string:int"), key("bull:mails:stalled-check", "string:int"), key("bull:mails:7", "hash")],
    ["bull:{text}:id", "bull:{text}:stalled-check", "bull:{text}:{text}"],
  ],
  [
    "Kue",
    [key("q:job:types", "set"), key("q:jobs", "zset"), key("q:ids", "string:int"), key("q:jobs:mail:failed", "zset")],
    ["q:ids", "q:job:types", "q:jobs", "q:jobs:{text}:{text}"],
  ],
  [
    "nohm under another prefix",
    [
      key("shop:meta:version:User", "string:text"),
      key("shop:idsets:User", "set"),
      key("shop:uniques:User:mail:a@b.de:c", "string:int"),
    ],
    ["shop:idsets:{text}", "shop:meta:version:{text}", "shop:uniques:{text}:{text}:{text}"],
  ],
  [
    "Django with its version",
    [key(":1:django.contrib.sessions.cachekx81", "string:pickle"), key(":1:product.7", "string:pickle")],
    [":1:django.contrib.sessions.cache{text}", "? :1:product.7"],
  ],
  ["sessions", [key("sess:kx81", "string:document", ["cookie"])], ["sess:{text}"]],
  [
    "Spring Session",
    [key(`spring:session:sessions:${U}`, "hash"), key(`spring:session:sessions:expires:${U}`, "string:text")],
    ["spring:session:sessions:expires:{text}", "spring:session:sessions:{text}"],
  ],
  [
    "Spring cache, each cache by itself, in both forms that it is written in, and nothing else with two colons",
    [
      key("products::42", "string:java"),
      key("products::SimpleKey []", "string:java"),
      key("users::a:7", "string:document", ["@class", "name"]),
      key("std::string", "string:document", ["name"]),
      key("std::map", "string:text"),
    ],
    ["products::{text}", "users::{text}", "? std::string", "? std::map"],
  ],
  ["Spring cache of very many caches", times(40, (n) => key(`cache-${n}::1`, "string:java")), ["{text}::{text}"]],
  [
    "locks that tokens hold, and not other keys that are called so",
    [
      key("lock:invoice:7", "string:text", undefined, "hex"),
      key("locks:a", "string:text", undefined, "uuid"),
      key("lock:door", "string:text", undefined, "word"),
      key("lock:count", "string:int", undefined, "int"),
    ],
    ["lock:invoice:{text}", "locks:{text}", "? lock:door", "? lock:count"],
  ],
  [
    "redis-semaphore by its UUIDs",
    [
      key("mutex:order:7", "string:text", undefined, "uuid"),
      key("semaphore:export:de", "zset"),
      key("mutex:door", "string:text", undefined, "word"),
    ],
    ["mutex:{text}", "semaphore:{text}", "? mutex:door"],
  ],
  [
    "RedisSMQ, whose kinds of keys are numbered, with its version",
    [
      key("redis-smq-800.26:default:13:mails", "hash"),
      key("redis-smq-800.26:default:1:mails", "list"),
      key("redis-smq-800.26:global:17", "set"),
      key(`redis-smq-800.26:global:24:${U}`, "hash"),
    ],
    [
      "redis-smq-800.26:global:17",
      "redis-smq-800.26:global:24:{text}",
      "redis-smq-800.26:{text}:13:{text}",
      "redis-smq-800.26:{text}:1:{text}",
    ],
  ],
  [
    "Bottleneck, whose limiters have any name",
    [key("b_mail_out-7_settings", "hash"), key("b_mail_out-7_client_running", "zset"), key("b_x", "hash")],
    ["b_{text}_client_running", "b_{text}_settings", "? b_x"],
  ],
  [
    "Faye under another prefix",
    [key("chat/clients", "zset"), key("chat/clients/kx81/channels", "set"), key("chat/channels/room/7", "set")],
    ["chat/channels/{text}", "chat/clients", "chat/clients/{text}/channels"],
  ],
  ["cacheman", [key("cacheman:cacheman:users:7", "string:document")], ["cacheman:cacheman:{text}:{text}"]],
  [
    "one key alone, which may be anybody's",
    [key("queues", "set"), key("rq:queues", "set")],
    ["? queues", "? rq:queues"],
  ],
  ["a key of another type", [key("rq:queues", "list"), key("rq:workers", "set")], ["? rq:queues", "? rq:workers"]],
])("knows %s", (_, keys, patterns) => {
  expect(shown(keys)).toEqual(patterns)
})

it("says which parameters open doors", () => {
  const { known } = recognise([key("sio:session:kx81", "string:document")])
  expect(known[0]!.known).toMatchObject({ names: ["session"], secret: [true] })
})

it("is a table that is well-formed: types of Redis, signs that are keys, a name each", () => {
  const types = new Set(["string", "hash", "list", "set", "zset", "stream"])
  expect(new Set(allSoftware.map(({ name }) => name)).size).toBe(allSoftware.length)
  for (const { keys, signs = [], fields = {}, looks = {} } of allSoftware) {
    for (const one of keys) expect(types.has(one.split(" ")[1]!), one).toBe(true)
    for (const one of [...signs, ...Object.keys(fields), ...Object.keys(looks)]) expect(keys).toContain(one)
  }
})
