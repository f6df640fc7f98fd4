import { expect, it } from "vitest"
import type { Driver } from "../../driver/driver.ts"
import { usedDatabases } from "./used-databases.ts"

const driver = (info: string, more: Partial<Driver> = {}): Driver =>
  ({ cluster: false, db: 3, send: async () => info, ...more }) as Partial<Driver> as Driver

it.each<[string, Driver, number[]]>([
  [
    "that have keys",
    driver("# Keyspace\r\ndb0:keys=2,expires=0,avg_ttl=0\r\ndb12:keys=1,expires=1,avg_ttl=5\r\n"),
    [0, 12],
  ],
  ["that the connection speaks to, where there are no keys", driver("# Keyspace\r\n"), [3]],
  ["that a cluster has, whatever it says", driver("db0:keys=2\r\ndb1:keys=2\r\n", { cluster: true, db: 0 }), [0]],
  ["whose number begins a line", driver("x_db7:keys=1\r\n"), [3]],
])("gives the databases %s", async (_, from, databases) => {
  expect(await usedDatabases(from)).toEqual(databases)
})
