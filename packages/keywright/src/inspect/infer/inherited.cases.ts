/* Keyspaces as people inherit them: what frameworks and products write, by their
 * documentation and sources, and what teams make up. Beside each kind of key the pattern
 * that its author would have written. */

import type { Command } from "../../driver/driver.ts"
import { hex, name, token, two, uuid } from "./mine/segments.cases.ts"

/** How many, the pattern, the keys, how one is written, and seconds to live. */
type Some = readonly [
  count: number,
  pattern: string,
  key: (n: number) => string,
  write: (n: number) => (key: string) => Command,
  ttl?: number,
]

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)
const ip = (n: number): string => `10.${n % 7}.${(n * 13) % 255}.${n % 255}`
const one =
  (...texts: readonly string[]) =>
  (n: number): string =>
    texts[n % texts.length]!

const text =
  (value: string | Buffer) =>
  (key: string): Command => ["SET", key, value]
const json = (value: object) => text(JSON.stringify(value))
const hash =
  (fields: Readonly<Record<string, string | number | Buffer>>) =>
  (key: string): Command => [
    "HSET",
    key,
    ...Object.entries(fields).flatMap(([field, value]) => [field, typeof value === "number" ? String(value) : value]),
  ]
const set =
  (...members: readonly (string | number)[]) =>
  (key: string): Command => ["SADD", key, ...members.map(String)]
const list =
  (...items: readonly string[]) =>
  (key: string): Command => ["RPUSH", key, ...items]
const zset =
  (score: number, member: string) =>
  (key: string): Command => ["ZADD", key, String(score), member]

const php = (n: number) => text(`a:2:{s:2:"id";i:${n};s:4:"name";s:5:"alice";}`)
const java = (n: number): Buffer => Buffer.from(`aced00057372000e6a6176612e6c616e672e4c6f6e67${hex(n, 4)}ff`, "hex")
const marshal = (n: number) => text(Buffer.from(`04086f3a20${hex(n, 8)}ff`, "hex"))
const pickle = (n: number) => text(Buffer.from(`80049500000000000000${hex(n, 8)}ff2e`, "hex"))
const job = (n: number) => list(JSON.stringify({ class: "Mail", args: [n], jid: hex(n, 24), retry: true }))

