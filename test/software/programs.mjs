/* Which programs there are, and the patterns that their authors had in mind, with the type of each: from their
 * documentation, or where they have none, from their sources. */

const queues = (prefix, ...types) => types.map(([name, type]) => `${prefix}:{}:${name} ${type}`)

export const programs = {
  bullmq: {
    kind: "node",
    patterns: [
      "bull:{}:{} hash",
      "bull:{}:{}:logs list",
      ...queues(
        "bull",
        ["wait", "list"],
        ["stalled-check", "string"],
        ["meta", "hash"],
        ["marker", "zset"],
        ["id", "string"],
        ["failed", "zset"],
        ["events", "stream"],
        ["delayed", "zset"],
        ["completed", "zset"],
      ),
    ],
  },
  bull: {
    kind: "node",
    patterns: [
      "bull:{}:{} hash",
      "bull:{}:{}:logs list",
      ...queues(
        "bull",
        ["wait", "list"],
        ["stalled-check", "string"],
        ["priority", "zset"],
        ["id", "string"],
        ["failed", "zset"],
        ["delayed", "zset"],
        ["completed", "zset"],
      ),
    ],
  },
  "bee-queue": {
    kind: "node",
    patterns: queues(
      "bq",
      ["succeeded", "set"],
      ["stallBlock", "string"],
      ["jobs", "hash"],
      ["id", "string"],
      ["failed", "set"],
      ["delayed", "zset"],
    ),
  },
  kue: {
    kind: "node",
    patterns: [
      "q:job:{} hash",
      "q:job:{}:log list",
      "q:stats:work-time string",
      "q:jobs:{}:{} zset",
      "q:jobs:{} zset",
      "q:jobs zset",
      "q:job:types set",
      "q:ids string",
      "q:{}:jobs list",
    ],
  },
  nohm: {
    kind: "node",
    patterns: [
      "shop:uniques:{}:{}:{} string",
      "shop:hash:{}:{} hash",
      "shop:index:{}:{}:{} set",
      "shop:scoredindex:{}:{} zset",
      "shop:relations:{}:{}:{}:{} set",
      "shop:relationKeys:{}:{} set",
      "shop:meta:version:{} string",
      "shop:meta:properties:{} string",
      "shop:meta:idGenerator:{} string",
      "shop:idsets:{} set",
      "shop:ids:{} string",
    ],
  },
  rsmq: { kind: "node", patterns: ["rsmq:{}:Q hash", "rsmq:{} zset", "rsmq:QUEUES set"] },
  "connect-redis": { kind: "node", patterns: ["sess:{} string"] },
  keyv: { kind: "node", patterns: ["{}::{}:{} string"] },
  redlock: { kind: "node", patterns: ["locks:account:{} string", "locks:order:{} string"] },
  "rate-limiter-flexible": { kind: "node", patterns: ["login_fail_ip:{} string", "api:{} string"] },
  acl: {
    kind: "node",
    patterns: [
      "acl_users@{} set",
      "acl_roles@{} set",
      "acl_resources@{} set",
      "acl_meta@users set",
      "acl_meta@roles set",
      "acl_allows_{}@{} set",
    ],
  },
  "node-resque": {
    kind: "node",
    patterns: [
      "resque:timestamps:{} set",
      "resque:delayed:{} list",
      "resque:queues set",
      "resque:queue:{} list",
      "resque:delayed_queue_schedule zset",
      "resque:connection_test_key string",
    ],
  },
  "socket.io": { kind: "node", patterns: ["sio:session:{} string", "socket.io stream"] },
  "web-mix": {
    kind: "node",
    patterns: [
      "app.catalog:product.{} hash",
      "user.{} string",
      "pin-{} string",
      "sess/{} string",
      "hits:{}:{} string",
      "feature:{}:beta string",
      "country:{}:users set",
      "board@{} zset",
      "cache:page:{}:{} string",
    ],
  },
  "redis-semaphore": { kind: "node", patterns: ["mutex:{} string", "semaphore:{} zset"] },
  cacheman: { kind: "node", patterns: ["cacheman:cacheman:{}:{} string"] },
  "redis-smq": {
    kind: "node",
    patterns: [
      "redis-smq-800.26:global:24:{} hash",
      "redis-smq-800.26:global:17 set",
      "redis-smq-800.26:global:21 set",
      "redis-smq-800.26:{}:20 set",
      "redis-smq-800.26:{}:1:{} list",
      "redis-smq-800.26:{}:13:{} hash",
      "redis-smq-800.26:{}:14:{} set",
    ],
  },
  bottleneck: {
    kind: "node",
    patterns: [
      "b_{}_settings hash",
      "b_{}_client_running zset",
      "b_{}_client_num_queued hash",
      "b_{}_client_last_seen zset",
      "b_{}_client_last_registered zset",
    ],
  },
  faye: { kind: "node", patterns: ["chat/clients zset", "chat/clients/{}/channels set", "chat/channels/{} set"] },
  leaderboard: {
    kind: "node",
    patterns: ["daily zset", "daily:member_data hash", "weekly zset", "weekly:member_data hash"],
  },
  "redis-sessions": {
    kind: "node",
    patterns: ["rs:{}:{} hash", "rs:{}:us:{} set", "rs:{}:_sessions zset", "rs:{}:_users zset", "rs:SESSIONS zset"],
  },
  "fastify-rate-limit": { kind: "node", patterns: ["fastify-rl-{} string", "fastify-rl-GET/b-{} string"] },
  rq: {
    kind: "python",
    patterns: [
      "rq:job:{} hash",
      "rq:queue:{} list",
      "rq:queues set",
      "rq:failed:{} zset",
      "rq:finished:{} zset",
      "rq:scheduled:{} zset",
      "rq:results:{} stream",
      "rq:clean_registries:{} string",
      "rq:worker:{} hash",
    ],
  },
  celery: {
    kind: "python",
    patterns: ["{} list", "_kombu.binding.{} set", "celery-task-meta-{} string"],
  },
  "django-redis": {
    kind: "python",
    patterns: [
      ":1:django.contrib.sessions.cache{} string",
      ":1:user_profile_{} string",
      ":1:product.{} string",
      ":1:views.decorators.cache.cache_header..{}.{}.{} string",
    ],
  },
  "flask-caching": {
    kind: "python",
    patterns: ["flask_cache_view/{} string", "flask_cache_{} string", "session:{} string"],
  },
}

