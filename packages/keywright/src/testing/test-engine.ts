import { connect } from "../client/connect.ts"
import type { Connected } from "../client/client.ts"
import { loadEmbedded } from "../driver/embedded.ts"
import type { Duration } from "../schema/duration.ts"
import type { Keyspace } from "../schema/keyspace.ts"

type Engine = Awaited<ReturnType<Awaited<ReturnType<typeof loadEmbedded>>["start"]>>

/**
 * Options of `testEngine` and `useEngine`: the clock and a port.
 * @example
 * const options: TestEngineOptions = { startAt: new Date("2026-01-01"), still: true }
 * const redis = await testEngine(options)
 */
export interface TestEngineOptions {
  /** The time at which it starts. Default: now. */
  readonly startAt?: Date | number
  /** The clock moves only by `forward()`, so that every run sees the same time. */
  readonly still?: boolean
  /** Also listens on this port of 127.0.0.1, 0 for any, so that `redis-cli` can look in. */
  readonly port?: number
}

/**
 * What `testEngine` returns.
 * @example
 * const expireAll = (redis: TestEngine) => redis.forward("365d")
 */
export interface TestEngine {
  /** For `connect(keyspace, target)` in the code under test. */
  readonly target: { readonly engine: Engine }
  /** `"redis://127.0.0.1:49152"`, when a port was asked for. */
  readonly url: string | undefined
  /** A typed client on this engine, closed with it. */
  connect<E, R, Q, S, D = {}>(keyspace: Keyspace<E, R, Q, S, D>): Promise<Connected<E, R, Q, S, D>>
  /** Moves the clock: what is due expires, in order and with its events. Takes no time. */
  forward(duration: Duration): Promise<void>
  /** The engine's time in Unix milliseconds. */
  now(): number
  /** Removes everything. */
  flush(): Promise<void>
  /** Closes the clients that were opened here, and ends the engine. */
  stop(): Promise<void>
}

/**
 * A fresh engine in this process, for tests that open clients themselves; `useEngine` does that for most. Stop it in the end.
 * @example
 * const redis = await testEngine()
 * const db = await redis.connect(shop)
 * await redis.forward("31d")
 * await redis.stop()
 */
export async function testEngine({ port, ...clock }: TestEngineOptions = {}): Promise<TestEngine> {
  const { start } = await loadEmbedded()
  const engine = await start({ clock, ...(port !== undefined && { port }) })
  const opened: { $close(): Promise<void> }[] = []
  return {
    target: { engine },
    url: engine.url,
    async connect(keyspace) {
      // Nothing moves by itself: a test that is about swept entries calls db.$sweep().
      const db = await connect(keyspace, { engine }, { sweep: false })
      opened.push(db)
      return db
    },
    forward: (duration) => engine.forward(duration),
    now: () => engine.now(),
    flush: () => engine.flush(),
    async stop() {
      await Promise.all(opened.splice(0).map((db) => db.$close()))
      await engine.stop()
    },
  }
}