export const inherited: Readonly<Record<string, readonly Some[]>> = {
  "Laravel: two queues, digests, sessions": [
    [60, "app_cache_:{}", (n) => `app_cache_:${hex(n, 40)}`, php, 3600],
    [25, "app_cache_:user.{}.perms", (n) => `app_cache_:user.${n}.perms`, php, 3600],
    [40, "app_session:{}", (n) => `app_session:${token(n)}`, php, 7200],
    [2, "app_queues:{}", (n) => `app_queues:${one("default", "emails")(n)}`, job],
    [2, "app_queues:{}:notify", (n) => `app_queues:${one("default", "emails")(n)}:notify`, () => list("1")],
    [
      2,
      "app_queues:{}:reserved",
      (n) => `app_queues:${one("default", "emails")(n)}:reserved`,
      (n) => zset(n, hex(n, 8)),
    ],
  ],
  "WordPress: words before nothing but ids": [
    ...["posts", "post_meta", "terms", "users", "user_meta", "comments", "sites", "blogs", "links"].map(
      (word): Some => [30, `wp_:${word}:{}`, (n) => `wp_:${word}:${n}`, php],
    ),
    [20, "wp_:userlogins:{}", (n) => `wp_:userlogins:${name(n)}`, (n) => text(String(n))],
    [20, "wp_:transient:feed_{}", (n) => `wp_:transient:feed_${hex(n, 32)}`, php, 43_200],
    [1, "wp_:options:alloptions", () => "wp_:options:alloptions", php],
    [1, "wp_:posts:last_changed", () => "wp_:posts:last_changed", () => text("0.12 1767225600")],
  ],
  "Spring Session: packed fields, odd names": [
    [
      40,
      "spring:session:sessions:{}",
      (n) => `spring:session:sessions:${uuid(n)}`,
      (n) =>
        hash({ creationTime: java(n), lastAccessedTime: java(n + 1), "sessionAttr:SECURITY_CONTEXT": java(n + 2) }),
      2100,
    ],
    [
      40,
      "spring:session:sessions:expires:{}",
      (n) => `spring:session:sessions:expires:${uuid(n)}`,
      () => text(""),
      1800,
    ],
    [
      20,
      "spring:session:expirations:{}",
      (n) => `spring:session:expirations:${1.76e12 + n}`,
      (n) => set(uuid(n)),
      2100,
    ],
    [
      15,
      "spring:session:index:FindByIndexNameSessionRepository.PRINCIPAL_NAME:{}",
      (n) => `spring:session:index:FindByIndexNameSessionRepository.PRINCIPAL_NAME:${name(n)}`,
      (n) => set(uuid(n)),
    ],
  ],
  "Spring Data: a word where ids stand": [
    [
      30,
      "acme.Person:{}",
      (n) => `acme.Person:${uuid(n)}`,
      (n) => hash({ _class: "acme.Person", id: uuid(n), first: name(n) }),
    ],
    [30, "acme.Person:{}:idx", (n) => `acme.Person:${uuid(n)}:idx`, (n) => set(`acme.Person:first:${name(n)}`)],
    [20, "acme.Person:first:{}", (n) => `acme.Person:first:${name(n)}`, (n) => set(uuid(n))],
    [30, "products::{}", (n) => `products::SKU-${n}`, (n) => json({ "@class": "acme.Product", id: n }), 600],
  ],
  "Rails: fragments, a version before a digest": [
    [40, "shop:views/posts/{}-{}/{}", (n) => `shop:views/posts/${n}-2026010112${two(n)}/${hex(n, 32)}`, marshal, 3600],
    [30, "shop:user/{}/avatar", (n) => `shop:user/${n}/avatar`, marshal, 3600],
    [30, "shop:hits/{}", (n) => `shop:hits/${n}`, (n) => text(String(n))],
    [1, "shop:settings", () => "shop:settings", marshal],
    [40, "session:2::{}", (n) => `session:2::${hex(n, 64)}`, marshal, 86_400],
    [
      20,
      "rack::attack:{}:req/ip:{}",
      (n) => `rack::attack:${28_333_333 + (n % 3)}:req/ip:${ip(n)}`,
      (n) => text(String(n)),
      60,
    ],
    [30, "cache:exists?:{}:{}", (n) => `cache:exists?:group${n % 7}/p${n}:${n}`, marshal, 600],
    [30, "cache:root_ref:{}:{}", (n) => `cache:root_ref:group${n % 7}/p${n}:${n}`, marshal, 600],
  ],
  "Django: ids without a sign before them": [
    [
      40,
      ":1:django.contrib.sessions.cache{}",
      (n) => `:1:django.contrib.sessions.cache${hex(n, 24)}zx${hex(n, 6)}`,
      pickle,
      1_209_600,
    ],
    [40, ":1:views.header..{}.en-us.UTC", (n) => `:1:views.header..${hex(n, 32)}.en-us.UTC`, pickle, 600],
    [30, ":1:user_profile_{}", (n) => `:1:user_profile_${n}`, pickle, 600],
    [30, "superset_results{}", (n) => `superset_results${uuid(n)}`, pickle, 600],
  ],
  "Sidekiq: names that a set lists": [
    [1, "queues", () => "queues", () => set("default", "mailers")],
    [2, "queue:{}", (n) => `queue:${one("default", "mailers")(n)}`, job],
    [1, "retry", () => "retry", () => zset(1, '{"class":"X","jid":"a"}')],
    [1, "cron_jobs", () => "cron_jobs", () => set("cron_job:cleanup", "cron_job:report")],
    [
      2,
      "cron_job:{}",
      (n) => `cron_job:${one("cleanup", "report")(n)}`,
      (n) => hash({ klass: "X", cron: `${n} * * * *` }),
    ],
    [20, "stat:processed:{}", (n) => `stat:processed:${day(n)}`, (n) => text(String(n))],
    [20, "stat:failed:{}", (n) => `stat:failed:${day(n)}`, (n) => text(String(n))],
    [1, "stat:processed", () => "stat:processed", () => text("500")],
  ],
  "tenants before everything, days between slashes": [
    [
      60,
      "{}/{}/orders/{}/{}/{}/{}",
      (n) =>
        `${one("acme", "globex", "initech")(n)}/${one("prod", "test")(n)}/orders/${day(n).replace(/-/g, "/")}/${n * 13}`,
      (n) => json({ id: n, total: n * 1.5 }),
    ],
    [
      6,
      "{}/{}/config",
      (n) => `${one("acme", "globex", "initech")(n)}/${one("prod", "test")(n)}/config`,
      (n) => hash({ plan: "pro", seats: n }),
    ],
    [
      40,
      "{}/{}/users/{}",
      (n) => `${one("acme", "globex", "initech")(n)}/${one("prod", "test")(n)}/users/${uuid(n)}`,
      (n) => hash({ mail: `u${n}@example.com`, role: "x" }),
    ],
  ],
  "people, and pairs of people": [
    [20, "user:{}", (n) => `user:${name(n)}`, (n) => hash({ mail: `u${n}@example.com`, password: hex(n, 40) })],
    [60, "dm:{}:{}", (n) => `dm:${name(n)}:${name(n * 3 + 1)}`, (n) => list(`hello ${n}`)],
    [20, "user_{}_profile", (n) => `user_${name(n)}_profile`, (n) => hash({ age: n, town: "x" })],
    [20, "user_{}_posts", (n) => `user_${name(n)}_posts`, (n) => list(String(n))],
    [20, "app.user.{}.name", (n) => `app.user.${name(n)}.name`, (n) => text(name(n))],
    [20, "app.user.{}.theme", (n) => `app.user.${name(n)}.theme`, () => list("dark")],
    [1, "user_count", () => "user_count", () => text("20")],
  ],
  "addresses of all kinds, weeks, languages": [
    [40, "mac:{}", (n) => `mac:${hex(n, 12).match(/../g)!.join(":")}`, (n) => text(`device-${n}`)],
    [30, "ban:{}", (n) => `ban:2001:db8::${n.toString(16)}:1`, () => text("1"), 86_400],
    [30, "page:{}", (n) => `page:https://example.com/${name(n)}?page=${n}`, (n) => text(`<html>${n}</html>`), 600],
    [30, "otp:{}", (n) => `otp:+4915112345${100 + n}`, (n) => text(String(100_000 + n)), 300],
    [24, "lb:{{}}:{}", (n) => `lb:{${one("chess", "go", "poker")(n)}}:2026-W${two(n)}`, (n) => zset(n, `p${n}`)],
    [3, "lb:{{}}:alltime", (n) => `lb:{${one("chess", "go", "poker")(n)}}:alltime`, (n) => zset(n, `p${n}`)],
    [
      12,
      "i18n:{}:{}",
      (n) => `i18n:${one("en-US", "de-DE", "pt-BR")(n)}:${one("home", "about", "help", "shop")(n)}`,
      (n) => json({ title: "x", n }),
    ],
    [30, "greet-{}-{}", (n) => `greet-${n}-${one("en-US", "de-DE", "pt-BR")(n)}`, () => text("x"), 60],
    [30, "quota:p{{}}-{}", (n) => `quota:p{${n}}-28333${two(n)}`, (n) => text(String(n)), 60],
    [30, "api:/v1/users/{}/posts", (n) => `api:/v1/users/${n}/posts`, (n) => json({ items: [n] }), 60],
  ],
  "many measures, many kinds of records": [
    ...["orders", "visits", "signups", "refunds", "logins", "errors", "mails", "clicks", "views"].map((word): Some => [
      12,
      `stats:${word}:{}`,
      (n) => `stats:${word}:${day(n)}`,
      (n) => text(String(n)),
    ]),
    [1, "stats:orders:total", () => "stats:orders:total", () => text("99")],
    [3, "category:{}:products", (n) => `category:${one("books", "toys", "food")(n)}:products`, (n) => set(n, n + 3)],
    [30, "{}:{}:cart", (n) => `${n}:${one("web", "ios", "android")(n)}:cart`, (n) => set(`sku${n}`)],
    [30, "app:product.{}", (n) => `app:product.${n}`, (n) => text(Buffer.from(`0000000214${hex(n, 8)}`, "hex"))],
    [30, "app:tree_{}", (n) => `app:tree_${n}`, php],
  ],
  "versions before everything, digests behind words, moments": [
    ...["node", "user"].map((word): Some => [
      20,
      `drupal.redis.10.1..abc:entity:${word}:{}`,
      (n) => `drupal.redis.10.1..abc:entity:${word}:${n}`,
      (n) => hash({ cid: `${word}:${n}`, data: `O:${n}`, valid: 1 }),
    ]),
    [
      30,
      "drupal.redis.10.1..abc:render:{}:[theme]=olivero:[user.roles]={}",
      (n) => `drupal.redis.10.1..abc:render:${n}:[theme]=olivero:[user.roles]=${hex(n, 64)}`,
      (n) => hash({ cid: `x${n}`, data: `a:${n}`, valid: 1 }),
    ],
    [30, "_oauth2_proxy-{}", (n) => `_oauth2_proxy-${hex(n, 32)}`, pickle, 3600],
    [30, "sf_{}", (n) => `sf_${hex(n, 12)}zx${hex(n + 7, 12)}`, () => text("_attributes|a:0:{}"), 1440],
    [20, "refresh_token:{}:{}", (n) => `refresh_token:${n}:${uuid(n)}`, () => text("1"), 86_400],
    [24, "load:{}", (n) => `load:${1_767_225_600 + n * 3600}`, (n) => hash({ cpu: n, memory: n })],
    [1, "asynq:queues", () => "asynq:queues", () => set("default", "critical")],
    [
      40,
      "asynq:{{}}:t:{}",
      (n) => `asynq:{${one("default", "critical")(n)}}:t:${uuid(n)}`,
      (n) => hash({ msg: java(n), state: "pending" }),
    ],
    [2, "asynq:{{}}:pending", (n) => `asynq:{${one("default", "critical")(n)}}:pending`, (n) => list(uuid(n))],
  ],
  "other alphabets, codes of currencies": [
    [30, "用户:{}", (n) => `用户:${n}`, (n) => hash({ 姓名: name(n), 年龄: n })],
    [30, "benutzer:{}:straße", (n) => `benutzer:${n}:straße`, (n) => text(`Hauptstraße ${n}, Ulm`)],
    [30, "Order #{}", (n) => `Order #${n}`, (n) => json({ total: n })],
    [
      48,
      "candles:{}:{}:{}",
      (n) =>
        `candles:${one("BTCUSD", "ETHUSD", "EURUSD", "GBPUSD", "JPYUSD", "CHFUSD")(n)}:${n % 5}m:${1_767_225_600 + n * 60}`,
      (n) => text(`${n},${n + 1}`),
    ],
  ],
}
