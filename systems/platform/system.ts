/* A system, as data: its name, its settings, its schema, its tables, and the function
 * that puts services, jobs and routes together. See README.md in this folder. */

import { type ClientOf, type Job, type Keyspace, type ManyNotes, type Metrics, withTag } from "keywright"
import type { AuditRule } from "keywright/operate"
import type { Kysely } from "kysely"
import type { IncomingMessage } from "node:http"
import type { Clock } from "./clock.ts"
import type { AddressOf } from "./http/client-address.ts"
import type { Refusals } from "./http/error-table.ts"
import type { Route, RouteFor } from "./http/route.ts"
import type { AdminAuth } from "./limits/admin.ts"
import type { Log } from "./log.ts"
import type { SystemDocument } from "./pages/document.ts"
import type { RedisState } from "./redis-state.ts"
import type { Settings, ValuesOf } from "./settings.ts"
import type { Source } from "./source.ts"
import type { Team } from "./workers/team.ts"

/** What a system is started with. */
export interface SystemContext<S, K, T> {
  readonly settings: ValuesOf<S>
  /** The typed client of its schema. */
  readonly db: ClientOf<K>
  /** A client of another schema on the same server, such as that of one of several tenants. It closes with the system. */
  readonly open: <O extends Keyspace>(schema: O) => Promise<ClientOf<O>>
  /** Whether Redis answers, for reads that the source alone can answer too. */
  readonly redis: RedisState
  readonly source: Source<T>
  readonly clock: Clock
  /** For gauges and counters: their names begin with the system's. */
  readonly metrics: Metrics
  readonly log: Log
  /** For reads of lists: elements that do not fit their codec are skipped, logged and counted (ALL-11). */
  readonly lenient: Pick<Required<ManyNotes>, "onUndecodable">
  readonly admin: AdminAuth
  /** Declares routes for those who bring the admin token. */
  readonly forAdmin: RouteFor<void>
  /** Whom a request is from, for limits. */
  readonly addressOf: AddressOf
  /** The address that a request is from, whole. */
  readonly clientOf: AddressOf
  /** The other processes that serve the same port. */
  readonly team: Team
}

/** What a started system consists of. */
export interface Started {
  readonly routes: readonly Route[]
  /** Their loops run unless the setting `jobs` is false. */
  readonly jobs?: readonly Job<unknown, unknown>[]
  /** What is wrong besides Redis and the source; undefined when nothing is. */
  readonly health?: () => Promise<Readonly<Record<string, unknown>> | undefined>
  /** What /health also says about it, well or not: the result of a check, and its time. */
  readonly about?: () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
  /** What /health says besides, to those who bring the admin token. */
  readonly inside?: () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
  /** Called with each request when it was handled, before its answer is sent; what it throws is ignored. */
  readonly handled?: (request: IncomingMessage, route: Pick<Route, "method" | "path">) => Promise<void>
  /** The server is about to close: requests that would stay open by themselves end now. */
  readonly closing?: () => void
  readonly stop?: () => Promise<void>
}

export interface SystemOptions<S extends Settings, K, T> {
  readonly name: string
  readonly doc: string
  /** Where its keys are when several systems share a server. */
  readonly databases: readonly number[]
  /** `jobs` has to be one of them; `db` or `dbs` says where its keys are. */
  readonly settings: S
  readonly schema: (settings: ValuesOf<S>) => K
  /** Its keys are placed for a cluster: in database 0, or in several of a cluster that has them. */
  readonly onCluster?: (settings: ValuesOf<S>) => false | "one database" | "databases"
  /** What it does not need in one slot of a cluster: invariants between its parts, by name. */
  readonly acceptSplit?: (settings: ValuesOf<S>) => readonly string[]
  /** What audit looks for beyond the schema. */
  readonly rules?: (settings: ValuesOf<S>) => readonly AuditRule[]
  /** Creates what is not there yet (`ifNotExists()`): it runs at every start. Names begin with the system's. */
  readonly tables?: (sql: Kysely<T>) => Promise<void>
  /** What its page quotes. */
  readonly document?: SystemDocument
  /** What its scripts refuse with, and what is answered then. */
  readonly refusals?: Refusals
  readonly start: (context: SystemContext<S, K, T>) => Started | Promise<Started>
  /** `--demo`: a few rows to play with; it runs once, after the start. */
  readonly demo?: (context: SystemContext<S, K, T>) => Promise<void>
}

/** A system whose types are forgotten: what the server works with. */
export interface System extends Omit<
  SystemOptions<Settings, Keyspace, unknown>,
  "schema" | "onCluster" | "acceptSplit" | "rules" | "tables" | "start" | "demo"
> {
  readonly schema: (settings: never) => Keyspace
  readonly onCluster?: (settings: never) => false | "one database" | "databases"
  readonly acceptSplit?: (settings: never) => readonly string[]
  readonly rules?: (settings: never) => readonly AuditRule[]
  readonly tables?: (sql: never) => Promise<void>
  readonly start: (context: never) => Started | Promise<Started>
  readonly demo?: (context: never) => Promise<void>
}

/** Declares a system; `T` are its tables: `system<Tables>()({ … })`. */
export const system =
  <T = Record<string, never>>() =>
  <const S extends Settings, K>(options: SystemOptions<S, K, T>): System => {
    const schema = (settings: { readonly tag?: string } & ValuesOf<S>) => {
      const made = options.schema(settings) as Keyspace
      return settings.tag === undefined || made.prefix !== undefined ? made : withTag(made, settings.tag)
    }
    return { ...options, schema } as unknown as System
  }

/** The context of a system, for its services: `ContextOf<typeof settings, typeof schema, Tables>`. */
export type ContextOf<S, K extends (...args: never[]) => unknown, T = Record<string, never>> = SystemContext<
  S,
  ReturnType<K>,
  T
>
