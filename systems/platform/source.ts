/* The relational source: SQLite in memory by default, a file, or
 * PostgreSQL; the same queries on all. Queries go through `ask`, so that whatever
 * goes wrong with the database becomes one error, which the caller sees as 503. */

import { KeywrightError } from "keywright"
import { Kysely, PostgresDialect, sql, SqliteDialect, type Dialect, type PostgresPoolClient } from "kysely"
import Database from "libsql"
import { Client, DatabaseError, Pool, types } from "pg"
import { Problem } from "./http/problem.ts"
import { UsageError } from "./usage-error.ts"

export class SourceUnavailable extends Error {
  override readonly name = "SourceUnavailable"

  constructor(cause: unknown) {
    super("the relational source did not answer", { cause })
  }
}

export interface Source<T> {
  readonly kind: "sqlite" | "postgres"
  /** A query, or several; what fails is a SourceUnavailable. */
  ask<R>(query: (sql: Kysely<T>) => Promise<R>): Promise<R>
  /** The same in one transaction. */
  transaction<R>(queries: (sql: Kysely<T>) => Promise<R>): Promise<R>
}

export interface OpenSource extends Source<Record<string, never>> {
  ping(): Promise<void>
  close(): Promise<void>
}

const CONNECT_MS = 2000
const QUERY_MS = 5000
const MOST_STATEMENTS = 500

/** `undefined`, `"sqlite:<file>"`, or `"postgres://…"`. */
export function openSource(
  address: string | undefined,
  onError: (error: Error) => void,
  queryMs: number = QUERY_MS,
): OpenSource {
  const kind = address !== undefined && /^postgres(ql)?:/.test(address) ? "postgres" : "sqlite"
  const kysely = new Kysely<Record<string, never>>({
    dialect: kind === "postgres" ? postgres(address!, onError, queryMs) : sqlite(address),
  })
  const ask = async <R>(query: (sql: Kysely<Record<string, never>>) => Promise<R>): Promise<R> => {
    try {
      return await query(kysely)
    } catch (error) {
      throw isOurs(error) ? error : new SourceUnavailable(error)
    }
  }
  return {
    kind,
    ask,
    transaction: (queries) => ask((open) => open.transaction().execute(queries)),
    async ping() {
      await ask((open) => sql`select 1`.execute(open))
    },
    close: () => kysely.destroy(),
  }
}

function sqlite(address: string | undefined): Dialect {
  const file = address === undefined ? ":memory:" : /^sqlite:(.+)$/.exec(address)?.[1]
  if (file === undefined) throw new UsageError("--database takes sqlite:<file> or postgres://user:password@host/name")
  const database = new Database(file)
  if (file !== ":memory:") database.exec("pragma journal_mode = wal; pragma busy_timeout = 2000")
  return new SqliteDialect({ database: keepingStatements(database) as never })
}

/**
 * Parsing a statement takes longer than carrying it out: the latest ones are kept. Whether they return rows is asked
 * each time they are used, and answered by native code: that is kept, too.
 */
function keepingStatements(database: InstanceType<typeof Database>) {
  const known = new Map<string, ReturnType<typeof database.prepare>>()
  return {
    prepare(statement: string) {
      const kept = known.get(statement)
      if (kept !== undefined) return kept
      const made = database.prepare(statement)
      Object.defineProperty(made, "reader", { value: made.reader })
      if (known.size >= MOST_STATEMENTS) known.delete(known.keys().next().value!)
      known.set(statement, made)
      return made
    },
    close: () => database.close(),
  }
}

/** A pool parses it at the first query only, and what it throws then has no code. The address is not repeated. */
function requireUrl(connectionString: string): void {
  try {
    const { port } = new Client({ connectionString })
    if (port > 0 && !connectionString.includes("#")) return
  } catch {
    // Said below.
  }
  throw new UsageError("--database is not a URL: special characters, of a password too, must be percent-encoded")
}

function postgres(address: string, onError: (error: Error) => void, queryMs: number): Dialect {
  requireUrl(address)
  const pool = new Pool({
    connectionString: address,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: queryMs,
    query_timeout: queryMs,
    types: {
      getTypeParser: ((id: number, format: "text") =>
        id === INT8 ? wholeNumber : types.getTypeParser(id, format)) as never,
    },
  })
  // The pool listens to a connection only while nobody uses it: between two queries of a transaction nobody else does.
  pool.on("connect", (client) => client.on("error", onError))
  pool.on("error", () => {})
  return new PostgresDialect({ pool: { connect: () => connection(pool), end: () => pool.end() } })
}

/**
 * One of the pool that ends when a query fails without an answer. PostgreSQL may still carry it out, and what was to
 * follow is dropped: with a `begin` or without its `rollback`, a transaction would stay open on this connection, and take
 * in what others write there later, never to be committed.
 */
async function connection(pool: Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect()
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values)
    } catch (error) {
      if (!(error instanceof DatabaseError)) void client.end()
      throw error
    }
  }
  return { query: query as never, release: () => client.release() }
}

const INT8 = 20
/** Counts arrive as texts; those that a number can hold exactly become numbers, as with SQLite. */
const wholeNumber = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)

/** What the application itself throws inside, on purpose or by mistake, passes as it is. */
const isOurs = (error: unknown): boolean =>
  error instanceof Problem ||
  error instanceof KeywrightError ||
  error instanceof TypeError ||
  error instanceof RangeError
