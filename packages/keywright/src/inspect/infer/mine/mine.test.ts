/* Patterns from keys: forms of segments, and what well-known software writes. */

import { describe, expect, it } from "vitest"
import { type Learned, mine } from "./mine.ts"
import { hex, NAMES, name, token, two, uuid } from "./segments.cases.ts"

/** Keys of one kind: how many, what they look like, the shape of their values and the fields. */
type Some = readonly [count: number, key: (n: number) => string, shape: string, fields?: readonly string[]]

const learned = (some: readonly Some[]): Learned[] =>
  some.flatMap(([count, key, shape, fields]) =>
    Array.from({ length: count }, (_, n) => ({ key: key(n + 1), shape, ...(fields && { fields }) })),
  )

/** `{}` for text, `{int}`, `{day}` …; one line for each pattern. */
const patterns = (some: readonly Some[]): string[] =>
  mine(learned(some))
    .map(({ parts }) =>
      parts
        .map((part) => {
          if (typeof part === "string") return part
          const shown = part.kind === "text" ? "{}" : `{${part.kind}}`
          return part.tag ? `{${shown}}` : shown
        })
        .join(""),
    )
    .sort()

describe("forms of segments", () => {
  it.each<[what: string, key: (n: number) => string, pattern: string]>([
    ["numbers", (n) => `user:${n}`, "user:{int}"],
    ["UUIDs", (n) => `user:${uuid(n)}`, "user:{}"],
    ["ULIDs", (n) => `user:01ARZ3NDEKTSV4RRFFQ69G5F${two(n)}`, "user:{}"],
    ["digests", (n) => `cache:${hex(n, 40)}`, "cache:{}"],
    ["tokens", (n) => `sess:${token(n)}`, "sess:{}"],
    ["days", (n) => `log-2026-01-${two(n)}`, "log-{day}"],
    ["months", (n) => `usage:2026-${two((n % 12) + 1)}`, "usage:{month}"],
    ["days without dashes", (n) => `usage:202601${two(n)}`, "usage:{compactDay}"],
    ["dates with slashes", (n) => `access/2026/01/${two(n)}`, "access/{}"],
    ["dates without zeros", (n) => `log-2026-1-${n}`, "log-{}"],
    ["e-mail addresses", (n) => `login:u${n}@example.com`, "login:{}"],
    ["addresses", (n) => `block:10.0.0.${n}`, "block:{}"],
    ["what precedes an address", (n) => `limit-GET/b-10.0.0.${n}`, "limit-GET/b-{}"],
    ["slugs", (n) => `product:${name(n)}-${name(n + 3)}-${n}`, "product:{}"],
    ["tagged ids", (n) => `contact:u_${n}`, "contact:{}"],
    ["words", (n) => `user:${name(n)}`, "user:{}"],
    ["literals after a parameter", (n) => `cart:${n}:items`, "cart:{int}:items"],
    ["a parameter first", (n) => `${n}_liked_posts`, "{int}_liked_posts"],
    ["a name first", (n) => `${name(n)}_liked_posts`, "{}_liked_posts"],
    ["a number at the end of a word", (n) => `recent_posts_for_category${n}`, "recent_posts_for_category{int}"],
    ["dots", (n) => `app.user.${n}.name`, "app.user.{int}.name"],
    ["slashes", (n) => `app/user/${n}/name`, "app/user/{int}/name"],
    ["bars", (n) => `app|user|${n}|name`, "app|user|{int}|name"],
    ["mixed separators", (n) => `app/user:${n}_profile`, "app/user:{int}_profile"],
    ["hash tags", (n) => `{user:${n}}:cart`, "{{}}:cart"],
    ["a hash tag inside", (n) => `cart:{${n}}:items`, "cart:{{}}:items"],
    ["an at sign", (n) => `acl_users@user${n}`, "acl_users@{}"],
    ["an at sign in an address behind it", (n) => `mail@u${n}@example.com`, "mail@{}"],
    ["dots beside colons", (n) => `app.catalog:product.${n * 37}`, "app.catalog:product.{int}"],
    ["standard base64", (n) => `sess:${Buffer.from(token(n)).toString("base64")}`, "sess:{}"],
    ["braces that are no tag", (n) => `job:{"n":${n}}`, "job:{{}}"],
  ])("%s", (_, key, pattern) => {
    expect(patterns([[16, key, "string:text"]])).toEqual([pattern])
  })

  it.each([20, 200, 3000])("takes %i tokens for tokens, whatever words stand in them by chance", (count) => {
    expect(patterns([[count, (n) => `P:7:AccTok:${token(n)}`, "hash", ["user", "tenant"]]])).toEqual([
      "P:{int}:AccTok:{}",
    ])
  })

  it("keeps patterns apart that differ in type, though their names are alike", () => {
    expect(
      patterns([
        [20, (n) => `user:${name(n)}${n}`, "string:document", ["id", "name"]],
        [1, () => "user:list", "set"],
        [1, () => "user:counter", "string:int"],
        [12, (n) => `user:index:email:${name(n)}@example.com`, "string:text"],
      ]),
    ).toEqual(["user:counter", "user:index:email:{}", "user:list", "user:{}"])
  })

  it("takes numbers for kinds where they say what a key holds, and else for ids", () => {
    const queues = ["mails", "images"]
    const of = (number: number, type: string): Some => [2, (n) => `app:${number}:${queues[n - 1]!}`, type]
    expect(patterns([of(13, "hash"), of(1, "list")])).toEqual(
      ["13:images", "13:mails", "1:images", "1:mails"].map((rest) => `app:${rest}`),
    )
    expect(patterns([of(13, "hash"), of(1, "hash")])).toEqual(["app:{int}:images", "app:{int}:mails"])
    // One key of another type is damage, whatever its number.
    expect(patterns([of(13, "hash"), [1, () => "app:1:mails", "list"]])).toEqual([
      "app:{int}:images",
      "app:{int}:mails",
    ])
  })

  it("keeps entities apart that follow one convention", () => {
    const entity = (type: string, ...fields: string[]): Some[] => [
      [9, (n) => `app:${type}:${n}`, "string:document", ["id", ...fields]],
      [1, () => `app:${type}:list`, "set"],
      [1, () => `app:${type}:counter`, "string:int"],
    ]
    const found = patterns([
      ...entity("user", "name", "email", "password"),
      ...entity("dish", "price", "stock", "title"),
      ...entity("order", "total", "status", "userId"),
      ...entity("cart", "items", "owner", "until"),
    ])
    expect(found).toHaveLength(12)
    expect(found).toContain("app:dish:{int}")
  })

  it("takes words that are names elsewhere for names, whatever follows them", () => {
    const tenants = ["acme", "globex", "initech"]
    const found = patterns([
      [30, (n) => `feature:${tenants[n % 3]}:beta`, "string:text"],
      [3, (n) => `hits:${tenants[n % 3]}:${["de", "en", "fr"][n % 3]}`, "string:int"],
      [3, (n) => `board@${tenants[n % 3]}`, "zset"],
    ])
    expect(found).toEqual(["board@{}", "feature:{}:beta", "hits:{}:{}"])
  })

  it("explains nothing by one parameter for keys of any form", () => {
    expect(patterns([[20, (n) => `${name(n)} ${n} ${name(n + 1)}`, "set"]])).toEqual([])
    expect(patterns([[20, (n) => uuid(n), "set"]])).toEqual(["{}"])
  })

  it("takes the names of queues for names", () => {
    const queue = (name: string): Some[] => [
      [8, (n) => `bull:${name}:${n}`, "hash", ["name", "data", "opts"]],
      [1, () => `bull:${name}:wait`, "list"],
      [1, () => `bull:${name}:meta`, "hash", ["version"]],
      [1, () => `bull:${name}:completed`, "zset"],
    ]
    expect(patterns([...queue("mails"), ...queue("images")])).toEqual([
      "bull:{}:completed",
      "bull:{}:meta",
      "bull:{}:wait",
      "bull:{}:{int}",
    ])
  })

  it("takes a few words for names that are names elsewhere", () => {
    const found = patterns([
      [12, (n) => `user:${name(n)}`, "hash", ["mail", "plan"]],
      [4, (n) => `app:seen:${name(n)}`, "string:float"],
      [1, () => "app:seen:somebody", "string:text"],
    ])
    expect(found).toEqual(["app:seen:somebody", "app:seen:{}", "user:{}"])
  })

  it("keeps seconds apart from counts, though some of them are whole", () => {
    const verbs = ["select", "insert", "update", "delete"]
    const found = patterns([
      [24, (n) => `q:${n % 6}:2026-1${n % 2}:${verbs[n % 4]}`, "string:int"],
      [8, (n) => `q:${n % 6}:2026-1${n % 2}:time`, "string:float"],
      [2, (n) => `q:${7 + n}:2026-10:time`, "string:int"],
    ])
    expect(found).toContain("q:{int}:{month}:time")
  })

  it("takes a word among ids for an id where it continues as they do, and otherwise for a literal", () => {
    const channel = (id: string): Some[] => [
      [1, () => `ch:${id}`, "hash", ["name", "about"]],
      [1, () => `ch:${id}:members`, "set"],
    ]
    const found = patterns([
      ...[1, 2, 3, 4, 5].flatMap((n) => channel(uuid(n))),
      ...channel("general"),
      [2, (n) => `ch:${uuid(n)}:banned`, "set"],
      [1, () => "ch:defaults", "hash", ["limit", "colour"]],
    ])
    expect(found).toEqual(["ch:defaults", "ch:{}", "ch:{}:banned", "ch:{}:members"])
  })
})