/** What the programs of npm need. `redis@3` is what the older ones were made for. */
export const npmPackages = [
  ..."bullmq bull@3 bee-queue kue nohm rsmq connect-redis@9 express-session keyv @keyv/redis redlock@4 rate-limiter-flexible".split(
    " ",
  ),
  ..."acl node-resque socket.io @socket.io/redis-streams-adapter ioredis redis@3 redis-new@npm:redis@5".split(" "),
  ..."redis-semaphore@5 cacheman@2 cacheman-redis@2 redis-smq@8 redis-smq-common@8 bottleneck@2 faye@1 faye-redis@0.2".split(
    " ",
  ),
  ..."agoragames-leaderboard@2 redis-sessions@4 fastify@5 @fastify/rate-limit".split(" "),
]

export const debianPackages = (
  "python3-rq python3-redis python3-async-timeout python3-click python3-dateutil python3-six python3-packaging " +
  "python3-celery python3-kombu python3-amqp python3-vine python3-billiard python3-tz python3-click-didyoumean " +
  "python3-click-plugins python3-click-repl python3-prompt-toolkit python3-wcwidth python3-django " +
  "python3-django-redis python3-asgiref python3-sqlparse python3-flask-caching python3-flask-session " +
  "python3-cachelib python3-flask python3-werkzeug python3-jinja2 python3-itsdangerous python3-markupsafe"
).split(" ")
