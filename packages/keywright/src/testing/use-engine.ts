import type { Connected } from "../client/client.ts"
import { hooksMissing } from "../errors/testing.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { testEngine, type TestEngine, type TestEngineOptions } from "./test-engine.ts"

type Hook = (run: () => Promise<void>) => unknown

/**
 * What a test runner offers: vitest and jest call the last one `afterAll`, node:test `after`.
 * @example
 * const hooks: TestHooks = { beforeEach, afterAll }
 * const { db } = await useEngine(shop, hooks)
 */
export interface TestHooks {
  readonly beforeEach?: Hook
  readonly afterAll?: Hook
  readonly after?: Hook
}

/**
 * What `useEngine` returns: a client, and the engine behind it.
 * @example
 * const { db, now }: TestClient<(typeof shop)["entries"], (typeof shop)["relations"], {}, {}> = await useEngine(shop)
 */
export interface TestClient<E, R, Q, S, D = {}> extends Omit<TestEngine, "connect" | "stop"> {
  readonly db: Connected<E, R, Q, S, D>
  readonly connect: TestEngine["connect"]
}

/**
 * An engine and a client for the tests of one file: empty before each test, closed after the last. The hooks are those of
 * the test runner; where they are global (vitest with `globals: true`, jest) they need not be handed over.
 * @example
 * const { db, forward } = await useEngine(shop, { beforeEach, afterAll }) // vitest; with node:test { beforeEach, after }
 * await db.page({ hash: "1" }).set("<html>")
 * await forward("6m")
 */
export async function useEngine<E, R, Q, S, D = {}>(
  keyspace: Keyspace<E, R, Q, S, D>,
  hooks: TestHooks = globalThis as TestHooks,
  options?: TestEngineOptions,
): Promise<TestClient<E, R, Q, S, D>> {
  const { beforeEach, afterAll = hooks.after } = hooks
  if (!beforeEach || !afterAll) throw hooksMissing()
  const { stop, ...engine } = await testEngine(options)
  beforeEach(() => engine.flush())
  afterAll(stop)
  return { ...engine, db: await engine.connect(keyspace) }
}
