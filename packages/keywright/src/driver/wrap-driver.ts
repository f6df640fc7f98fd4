import type { Driver } from "./driver.ts"

/** The methods that a wrapper replaces; the others are those of the driver. */
export type OwnMethods = Pick<Driver, "send" | "batch" | "multi"> & Partial<Driver>

/** The same server, called in another way. Drivers that it leads to are wrapped by `again`. */
export const wrapDriver = (driver: Driver, again: (driver: Driver) => Driver, own: OwnMethods): Driver => ({
  label: driver.label,
  kind: driver.kind,
  get cluster() {
    return driver.cluster
  },
  db: driver.db,
  timeoutMs: driver.timeoutMs,
  run: (script, keys, args, options) => driver.run(script, keys, args, options),
  subscribe: (to) => driver.subscribe(to),
  database: async (db) => again(await driver.database(db)),
  dedicated: async () => again(await driver.dedicated()),
  primaries: async () => (await driver.primaries()).map(again),
  ...(driver.slots && { slots: () => driver.slots!() }),
  ...(driver.dial && { dial: (signal: AbortSignal) => driver.dial!(signal) }),
  facts: () => driver.facts(),
  close: () => driver.close(),
  ...own,
})
