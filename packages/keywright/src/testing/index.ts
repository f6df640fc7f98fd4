/**
 * A real engine for tests of code that uses Redis, without a server and without mocks. It runs in the process, is
 * empty before each test, and its clock can be moved, so that a test of a TTL takes no time. `REDIS_URL` is never
 * looked at.
 *
 * ```ts
 * import { afterAll, beforeEach, expect, it } from "vitest"
 * import { useEngine } from "keywright/testing"
 *
 * const { db, forward } = await useEngine(shop, { beforeEach, afterAll })
 *
 * it("forgets a page after five minutes", async () => {
 *   await db.page({ hash: "a" }).set("<html>")
 *   await forward("6m")
 *   expect(await db.page({ hash: "a" }).get()).toBeUndefined()
 * })
 * ```
 *
 * @module keywright/testing
 */

export { testEngine, type TestEngine, type TestEngineOptions } from "./test-engine.ts"
export { useEngine, type TestClient, type TestHooks } from "./use-engine.ts"
export { expectClean } from "../inspect/audit/expect-clean.ts"
