/* Programs from npm at work, each on a Redis of its own: `node node-programs.mjs <folder> <program> <url> <phase>`.
 * The folder is where they are installed. `first` is a usual day; `later` is traffic of another kind: another queue,
 * another tenant, another language. */

import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const [, , folder, program, url, phase] = process.argv
/** As `require`, from where they are installed. */
const installed = createRequire(join(folder, "package.json"))
const { hostname: host, port } = new URL(url)
const connection = { host, port: Number(port) }
const isLater = phase === "later"
const numbers = (count) => Array.from({ length: count }, (_, i) => i + (isLater ? 1001 : 1))
const token = (n) =>
  Buffer.from(`session number ${n * 7919} of the day`)
    .toString("base64url")
    .slice(0, 32)
const done = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve))
const call = (of, name, ...args) =>
  new Promise((resolve, reject) => of[name](...args, (error, result) => (error ? reject(error) : resolve(result))))
const until = async (isDone) => {
  for (let i = 0; i < 600 && !(await isDone()); i++) await sleep(50)
}

const programs = {
  async bullmq() {
    const { Queue, Worker } = installed("bullmq")
    for (const name of isLater ? ["invoices", "mails"] : ["mails", "images", "reports"]) {
      const queue = new Queue(name, { connection })
      await queue.addBulk(numbers(30).map((n) => ({ name: "send", data: { to: `user${n}@example.com`, n } })))
      await queue.add("later", { n: 1 }, { delay: 3_600_000 })
      await queue.add("first", { n: 2 }, { priority: 5 })
      let worked = 0
      const worker = new Worker(
        name,
        async (job) => {
          worked++
          if (job.data.n % 7 === 0) throw new Error("no")
          await job.log("done")
          return { ok: true }
        },
        { connection },
      )
      await until(() => worked >= 31)
      await worker.close()
      await queue.add("waiting", { n: 3 })
      await queue.close()
    }
  },

  async bull() {
    const Queue = installed("bull")
    for (const name of isLater ? ["invoices", "mails"] : ["mails", "images", "reports"]) {
      const queue = new Queue(name, { redis: connection })
      let worked = 0
      for (const n of numbers(30)) await queue.add({ to: `user${n}@example.com`, n })
      queue.process(async (job) => {
        worked++
        if (job.data.n % 7 === 0) throw new Error("no")
        await job.log("done")
        return { ok: true }
      })
      await until(() => worked >= 30)
      await sleep(200)
      await queue.pause(true)
      await queue.add({ n: 2 }, { delay: 3_600_000 })
      await queue.add({ n: 3 }, { priority: 3 })
      await queue.add({ n: 4 })
      await queue.close()
    }
  },

  async "bee-queue"() {
    const Queue = installed("bee-queue")
    for (const name of isLater ? ["mails", "addition"] : ["addition", "thumbs"]) {
      const queue = new Queue(name, { redis: connection, removeOnSuccess: false, activateDelayedJobs: true })
      for (const n of numbers(25)) await queue.createJob({ x: n, y: 2 }).save()
      let worked = 0
      queue.process(5, async (job) => {
        worked++
        if (job.data.x % 9 === 0) throw new Error("no")
        return worked
      })
      await until(() => worked >= 25)
      await sleep(200)
      await queue
        .createJob({ x: 1 })
        .delayUntil(Date.now() + 3_600_000)
        .save()
      await queue.close(2000)
    }
  },

  async kue() {
    const kue = installed("kue")
    const queue = kue.createQueue({ redis: connection })
    const kinds = isLater ? ["invoice", "email"] : ["email", "thumbnail", "report"]
    let worked = 0
    for (const kind of kinds)
      for (const n of numbers(20)) await call(queue.create(kind, { title: `job ${n}`, n }).attempts(2), "save")
    for (const kind of kinds)
      queue.process(kind, 2, (job, finish) => {
        worked++
        job.log("begun")
        finish(job.data.n % 6 === 0 ? new Error("no") : null, { ok: true })
      })
    await until(() => worked >= 20 * kinds.length)
    await sleep(500)
    for (const kind of kinds) await call(queue.create(kind, { n: 1 }).delay(3_600_000), "save")
    await new Promise((resolve) => queue.shutdown(3000, resolve))
  },

  async nohm() {
    const { NohmClass } = installed("nohm")
    const client = installed("redis").createClient({ ...connection })
    await done(client, "ready")
    const nohm = new NohmClass({ prefix: "shop", client })
    const User = nohm.model("User", {
      properties: {
        name: { type: "string", index: true },
        email: { type: "string", unique: true },
        country: { type: "string", index: true },
        visits: { type: "integer", index: true },
      },
      idGenerator: "increment",
    })
    const Product = nohm.model("Product", {
      properties: { title: { type: "string" }, price: { type: "float", index: true } },
    })
    const products = []
    for (const n of numbers(15)) {
      const product = new Product()
      product.property({ title: `Thing ${n}`, price: n * 1.5 })
      await product.save()
      products.push(product)
    }
    for (const n of numbers(30)) {
      const user = new User()
      const country = (isLater ? ["se", "no", "de"] : ["de", "fr", "at"])[n % 3]
      user.property({ name: `Name${n % 11}`, email: `u${n}@example.com`, country, visits: n % 17 })
      if (n % 2) user.link(products[n % 15])
      await user.save()
    }
    client.quit()
  },

  async rsmq() {
    const RedisSMQ = installed("rsmq")
    const rsmq = new RedisSMQ({ ...connection, ns: "rsmq", realtime: false })
    for (const qname of isLater ? ["invoices", "mails"] : ["mails", "images", "reports"]) {
      await rsmq.createQueueAsync({ qname }).catch(() => 0)
      for (const n of numbers(20)) await rsmq.sendMessageAsync({ qname, message: `Hello ${n}` })
      for (let i = 0; i < 5; i++) await rsmq.receiveMessageAsync({ qname })
    }
    await call(rsmq, "quit")
  },

  async "connect-redis"() {
    const { RedisStore } = installed("connect-redis")
    const client = installed("redis-new").createClient({ url })
    await client.connect()
    const store = new RedisStore({ client, ttl: 86_400 })
    for (const n of numbers(50)) {
      const cookie = { originalMaxAge: 86_400_000, httpOnly: true, path: "/" }
      const session = { cookie, user: { id: n, roles: isLater ? ["owner", "a"] : ["a"] }, csrf: `x${n}` }
      await store.set(token(n), isLater && n % 3 === 0 ? { cookie } : session)
    }
    client.destroy()
  },

  async keyv() {
    const { Keyv } = installed("keyv")
    const { default: KeyvRedis } = installed("@keyv/redis")
    for (const namespace of isLater ? ["search", "pages"] : ["pages", "profiles"]) {
      const cache = new Keyv({ store: new KeyvRedis(url), namespace })
      for (const n of numbers(30)) await cache.set(`item-${n}`, { n, title: `Title ${n}` }, 3_600_000)
      await cache.disconnect()
    }
  },

  async redlock() {
    const Redlock = installed("redlock")
    const Redis = installed("ioredis")
    const client = new Redis(url)
    const redlock = new Redlock([client])
    for (const n of numbers(20)) {
      await redlock.lock([`locks:account:${n}`], 600_000)
      if (n % 2) await redlock.lock([`locks:order:${n}`], 600_000)
    }
    client.disconnect()
  },

  async "rate-limiter-flexible"() {
    const { RateLimiterRedis } = installed("rate-limiter-flexible")
    const Redis = installed("ioredis")
    const storeClient = new Redis(url)
    for (const keyPrefix of ["login_fail_ip", "api"]) {
      const limiter = new RateLimiterRedis({ storeClient, keyPrefix, points: 50, duration: 600 })
      for (const n of numbers(30))
        await limiter.consume(keyPrefix === "api" ? `user-${n}` : `10.1.${n % 8}.${n % 200}`, (n % 5) + 1)
    }
    storeClient.disconnect()
  },

  async acl() {
    const Acl = installed("acl")
    const client = installed("redis").createClient({ ...connection })
    await done(client, "ready")
    const acl = new Acl(new Acl.redisBackend(client, "acl"))
    for (const role of isLater ? ["auditor", "guest"] : ["guest", "member", "admin"])
      await acl.allow(role, ["blogs", "forums", "news"], role === "guest" ? "view" : ["view", "edit"])
    for (const n of numbers(25))
      await acl.addUserRoles(`user${n}`, isLater ? "auditor" : ["guest", "member", "admin"][n % 3])
    client.quit()
  },

  async "node-resque"() {
    const { Queue } = installed("node-resque")
    const Redis = installed("ioredis")
    const redis = new Redis(url)
    const queue = new Queue({ connection: { redis, namespace: "resque" } }, { add: { perform: async () => 1 } })
    await queue.connect()
    for (const name of isLater ? ["urgent", "mail"] : ["math", "mail", "low"])
      for (const n of numbers(8)) await queue.enqueue(name, "add", [n, 2])
    for (const n of numbers(20))
      await queue.enqueueAt(1_800_000_000_000 + n * 60_000, isLater ? "urgent" : "math", "add", [n])
    await queue.end()
    redis.disconnect()
  },

  async "socket.io"() {
    const { createAdapter } = installed("@socket.io/redis-streams-adapter")
    const { Server } = installed("socket.io")
    const Redis = installed("ioredis")
    const client = new Redis(url)
    const { createServer } = installed("node:http")
    const io = new Server(createServer(), {
      adapter: createAdapter(client, { sessionKeyPrefix: "sio:session:" }),
      connectionStateRecovery: { maxDisconnectionDuration: 600_000 },
    })
    const { adapter } = io.of("/")
    for (const n of numbers(30)) {
      await adapter.persistSession({ sid: token(n), pid: `p${token(n)}`, rooms: ["a", `room${n % 4}`], data: { n } })
      io.emit("hello", { n })
    }
    await sleep(300)
    io.close()
    client.disconnect()
  },

  async "redis-semaphore"() {
    const { Mutex, Semaphore, MultiSemaphore } = installed("redis-semaphore")
    const Redis = installed("ioredis")
    const redis = new Redis(url)
    const times = { lockTimeout: 600_000, refreshInterval: 0 }
    for (const n of numbers(20)) await new Mutex(redis, `order-${n}`, times).acquire()
    for (const n of numbers(10)) await new Semaphore(redis, `api-${n}`, 5, times).acquire()
    for (const country of isLater ? ["de", "fr"] : ["at", "ch"])
      await new MultiSemaphore(redis, `export:${country}`, 5, 2, times).acquire()
    redis.disconnect()
  },

  async cacheman() {
    const Cacheman = installed("cacheman")
    const Engine = installed("cacheman-redis")
    for (const name of isLater ? ["users", "prices"] : ["users", "products", "weather"]) {
      const cache = new Cacheman(name, { engine: new Engine(connection) })
      for (const n of numbers(30)) await cache.set(name === "weather" ? `city-${n}` : String(n), { id: n }, 3600)
    }
  },

  async "redis-smq"() {
    const smq = installed("redis-smq")
    const { ERedisConfigClient } = installed("redis-smq-common")
    smq.Configuration.getSetConfig({
      redis: { client: ERedisConfigClient.IOREDIS, options: connection },
      logger: { enabled: false },
    })
    const queues = new smq.Queue()
    const producer = new smq.Producer()
    await call(producer, "run")
    for (const name of isLater ? ["mails", "invoices"] : ["mails", "images", "reports"]) {
      if (!isLater || name !== "mails")
        await call(queues, "save", name, smq.EQueueType.FIFO_QUEUE, smq.EQueueDeliveryModel.POINT_TO_POINT)
      for (const n of numbers(25))
        await call(producer, "produce", new smq.ProducibleMessage().setBody({ n }).setQueue(name))
    }
    await call(producer, "shutdown")
  },

  async bottleneck() {
    const Bottleneck = installed("bottleneck")
    for (const id of isLater ? ["github", "paypal"] : ["github", "stripe"]) {
      const limits = { maxConcurrent: 5, minTime: 1, timeout: 600_000 }
      const group = new Bottleneck.Group({ id, datastore: "ioredis", clientOptions: connection, ...limits })
      for (const n of numbers(12)) await group.key(`user${n}`).schedule(async () => n)
      await group.disconnect(false)
    }
  },

  async faye() {
    const faye = installed("faye")
    const server = installed("node:http").createServer()
    const engine = { type: installed("faye-redis"), ...connection, namespace: "chat" }
    new faye.NodeAdapter({ mount: "/faye", timeout: 45, engine }).attach(server)
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    const news = isLater ? ["/news/de", "/news/fr"] : ["/news/en"]
    for (const n of numbers(15)) {
      const client = new faye.Client(`http://127.0.0.1:${server.address().port}/faye`)
      await client.subscribe(`/room/${n % 5}`, () => undefined)
      await client.subscribe(news[n % news.length], () => undefined)
    }
  },

  async leaderboard() {
    const Leaderboard = installed("agoragames-leaderboard")
    // At first everybody is on both; later there are players who have only played this week.
    for (const name of isLater ? ["weekly"] : ["daily", "weekly"]) {
      const board = new Leaderboard(name, {}, connection)
      for (const n of numbers(40))
        await new Promise((resolve) =>
          board.rankMember(`player_${n}`, (n * 37) % 1000, JSON.stringify({ name: `P ${n}` }), resolve),
        )
    }
  },

  async "redis-sessions"() {
    const { default: RedisSessions } = installed("redis-sessions")
    const sessions = new RedisSessions({ ...connection, wipe: 0 })
    for (const app of isLater ? ["web", "kiosk"] : ["web", "mobile"])
      for (const n of numbers(30))
        await sessions.create({ app, id: `user${n}`, ip: `10.0.0.${n % 250}`, ttl: 7200, d: { theme: "dark", n } })
  },

  async "fastify-rate-limit"() {
    const fastify = installed("fastify")()
    const Redis = installed("ioredis")
    const redis = new Redis(url)
    const limit = { max: 5, timeWindow: 900_000 }
    const keyGenerator = ({ headers }) => headers["x-client"]
    await fastify.register(installed("@fastify/rate-limit"), {
      ...limit,
      redis,
      nameSpace: "fastify-rl-",
      keyGenerator,
    })
    fastify.get("/a", () => "ok")
    fastify.get("/b", { config: { rateLimit: limit } }, () => "ok")
    for (const n of numbers(40))
      for (const route of ["/a", "/b"])
        await fastify.inject({ url: route, headers: { "x-client": `10.${isLater ? 2 : 1}.${n % 5}.${n % 250}` } })
    await fastify.close()
    redis.disconnect()
  },

  async "web-mix"() {
    const Redis = installed("ioredis")
    const redis = new Redis(url)
    const languages = isLater ? ["sv", "de"] : ["de", "en", "fr"]
    const tenants = isLater ? ["umbrella", "acme"] : ["acme", "globex", "initech"]
    for (const n of numbers(40)) {
      const id = n * 37
      await redis.hset(`app.catalog:product.${id}`, { title: `Thing ${n}`, price: n * 1.25, stock: n % 9 })
      await redis.set(`user.${n}`, JSON.stringify({ name: `User ${n}`, age: 20 + (n % 50), visits: n % 13 }))
      await redis.set(`pin-${1000 + n}`, `u${n}`, "EX", 300)
      await redis.set(
        `sess/${Buffer.from(`${token(n)}${n}`, "base64url").toString("base64")}`,
        `{"u":${n}}`,
        "EX",
        3600,
      )
      await redis.incrby(`hits:${tenants[n % tenants.length]}:${languages[n % languages.length]}`, n)
      await redis.set(`feature:${tenants[n % tenants.length]}:beta`, n % 2 ? "on" : "off")
      await redis.sadd(`country:${(isLater ? ["se", "no"] : ["de", "at", "ch"])[n % (isLater ? 2 : 3)]}:users`, `u${n}`)
      await redis.zadd(`board@${tenants[n % tenants.length]}`, n, `u${n}`)
      await redis.set(`cache:page:${languages[n % languages.length]}:${n}`, `<p>${n}</p>`, "EX", 600)
    }
    redis.disconnect()
  },
}

await programs[program]()
process.exit(0)