/** As their documentation and sources have it; the patterns are those that a person would write. */
const software: Readonly<Record<string, { readonly keys: readonly Some[]; readonly patterns: readonly string[] }>> = {
  Sidekiq: {
    keys: [
      [1, () => "queues", "set"],
      [3, (n) => `queue:${["default", "mailers", "low"][n - 1]}`, "list"],
      [1, () => "schedule", "zset"],
      [1, () => "retry", "zset"],
      [1, () => "dead", "zset"],
      [1, () => "processes", "set"],
      [9, (n) => `stat:processed:2026-01-${two(n)}`, "string:int"],
      [9, (n) => `stat:failed:2026-01-${two(n)}`, "string:int"],
      [1, () => "stat:processed", "string:int"],
      [1, () => "stat:failed", "string:int"],
    ],
    patterns: ["stat:processed:{day}", "stat:failed:{day}", "stat:processed", "queues", "dead"],
  },
  Celery: {
    keys: [
      [1, () => "celery", "list"],
      [1, () => "_kombu.binding.celery", "set"],
      [1, () => "_kombu.binding.celeryev", "set"],
      [1, () => "unacked", "hash:map"],
      [1, () => "unacked_index", "zset"],
      [40, (n) => `celery-task-meta-${uuid(n)}`, "string:document", ["status", "result", "task_id"]],
    ],
    patterns: ["celery", "celery-task-meta-{}", "unacked", "unacked_index"],
  },
  Laravel: {
    keys: [
      [40, (n) => `laravel_database_laravel_cache:${hex(n, 40)}`, "string:php"],
      [30, (n) => `laravel_database_${token(n).slice(0, 40)}`, "string:php"],
      [2, (n) => `laravel_database_queues:${["default", "mail"][n - 1]}`, "list"],
      [1, () => "laravel_database_queues:default:reserved", "zset"],
    ],
    patterns: ["laravel_database_laravel_cache:{}"],
  },
  Django: {
    keys: [
      [
        40,
        (n) => `:1:views.decorators.cache.cache_page..GET.${hex(n, 32)}.${hex(n + 9, 32)}.en-us.UTC`,
        "string:pickle",
      ],
      [40, (n) => `:1:django.contrib.sessions.cache${hex(n, 32)}`, "string:pickle"],
      [20, (n) => `:1:user_profile_${n}`, "string:pickle"],
    ],
    patterns: [":1:user_profile_{int}"],
  },
  "Spring Data Redis": {
    keys: [
      [1, () => "people", "set"],
      [30, (n) => `people:${uuid(n)}`, "hash", ["_class", "id", "firstname"]],
      [30, (n) => `people:${uuid(n)}:idx`, "set"],
      [30, (n) => `people:${uuid(n)}:phantom`, "hash", ["_class", "id", "firstname"]],
      [12, (n) => `people:firstname:${name(n)}`, "set"],
    ],
    patterns: ["people", "people:{}", "people:{}:idx", "people:{}:phantom", "people:firstname:{}"],
  },
  "Rails sessions and cache": {
    keys: [
      [40, (n) => `session:2::${hex(n, 64)}`, "string:marshal"],
      [40, (n) => `cache:views/posts/${n}-20260101/${hex(n, 32)}`, "string:marshal"],
    ],
    patterns: ["session:2::{}"],
  },
  Redisson: {
    keys: [
      [3, (n) => `redisson__timeout__set:{map${n}}`, "zset"],
      [3, (n) => `redisson__idle__set:{map${n}}`, "zset"],
      [3, (n) => `map${n}`, "hash:map"],
      [20, (n) => `redisson_lock__channel:{order:${n}}`, "hash:map"],
    ],
    patterns: ["redisson__timeout__set:{{}}", "redisson__idle__set:{{}}", "redisson_lock__channel:{{}}"],
  },
  "WordPress object cache": {
    keys: [
      [40, (n) => `wp:posts:${n}`, "string:php"],
      [40, (n) => `wp:post_meta:${n}`, "string:php"],
      [30, (n) => `wp:users:${n}`, "string:php"],
      [1, () => "wp:options:alloptions", "string:php"],
      [1, () => "wp:options:notoptions", "string:php"],
      [30, (n) => `wp:transient:feed_${hex(n, 32)}`, "string:php"],
    ],
    patterns: ["wp:posts:{int}", "wp:post_meta:{int}", "wp:users:{int}", "wp:options:alloptions"],
  },
  "PHP sessions": {
    keys: [[40, (n) => `PHPREDIS_SESSION:${hex(n, 26)}`, "string:text"]],
    patterns: ["PHPREDIS_SESSION:{}"],
  },
  "a tenant's keys": {
    keys: NAMES.slice(0, 9).flatMap((tenant): Some[] => [
      [6, (n) => `t:${tenant}:users:${n}`, "hash", ["name", "mail"]],
      [1, () => `t:${tenant}:settings`, "hash", ["theme", "lang"]],
    ]),
    patterns: ["t:{}:users:{int}", "t:{}:settings"],
  },
}

describe("keys that other software writes", () => {
  it.each(Object.entries(software))("%s", (_, { keys, patterns: expected }) => {
    const found = patterns(keys)
    for (const pattern of expected) expect(found).toContain(pattern)
    // Never a pattern for each key.
    expect(found.length).toBeLessThanOrEqual(keys.length + 4)
  })
})
