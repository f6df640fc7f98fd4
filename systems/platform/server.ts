/* From options to a running server: the source, Redis, the systems, their jobs, and the
 * HTTP app; and back, in the other order. */

import { start as startEngine, type Engine } from "@keywright/embedded"
import {
  connect,
  prometheus,
  type ConnectOptions,
  type Keyspace,
  type ManyNotes,
  type Metrics,
  type OnSent,
  type Target,
  type Undecodable,
  KeywrightError,
} from "keywright"
import type { IncomingMessage } from "node:http"
import { startClock, type Clock } from "./clock.ts"
import type { Driver } from "./driver.ts"
import { healthOf } from "./health.ts"
import { addressFrom, clientFrom } from "./http/client-address.ts"
import { makeApp } from "./http/app.ts"
import { listen } from "./http/listen.ts"
import { bearerOf } from "./http/auth.ts"
import { routeFor } from "./http/route.ts"
import { type AdminAuth, adminAuth, type TokenFailures } from "./limits/admin.ts"
import { checkIsolation, ForeignKeys, type OwnedKeys } from "./isolation.ts"
import { errorFields, openLog, type Log } from "./log.ts"
import { nextTogether } from "./next-together.ts"
import type { ServePlan } from "./options.ts"
import { openPages } from "./pages/open-pages.ts"
import type { DemoPages } from "./pages/page-routes.ts"
import { databaseOf, onOneServer, placesOf } from "./places.ts"
import { watchRedis, type RedisState } from "./redis-state.ts"
import { requestsOf, type Requests } from "./requests.ts"
import { openSource, type OpenSource } from "./source.ts"
import type { Started, System } from "./system.ts"
import { UsageError } from "./usage-error.ts"
import { mergeMetrics } from "./workers/merge-metrics.ts"
import { alone, type Team } from "./workers/team.ts"

export interface Server {
  readonly url: string
  close(): Promise<void>
}

export interface ServerOptions extends Omit<ServePlan, "workers"> {
  /** The keys of all systems that there are, also of those not served: to recognise their databases. */
  readonly known: readonly OwnedKeys[]
  /** An engine to use instead of starting one, when there is no `redis`. It stays open. */
  readonly engine?: Engine
  /** How long a call to Redis may take. Default: the client's. */
  readonly timeoutMs?: number
  readonly log?: Log
  /** Redis came back with another system's keys in it: the program that started the server ends it. */
  readonly onForeign?: (error: ForeignKeys) => void
  /** The folder of the built pages, instead of the build's own. */
  readonly pagesFolder?: string
  /** What a demonstration adds to the pages. */
  readonly demoPages?: DemoPages
  /** The other processes that serve this port. Default: none. */
  readonly team?: Team
  /** Runs the jobs, which run once for all workers. Default: true. */
  readonly hasJobs?: boolean
  /** Writes what `--demo` adds. Default: true. */
  readonly fillsDemo?: boolean
}

interface Running {
  readonly system: System
  readonly redis: RedisState
  readonly started: Started
  readonly close: () => Promise<void>
}

interface Shared {
  readonly options: ServerOptions
  readonly target: Target
  readonly source: OpenSource
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
  readonly lenient: (system: string) => Pick<Required<ManyNotes>, "onUndecodable">
  readonly onSent: OnSent | undefined
  readonly team: Team
  readonly failures: TokenFailures
}

/** A shorter admin token causes a warning. */
const SHORT_TOKEN = 16
/** The metrics of all restaurants take milliseconds to write, and everybody may ask for them. */
const METRICS_EVERY_MS = 100

