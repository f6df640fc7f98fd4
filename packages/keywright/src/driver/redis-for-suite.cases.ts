import { afterAll, beforeAll } from "vitest"
import { type RealRedis, type RedisOptions, startRedis } from "../../../../test/real-redis.ts"
import type { Driver } from "./driver.ts"
import { openResp } from "./resp/open-resp.ts"

/** A real server and a driver to it, from before the first test of a suite until after its last. */
export function redisForSuite(options?: RedisOptions): { readonly redis: RealRedis; readonly driver: Driver } {
  let redis: RealRedis
  let driver: Driver
  beforeAll(async () => {
    redis = await startRedis(options)
    driver = openResp(redis.url)
  })
  afterAll(async () => {
    await driver?.close()
    await redis?.stop()
  })
  return {
    get redis() {
      return redis
    },
    get driver() {
      return driver
    },
  }
}
