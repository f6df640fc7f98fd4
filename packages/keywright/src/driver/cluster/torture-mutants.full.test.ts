/* Routers that do one thing wrong, and the torture that has to find each of them. Two that are not here put
 * themselves right after one redirect more, so that no caller notices; the cases of router.test.ts find them:
 * one that sends no ASKING before the script that follows an unknown digest, and one whose older answer about the
 * slots wins over MOVED. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import type { RealCluster } from "../../../../../test/redis-cluster.ts"
import { Call } from "../resp/call.ts"
import { Connection } from "../resp/connection.ts"
import { Cluster } from "./cluster.ts"
import { scriptOf } from "../script.ts"
import { Pool } from "./pool.ts"
import { Router } from "./router.ts"
import { HALF_MOVED_MS, type NemesisName, openTortured, startTortured, torture } from "./torture.cases.ts"

/** Above what a failover takes, below what a slot takes that moves slowly. */
const DEADLINE_MS = HALF_MOVED_MS - 1000

const undeclared = scriptOf("undeclared", "redis.call('INCR', KEYS[1]) return redis.call('INCR', ARGV[1])")

interface Mutant {
  readonly breaks: () => void
  readonly order: readonly NemesisName[]
  readonly finds: RegExp
}

const undo: (() => void)[] = []
/** Until the test is over. */
function replace<T extends object, K extends keyof T>(of: T, name: K, by: (before: T[K]) => T[K]): void {
  const before = of[name]
  of[name] = by(before)
  undo.push(() => (of[name] = before))
}

const mutants: Readonly<Record<string, Mutant>> = {
  "believes what a primary answers that was away": {
    breaks: () =>
      replace(
        Cluster.prototype,
        "newRouter",
        (newRouter) =>
          function (this: Cluster, _, db) {
            return newRouter.call(this, () => Infinity, db)
          },
      ),
    order: ["a pause that is longer than the node timeout"],
    finds: /lost/,
  },
  "sends again what may have been carried out": {
    breaks: () =>
      replace(
        Connection.prototype,
        "take",
        (take) =>
          function (this: Connection, call: Call) {
            Object.assign(call, { options: { ...call.options, safe: true } })
            take.call(this, call)
          },
      ),
    order: Array.from({ length: 6 }, () => "all connections cut" as const),
    finds: /holds/,
  },
  "leaves calls where they wait for a node that is gone": {
    breaks: () => replace(Pool.prototype, "takeStranded", () => () => []),
    order: ["kill -9, and back later"],
    finds: /deadline/,
  },
  "sends no ASKING": {
    breaks: () => {
      replace(
        Connection.prototype,
        "take",
        (take) =>
          function (this: Connection, call: Call) {
            call.asking = false
            take.call(this, call)
          },
      )
    },
    order: ["a slot that takes long to move"],
    finds: /deadline/,
  },
  "lets a script touch a key that it was not given": {
    breaks: () =>
      replace(
        Router.prototype,
        "call",
        (call) =>
          function (this: Router, kind, command, commands, script, ...rest) {
            // The second key as an argument.
            return script === undefined || command[0] !== "2"
              ? call.call(this, kind, command, commands, script, ...rest)
              : call.call(this, kind, ["1", ...command.slice(1)], commands, undeclared, ...rest)
          },
      ),
    order: ["a slot whose keys move one by one"],
    finds: /apart|non local key/,
  },
}

describe.runIf(needs("redis-server"))("the torture finds a router that", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startTortured()
  }, 120_000)
  afterEach(() => {
    for (const one of undo.splice(0).toReversed()) one()
  })
  afterAll(() => cluster?.stop())

  for (const [name, { breaks, order, finds }] of Object.entries(mutants))
    test(name, async () => {
      breaks()
      // The fault has to meet the right moment: many runs may show nothing.
      const found: string[] = []
      for (let attempt = 0; attempt < 25 && !found.some((one) => finds.test(one)); attempt++) {
        const driver = openTortured(cluster, DEADLINE_MS)
        found.push(...(await torture(driver, cluster, order, DEADLINE_MS)).violations)
        await driver.close()
      }
      process.stderr.write(`${name}: ${found.slice(0, 3).join("; ")}\n`)
      expect(found).toContainEqual(expect.stringMatching(finds))
    })
})