export async function startServer(options: ServerOptions): Promise<Server> {
  const log = options.log ?? openLog()
  // An empty token comes from a file that was never filled in; it is not a decision to run without one.
  if (options.adminToken === "") throw new UsageError("the admin token is empty: set one, or leave the option out")
  // Before secrets are cut out of the log: if the token is a word of this sentence, the gap would reveal it.
  if (options.adminToken !== undefined && Buffer.byteLength(options.adminToken) < SHORT_TOKEN)
    log.warn(`the admin token is shorter than ${SHORT_TOKEN} bytes: it can be guessed`)
  hideSecrets(options, log)
  const wanted = options.systems.map((system) => ({ system, settings: options.settings[system.name]! }))
  const places = placesOf(wanted, options.redis === undefined ? 0 : databaseOf(options.redis), options.force)
  /** What is to be closed, the latest first. */
  const open: (() => unknown)[] = []
  const close = async () => {
    for (const end of open.splice(0).toReversed()) await end()
    log.flush()
  }

  try {
    const source = openSource(options.database, (error) => log.warn("source", errorFields(error)))
    open.push(() => source.close())
    const engine = options.redis === undefined && options.engine === undefined ? await startEngine() : undefined
    if (engine) open.push(() => engine.stop())
    const target: Target = options.redis ?? { engine: (options.engine ?? engine)! }
    const metrics = prometheus()
    open.push(() => metrics.close())
    const clock = startClock(options.clock)
    const team = options.team ?? alone
    const failures: TokenFailures = new Map()
    const admin = adminAuth(options.adminToken, addressFrom(options.behindProxy), team.size, failures)
    const pages = openPages(options, team, admin)
    const { onSent } = pages
    const shared: Shared = {
      options,
      target,
      source,
      clock,
      metrics,
      log,
      lenient: skipping(log, metrics),
      onSent,
      team,
      failures,
    }

    const running: Running[] = []
    for (const [i, { system }] of wanted.entries()) {
      const one = await startSystem(system, places[i]!, shared)
      open.push(one.close)
      running.push(one)
    }

    const health = healthOf(
      running.map(({ system, redis, started }) => ({ name: system.name, redis, started })),
      source,
    )
    const requests = requestsOf(log, metrics)
    const app = makeApp({
      systems: running.map(({ system, redis, started }) => ({
        system: system.name,
        doc: system.doc,
        prefix: running.length === 1 ? "" : `/${system.name}`,
        routes: started.routes,
        refusals: system.refusals ?? {},
        log,
        redis,
        handled: started.handled,
        answered: requests.answeredBy(system.name),
        recording: pages.recordingOf(system.name),
      })),
      health: (request) => health(isAdmin(admin, request)),
      metrics: metricsOfAll(requests, team),
      answered: requests.answeredBy("none"),
      log,
      pages: pages.adderFor(running.map(({ system }) => system)),
    })
    const { port, host, hosts, behindProxy } = options
    const listening = await listen(app as never, { port, host, hosts, behindProxy })
    open.push(() => {
      for (const { started } of running) started.closing?.()
      return listening.close()
    })
    for (const { system, started } of running) {
      if (runsJobs(options, system.name)) for (const job of started.jobs ?? []) job.start()
    }
    return { url: `http://${reachable(options.host)}:${listening.port}`, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether a request to an open route has the admin token: wrong ones are counted, and treated like none. */
function isAdmin(admin: AdminAuth, request: IncomingMessage): boolean {
  if (bearerOf(request) === undefined) return false
  try {
    admin.check(request, {})
    return true
  } catch {
    return false
  }
}

const runsJobs = ({ settings, hasJobs = true }: ServerOptions, system: string): boolean =>
  hasJobs && settings[system]!["jobs"] !== false

/** Whichever worker is asked, the answer is about all of them. */
function metricsOfAll(own: Requests, team: Team): Pick<Requests, "contentType" | "text"> {
  team.answer("metrics", () => own.text())
  const ofAll = async () => mergeMetrics([await own.text(), ...((await team.ask("metrics")) as string[])])
  const text = nextTogether(team.size === 1 ? () => own.text() : ofAll, METRICS_EVERY_MS)
  return { contentType: own.contentType, text }
}

/** Where a server on all addresses is reached from here. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

async function startSystem(system: System, places: readonly number[], shared: Shared): Promise<Running> {
  const { options, target, source, clock, metrics, log } = shared
  const settings = options.settings[system.name]!
  const schema = system.schema(settings as never) as Keyspace<{}, {}, {}, {}>
  const isForOneServer = places.length > 1 && (system.onCluster?.(settings as never) ?? false) === false
  const address = isForOneServer && typeof target === "string" ? onOneServer(target) : target
  const connecting: ConnectOptions = {
    db: places[0]!,
    name: `keywright-${system.name}`,
    clock: () => clock.now(),
    sweep: runsJobs(options, system.name),
    acceptSplit: system.acceptSplit?.(settings as never) ?? [],
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(shared.onSent && { onSent: shared.onSent }),
  }
  const db = await connect(schema, address, connecting).catch((error: unknown) => {
    throw isSplit(error) ? onClusterRefused(system) : error
  })
  const more: { $close(): Promise<void> }[] = []
  // What is sent is shown with the names of one schema, so then each has a connection of its own.
  const open = async (other: Keyspace<{}, {}, {}, {}>) => {
    const opened = await connect(other, shared.onSent ? address : { driver: db.$driver() }, connecting)
    more.push(opened)
    return opened
  }
  const drivers = places.map((place) => db.$driver(place))
  const redis = watchRedis(drivers)
  const close = async () => {
    await Promise.all((started?.jobs ?? []).map((job) => job.stop()))
    await started?.stop?.()
    redis.close()
    for (const one of more) await one.$close()
    await db.$close()
  }
  let started: Started | undefined
  try {
    await isolate(system, schema, places, drivers, redis, shared)
    if (system.tables) await source.ask((sql) => system.tables!(sql as never))
    const [addressOf, clientOf] = [addressFrom(options.behindProxy), clientFrom(options.behindProxy)]
    const { team, failures } = shared
    const admin = adminAuth(
      options.adminToken,
      settings["limits"] === true ? addressOf : undefined,
      team.size,
      failures,
    )
    const lenient = shared.lenient(system.name)
    const context = {
      settings,
      db,
      open,
      redis,
      source,
      clock,
      metrics,
      log,
      lenient,
      admin,
      forAdmin: routeFor(admin),
      addressOf,
      clientOf,
      team,
    }
    started = await system.start(context as never)
    if (options.demo && options.fillsDemo !== false && system.demo) await system.demo(context as never)
    return { system, redis, started, close }
  } catch (error) {
    await close()
    throw error
  }
}

const isSplit = (error: unknown): boolean => error instanceof KeywrightError && error.code === "PLACEMENT.SPLIT"

function onClusterRefused({ name, settings }: System): UsageError {
  const ways = [
    ...(Object.hasOwn(settings, "tag") ? [`put all its keys under one hash tag: --set ${name}.tag=main`] : []),
    ...(Object.hasOwn(settings, "shards") ? [`spread them: --set ${name}.shards=64`] : []),
  ]
  const how = ways.length === 0 ? "use a server without cluster mode" : ways.join(", or ")
  return new UsageError(`${name} needs its keys in one slot of a cluster: ${how}`)
}

/** Checks the existing keys before anything is written; when Redis is unreachable, as soon as it is back. */
async function isolate(
  system: System,
  schema: Keyspace,
  places: readonly number[],
  drivers: readonly Driver[],
  redis: RedisState,
  { options, log }: Shared,
): Promise<void> {
  if (options.force) return
  const own: OwnedKeys = { name: system.name, keys: schema.keys }
  const numbered = places.length > 1
  const look = async () => {
    for (const [i, db] of places.entries()) {
      await checkIsolation(own, drivers[i]!, { db, keysDb: numbered ? db : 0 }, options.known)
    }
  }
  try {
    await look()
  } catch (error) {
    if (error instanceof ForeignKeys) throw error
    log.warn("Redis cannot be reached at start-up", { system: system.name, ...errorFields(error) })
    redis.onUp = () => {
      redis.onUp = () => {}
      look().catch((later: unknown) => {
        log.error("isolation", errorFields(later))
        if (later instanceof ForeignKeys) options.onForeign?.(later)
      })
    }
    redis.suspect()
  }
}

/** One corrupt element does not break a list: it is skipped, counted, and logged; a key that is read often, once a minute. */
function skipping(log: Log, metrics: Metrics) {
  const toldAt = new Map<string, number>()
  const isToTell = (key: string): boolean => {
    const now = performance.now()
    if (now - (toldAt.get(key) ?? -Infinity) < 60_000) return false
    if (toldAt.size >= 1000) toldAt.clear()
    toldAt.set(key, now)
    return true
  }
  const skipped = metrics.counter(
    "corrupt_elements_total",
    "Elements of lists that were skipped because they did not fit their codec.",
  )
  return (system: string) => ({
    onUndecodable({ key = "", pattern = "", code }: Undecodable) {
      skipped.add({ system, pattern })
      if (isToTell(`${system} ${key}`)) log.error("corrupt element", { system, code, key, pattern })
    },
  })
}

function hideSecrets({ adminToken, redis, database, systems, settings }: ServerOptions, log: Log): void {
  log.hide(adminToken)
  for (const address of [redis, database]) {
    const [, password] = /^[a-z+-]+:\/\/[^:@/]*:([^@]+)@/.exec(address ?? "") ?? []
    const [, ofSentinels] = /[?&]sentinel_password=([^&#]+)/.exec(address ?? "") ?? []
    for (const secret of [password, ofSentinels]) {
      log.hide(secret)
      if (secret !== undefined) log.hide(decoded(secret))
    }
  }
  for (const system of systems) {
    for (const [name, setting] of Object.entries(system.settings)) {
      const value = settings[system.name]?.[name]
      if (setting.secret && typeof value === "string") log.hide(value)
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // It is there unchanged.
  }
}
